package mdtext

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/internal/mathtext"
	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	tag      = lazyregexp.New(`^<(?:/?[A-Za-z][\w-]*(?:\s[^<>]*)?/?|!--[^<>]*--)>`)
	autolink = lazyregexp.New(`^<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>`)
	entity   = lazyregexp.New(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
)

// mathLength bounds a formula in a line.
const mathLength = 5000

// Inline returns text without its marks: emphasis, code, links, tags. "\n" in it is a line end that is wanted. It takes time in proportion to s.
func Inline(s string) string {
	var out []string // pieces; runs of "*", "_" and "~" are pieces of their own, which go when they have a partner
	var plain strings.Builder
	flush := func() {
		if plain.Len() > 0 {
			out = append(out, plain.String())
			plain.Reset()
		}
	}
	type run struct{ piece int }
	open := map[byte][]run{}
	noTick := map[int]bool{}
	prev := rune(' ')
	brackets := 0
	for i := 0; i < len(s); {
		rest := s[i:]
		switch c := s[i]; {
		case c == '\\' && len(rest) > 1:
			if rest[1] == '\n' {
				plain.WriteByte('\n')
			} else if strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", rest[1]) >= 0 {
				plain.WriteByte(rest[1])
			} else {
				plain.WriteString(rest[:1])
				i++
				prev = '\\'
				continue
			}
			prev = rune(rest[1])
			i += 2
			continue
		case c == '`':
			n := len(rest) - len(strings.TrimLeft(rest, "`"))
			if k := -1; !noTick[n] {
				for at := n; at < len(rest); at++ {
					if rest[at] == '`' {
						m := len(rest[at:]) - len(strings.TrimLeft(rest[at:], "`"))
						if m == n {
							k = at
							break
						}
						at += m
					}
				}
				if k > 0 {
					plain.WriteString(strings.ReplaceAll(rest[n:k], "\n", " "))
					i += k + n
					prev = 'x'
					continue
				}
				noTick[n] = true
			}
			plain.WriteString(rest[:n])
			i += n
			continue
		case c == '$':
			if text, n := inlineMath(rest, prev); n > 0 {
				plain.WriteString(text)
				i += n
				prev = 'x'
				continue
			}
		case c == '!' && strings.HasPrefix(rest, "!["):
			i++
			continue
		case c == '[':
			brackets++
			if strings.HasPrefix(rest, "[^") {
				if k := strings.IndexByte(rest[:min(len(rest), 100)], ']'); k > 0 {
					plain.WriteString("[" + rest[2:k] + "]")
					i += k + 1
					brackets--
					prev = ']'
					continue
				}
			}
			if hasTail(rest) {
				i++
				continue
			}
		case c == ']' && brackets > 0:
			brackets--
			if n := linkTail(rest[1:]); n > 0 {
				i += 1 + n
				prev = 'x'
				continue
			}
		case c == '<':
			if m := autolink.FindStringSubmatch(ahead(rest)); m != nil {
				plain.WriteString(m[1])
				i += len(m[0])
				prev = 'x'
				continue
			}
			if m := tag.FindString(ahead(rest)); m != "" {
				if strings.HasPrefix(strings.ToLower(m), "<br") {
					plain.WriteByte('\n')
				}
				i += len(m)
				continue
			}
		case c == '&':
			if m := entity.FindString(rest); m != "" {
				plain.WriteString(html.UnescapeString(m))
				i += len(m)
				prev = 'x'
				continue
			}
		case c == '\n':
			t := plain.String()
			if strings.HasSuffix(t, "  ") {
				plain.WriteByte('\n')
			} else {
				plain.WriteByte(' ')
			}
			prev = ' '
			i++
			continue
		case c == '*' || c == '_' || c == '~' && strings.HasPrefix(rest, "~~"):
			n := len(rest) - len(strings.TrimLeft(rest, string(c)))
			next, _ := utf8.DecodeRuneInString(rest[n:])
			if n == len(rest) {
				next = ' '
			}
			flush()
			opens := !unicode.IsSpace(next) && (c == '*' || c == '~' || !unicode.IsLetter(prev) && !unicode.IsDigit(prev))
			closes := !unicode.IsSpace(prev) && (c == '*' || c == '~' || !unicode.IsLetter(next) && !unicode.IsDigit(next))
			left := n
			for st := open[c]; closes && left > 0 && len(st) > 0; st = open[c] {
				o := st[len(st)-1]
				k := min(left, len(out[o.piece]))
				left -= k
				if out[o.piece] = out[o.piece][k:]; out[o.piece] == "" {
					open[c] = st[:len(st)-1]
				}
			}
			out = append(out, rest[:left])
			if left > 0 && opens {
				open[c] = append(open[c], run{len(out) - 1})
			}
			i += n
			prev = rune(c)
			continue
		}
		r, n := utf8.DecodeRuneInString(rest)
		plain.WriteString(rest[:n])
		i += n
		prev = r
	}
	flush()
	return strings.Join(out, "")
}

// ahead returns as much of s as a tag or the address of a link may take.
func ahead(s string) string { return s[:min(len(s), 2000)] }

// linkTail returns the length of the address in parentheses, or the name in brackets, that s begins with; 0 for neither.
func linkTail(s string) int {
	if s == "" || s[0] != '(' && s[0] != '[' {
		return 0
	}
	depth := 0
	for i := 0; i < min(len(s), 2000); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(', '[':
			if s[i] == s[0] {
				if depth++; depth > 8 {
					return 0
				}
			}
		case ')', ']':
			if (s[i] == ')') == (s[0] == '(') {
				if depth--; depth == 0 {
					return i + 1
				}
			}
		case '\n':
			if s[0] == '(' {
				return 0
			}
		}
	}
	return 0
}

// hasTail reports whether the text in brackets that s begins with ends as a link does.
func hasTail(s string) bool {
	n := 0
	for i := 0; i < min(len(s), 2000); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			if n++; n > 20 {
				return false
			}
		case ']':
			if n--; n == 0 {
				return linkTail(s[i+1:]) > 0
			}
		}
	}
	return false
}

// inlineMath reads a formula between dollar signs.
func inlineMath(s string, prev rune) (string, int) {
	n := 1
	if strings.HasPrefix(s, "$$") {
		n = 2
	}
	if unicode.IsDigit(prev) || len(s) <= n || n == 1 && (s[1] == ' ' || s[1] == '\n') {
		return "", 0
	}
	for i := n; i < min(len(s), mathLength); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], "$$"[:n]):
			if n == 1 && (s[i-1] == ' ' || i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9') {
				return "", 0
			}
			return strings.ReplaceAll(mathtext.Text(s[n:i]), "\n", " "), i + n
		}
	}
	return "", 0
}
