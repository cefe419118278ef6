package layout

import "strings"

// IsBlank is strings.TrimSpace(s) == "", at once for a character of ASCII.
func IsBlank(s string) bool {
	if s == " " {
		return true
	}
	if len(s) == 1 && s[0] > ' ' && s[0] < 0x80 {
		return false
	}
	return strings.TrimSpace(s) == ""
}

// IsBold reports whether nearly all of a line is bold.
func IsBold(l *Line) bool { return lineFaces(l)&boldLooks != 0 }

// IsMono reports whether nearly all of a line is set in a fixed pitch.
func IsMono(l *Line) bool { return lineFaces(l)&monoLooks != 0 }

// lineLooks is how nearly all of a line is set.
type lineLooks uint8

const (
	boldLooks lineLooks = 1 << iota
	monoLooks
	knownLooks
)

// lineFaces counts the glyphs once: every step of the Markdown view asks for it.
func lineFaces(l *Line) lineLooks {
	if l.look != 0 {
		return l.look
	}
	bold, mono, all := 0, 0, 0
	for i := range l.Segs {
		for k := range l.Segs[i].Glyphs {
			g := &l.Segs[i].Glyphs[k]
			if IsBlank(g.Text) {
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

// IsItalic reports whether most of a line is italic.
func IsItalic(l *Line) bool { return l.Font != nil && l.Font.Italic }

// Baseline is the baseline of the largest letters of the line.
func Baseline(l *Line) float64 {
	best, base := 0.0, l.Base
	for i := range l.Segs {
		if l.Segs[i].Size > best*1.01 {
			best, base = l.Segs[i].Size, l.Segs[i].Base
		}
	}
	return base
}
