package grep

import (
	"bytes"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Line is one that matches.
type Line struct {
	N     int    // from 1
	At    int    // offset of its first byte
	Text  []byte // without the end of the line
	Spans [][2]int
}

// Lines gives the lines of a text that match.
func (p *Pattern) Lines(text []byte) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		for n, at := 1, 0; at <= len(text); n++ {
			if !p.Fold && len(p.Needs) == 1 { // few lines have it
				next := index(text[at:], p.Needs[0])
				if next < 0 {
					return
				}
				if start := at + bytes.LastIndexByte(text[at:at+next], '\n') + 1; start > at {
					n += bytes.Count(text[at:start], []byte("\n"))
					at = start
				}
			}
			line := text[at:]
			if end := bytes.IndexByte(line, '\n'); end >= 0 {
				line = line[:end]
			}
			if spans := p.Line(line); len(spans) > 0 && !yield(Line{n, at, line, spans}) {
				return
			}
			at += len(line) + 1
		}
	}
}

// index is strings.Index of a text in a longer one. It goes from one place of the needle's rarest byte to the next, not of its
// first one, which is often frequent: BenchmarkIndex.
func index(text []byte, needle string) int {
	rare := 0
	for i := range len(needle) {
		if strings.IndexByte(common, needle[i]) < strings.IndexByte(common, needle[rare]) {
			rare = i
		}
	}
	from := 0
	for fails := 0; fails < 8+from/32; fails++ { // a byte that is frequent here is no help
		if from+rare >= len(text) {
			return -1
		}
		i := bytes.IndexByte(text[from+rare:], needle[rare])
		if i < 0 {
			return -1
		}
		if from += i; len(text)-from >= len(needle) && string(text[from:from+len(needle)]) == needle {
			return from
		}
		from++
	}
	if i := bytes.Index(text[from:], []byte(needle)); i >= 0 {
		return from + i
	}
	return -1
}

// common are the bytes of which source code has most, the most frequent last.
const common = "kxbvwhygm_.udpfclonaisrt e"

// Line returns the byte ranges of the pattern's group in a line. The surroundings that a word match looks at may
// belong to two matches, so each search begins at the end of the last group.
func (p *Pattern) Line(line []byte) [][2]int {
	var out [][2]int
	if p.plain != "" { // most of what is asked, and faster
		for at := 0; len(out) < maxSpans; {
			i := bytes.Index(line[at:], []byte(p.plain))
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(p.plain)
			before, _ := utf8.DecodeLastRune(line[:from])
			after, _ := utf8.DecodeRune(line[to:])
			if p.word && (from > 0 && wordRune(before) || to < len(line) && wordRune(after)) {
				at = from + 1
				continue
			}
			out, at = append(out, [2]int{from, to}), to
		}
		return out
	}
	for at := 0; at <= len(line) && len(out) < maxSpans; {
		// A rune before the start must be seen by the word rule, but not matched.
		from := at
		if at > 0 {
			_, n := utf8.DecodeLastRune(line[:at])
			from = at - n
		}
		m := p.re.FindSubmatchIndex(line[from:])
		if m == nil {
			break
		}
		s, e := from+m[2], from+m[3]
		if s < at { // overlaps the last match
			at++
			continue
		}
		out = append(out, [2]int{s, e})
		at = max(e, at+1)
	}
	return out
}

// maxSpans bounds the matches of a line.
const maxSpans = 50

// wordRune reports whether a rune belongs to a word.
func wordRune(r rune) bool { return r == '_' || unicode.In(r, unicode.L, unicode.N) }

// Cut shortens a long line around its first match and moves the ranges with it.
func Cut(line string, spans [][2]int, most int) (string, [][2]int) {
	if len(line) <= most {
		return line, spans
	}
	from := max(0, min(spans[0][0]-most/3, len(line)-most))
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	to := min(len(line), from+most)
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to--
	}
	out := [][2]int{}
	for _, s := range spans {
		if s[0] < to {
			out = append(out, [2]int{s[0] - from, min(s[1], to) - from})
		}
	}
	return line[from:to], out
}

// Glob matches a path with a glob. "**" matches any number of folders; a glob without "/" is matched with the
// file's name; a glob that names a folder matches what is in it.
func Glob(glob, p string) bool {
	glob = strings.TrimPrefix(strings.TrimSuffix(glob, "/"), "./")
	if !strings.Contains(glob, "/") {
		if ok, _ := path.Match(glob, path.Base(p)); ok {
			return true
		}
	}
	return globParts(strings.Split(glob, "/"), strings.Split(p, "/"))
}

func globParts(glob, p []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			return slices.ContainsFunc(tails(p), func(t []string) bool { return globParts(glob[1:], t) })
		}
		if len(p) == 0 {
			return false
		}
		if ok, _ := path.Match(glob[0], p[0]); !ok {
			return false
		}
		glob, p = glob[1:], p[1:]
	}
	return true // what is left of p lies below the folder that matched
}

func tails(p []string) [][]string {
	out := make([][]string, 0, len(p)+1)
	for i := range len(p) + 1 {
		out = append(out, p[i:])
	}
	return out
}
