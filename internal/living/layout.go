package living

import (
	"path"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/skill/evidence"
)

const (
	maxBare    = 1 << 20 // bytes of a file that is compared so: a longer one was generated
	maxTried   = 1000    // places of one part that are looked at
	maxLeftOut = 400     // lines within which the parts of shortened code lie
)

// bare is code without what formatters change: white space between words and signs, a comma before a closing bracket on a line of its own, the quotes of strings in languages where both
// mean the same, a semicolon at the end of a line where the language needs none, and comments, which are beside it.
type bare struct {
	code     string
	literals []string
	at       []int32 // where in the source each byte of code is
	comments []comment
}

// A comment has its words, and where it is in the source.
type comment struct {
	text     string
	from, to int
}

// loosely says in which languages what is free.
var loosely = map[string]struct{ quotes, semicolons bool }{
	".py": {quotes: true}, ".pyi": {quotes: true},
	".js": {true, true}, ".jsx": {true, true}, ".mjs": {true, true}, ".cjs": {true, true}, ".ts": {true, true}, ".tsx": {true, true}, ".mts": {true, true}, ".cts": {true, true},
}

// newBare makes code bare, by the rules of the language of a file's name.
func newBare(name, src string) *bare {
	free := loosely[strings.ToLower(path.Ext(name))]
	classes := mask.Classes(name, []byte(src))
	b := &bare{}
	var out []byte
	emit := func(s string, from, to int) { // the last byte of s is before to
		out = append(out, s...)
		for range len(s) - 1 {
			b.at = append(b.at, int32(from))
		}
		b.at = append(b.at, int32(to-1))
	}
	blank, lines := false, false // before what comes
	last := byte(0)              // of the code so far
	for i := 0; i < len(src); {
		end := i + 1
		for end < len(src) && classes[end] == classes[i] && classes[i] != mask.Code {
			end++
		}
		switch c := src[i]; {
		case classes[i] == mask.Comment:
			b.comments = append(b.comments, comment{strings.Join(strings.Fields(src[i:end]), " "), i, end})
			blank = true
		case classes[i] == mask.String:
			s := literal(src[i:end], free.quotes)
			emit(s, i, end)
			b.literals = append(b.literals, s)
			blank, lines, last = false, false, '"'
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			blank, lines = true, lines || c == '\n'
		case c == ';' && free.semicolons && ends(src[end:]):
			blank = true
		default:
			if strings.IndexByte(")]}", c) >= 0 && last == ',' && lines {
				out, b.at = out[:len(out)-1], b.at[:len(b.at)-1]
			}
			if blank && parted(last, c) {
				emit(" ", i, i+1)
			}
			emit(src[i:end], i, end)
			blank, lines, last = false, false, c
		}
		i = end
	}
	b.code = string(out)
	return b
}

// literal is a string as it is compared: lines of a longer one without their indentation.
func literal(s string, quotes bool) string {
	if strings.Contains(s, "\n") {
		lines := strings.Split(s, "\n")
		for i := range lines[1:] {
			lines[i+1] = strings.TrimLeft(lines[i+1], " \t")
		}
		s = strings.Join(lines, "\n")
	}
	if quotes && len(s) > 1 && s[0] == '\'' && s[len(s)-1] == '\'' && !strings.ContainsAny(s, `"\`) {
		s = strings.ReplaceAll(s, "'", `"`)
	}
	return s
}

// ends reports whether a line or a block ends here.
func ends(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\r")
	return rest == "" || rest[0] == '\n' || rest[0] == '}'
}

// parted reports whether a blank between two bytes of code means something: it parts words, and signs that would be another one together.
func parted(a, b byte) bool {
	word := func(c byte) bool {
		return c >= utf8.RuneSelf || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	return word(a) && word(b) || a == b && strings.IndexByte("+-<>&|=*/:.?!", a) >= 0
}

// written finds the text of an item in a file where it is the same code and only written otherwise, with comments that came at most.
func (f *file) written(it evidence.Item) (out []evidence.Stretch) {
	if !mask.Known(f.path) || len(f.raw) > maxBare {
		return nil
	}
	var parts []*bare
	for _, p := range evidence.Parts(it) {
		b := newBare(f.path, p)
		if strings.IndexFunc(b.code, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
			return nil // what is only a comment is found as it is, or not
		}
		parts = append(parts, b)
	}
	if len(parts) == 0 {
		return nil
	}
	if f.source.bare == nil {
		f.source.bare = newBare(f.path, f.raw)
	}
	for from := 0; len(out) < maxPlaces; {
		s, next, ok := f.next(parts[0], from)
		if !ok {
			break
		}
		whole, behind := s, next
		for _, p := range parts[1:] {
			s, behind, ok = f.next(p, behind)
			if ok = ok && s.First-whole.First <= maxLeftOut; !ok {
				break
			}
			whole.Last = s.Last
		}
		if ok {
			out = append(out, whole)
		}
		from = next
	}
	return out
}

// literally reports whether the strings of an item's code stand in some lines of a file, blank for blank: elsewhere in code white space does not matter.
func (f *file) literally(it evidence.Item, s evidence.Stretch) bool {
	if !mask.Known(f.path) || s.Last-s.First > maxWindow {
		return true
	}
	here := newBare(f.path, f.raw[f.lines[s.First-1]:f.lines[s.Last]])
	for _, p := range evidence.Parts(it) {
		for _, l := range newBare(f.path, p).literals {
			if !slices.Contains(here.literals, l) && !strings.Contains(here.code, l) {
				return false
			}
		}
	}
	return true
}

// next finds a part behind a place in the bare code of the file, and gives its lines and where to go on.
func (f *file) next(p *bare, from int) (s evidence.Stretch, next int, ok bool) {
	for range maxTried {
		n := strings.Index(f.bare.code[from:], p.code)
		if n < 0 {
			return s, 0, false
		}
		n += from
		end := n + len(p.code)
		from = n + 1
		if inWord(f.bare.code, n) || inWord(f.bare.code, end) {
			continue
		}
		first, last := int(f.bare.at[n]), int(f.bare.at[end-1])
		if first, ok = f.commented(p, n, first, last); ok {
			return evidence.Stretch{First: f.lineAt(first), Last: f.lineAt(last)}, end, true
		}
	}
	return s, 0, false
}

// inWord reports whether a word goes on over a place.
func inWord(s string, i int) bool {
	return i > 0 && i < len(s) && s[i-1] != ' ' && s[i] != ' ' && parted(s[i-1], s[i]) && (unicode.IsLetter(rune(s[i])) || unicode.IsDigit(rune(s[i])) || s[i] == '_' || s[i] >= utf8.RuneSelf)
}

// commented reports whether all comments of a part are still there, in order, from the code before to the end of the line; first is then where the part begins with its comments.
func (f *file) commented(p *bare, n, first, last int) (int, bool) {
	before := 0
	if n > 0 {
		before = int(f.bare.at[n-1]) + 1
	}
	after := len(f.raw)
	if i := strings.IndexByte(f.raw[last:], '\n'); i >= 0 {
		after = last + i
	}
	k := 0
	behind := sort.Search(len(f.bare.comments), func(i int) bool { return f.bare.comments[i].to > before })
	for _, c := range f.bare.comments[behind:] {
		if c.from > after || k == len(p.comments) {
			break
		}
		if c.text == p.comments[k].text {
			first, k = min(first, c.from), k+1
		}
	}
	return first, k == len(p.comments)
}

// lineAt is the line of a byte.
func (s *source) lineAt(at int) int {
	return sort.Search(len(s.lines)-1, func(i int) bool { return s.lines[i] > at })
}
