package pdf

import "strings"

// blankText is strings.TrimSpace(s) == "", at once for a character of ASCII.
func blankText(s string) bool {
	if s == " " {
		return true
	}
	if len(s) == 1 && s[0] > ' ' && s[0] < 0x80 {
		return false
	}
	return strings.TrimSpace(s) == ""
}

func boldLine(l *line) bool { return lineFaces(l)&boldLooks != 0 }

func monoLine(l *line) bool { return lineFaces(l)&monoLooks != 0 }

// lineLooks is how nearly all of a line is set.
type lineLooks uint8

const (
	boldLooks lineLooks = 1 << iota
	monoLooks
	knownLooks
)

// looks counts the glyphs once: every step of the Markdown view asks for it.
func lineFaces(l *line) lineLooks {
	if l.look != 0 {
		return l.look
	}
	bold, mono, all := 0, 0, 0
	for i := range l.segs {
		for k := range l.segs[i].glyphs {
			g := &l.segs[i].glyphs[k]
			if blankText(g.Text) {
				continue
			}
			all++
			if g.Font == nil {
				continue
			}
			if g.Font.Bold {
				bold++
			}
			if g.Font.Mono {
				mono++
			}
		}
	}
	l.look = knownLooks
	if all > 0 && bold*10 >= all*9 {
		l.look |= boldLooks
	}
	if all > 0 && mono*10 >= all*9 {
		l.look |= monoLooks
	}
	return l.look
}

func italicLine(l *line) bool { return l.font != nil && l.font.Italic }

// mainBase is the baseline of the largest letters of the line.
func baseline(l *line) float64 {
	best, base := 0.0, l.base
	for i := range l.segs {
		if l.segs[i].size > best*1.01 {
			best, base = l.segs[i].size, l.segs[i].base
		}
	}
	return base
}
