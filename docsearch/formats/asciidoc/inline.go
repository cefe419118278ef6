package asciidoc

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/internal/mathtext"
	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	entity      = lazyregexp.New(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	inlineNames = map[string]bool{
		"link": true, "mailto": true, "xref": true, "image": true, "icon": true, "footnote": true, "footnoteref": true, "kbd": true, "btn": true, "menu": true, "stem": true, "latexmath": true,
		"asciimath": true, "indexterm": true, "indexterm2": true, "anchor": true, "pass": true, "linkgit": true, "http": true, "https": true, "ftp": true, "irc": true, "counter": true,
	}
)

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// inline returns text without its markup. "\n" in it is a line end that is wanted. It takes time in proportion to s, but for titles of references,
// which are bounded.
func (w *writer) inline(s string) string {
	var b strings.Builder
	t := &text{s: s, next: map[string]stand{}, open: map[byte]bool{}}
	prev := rune(' ')
	for i := 0; i < len(s); {
		rest := s[i:]
		r, n := utf8.DecodeRuneInString(rest)
		if text, k := w.markup(t, i, prev); k > 0 {
			b.WriteString(text)
			i += k
			prev, _ = utf8.DecodeLastRuneInString(s[:i])
			if text != "" && prev == '*' || prev == '`' || prev == '+' {
				prev = 'x'
			}
			continue
		}
		b.WriteString(rest[:n])
		i += n
		prev = r
	}
	return b.String()
}

// markup reads what begins at i; its length is 0 where that is plain text.
func (w *writer) markup(t *text, i int, prev rune) (shown string, length int) {
	s, rest := t.s, t.s[i:]
	switch c := rest[0]; c {
	case '\\':
		if len(rest) < 2 {
			return "", 0
		}
		if strings.IndexByte("*_`#^~+{<[(\\", rest[1]) >= 0 || strings.HasPrefix(rest[1:], "http") || t.isMacro(i+1) {
			k := 2
			if rest[1] == rest[min(2, len(rest)-1)] && len(rest) > 2 { // \** and \__
				k = 3
			}
			return rest[1:k], k
		}
	case '\n':
		if i > 1 && strings.HasSuffix(s[:i], " +") {
			return "\n", 1
		}
		return " ", 1
	case ' ':
		switch {
		case strings.HasPrefix(rest, " +\n"):
			return "\n", 3
		case strings.HasPrefix(rest, " -- "):
			return " — ", 4
		}
	case '-':
		if strings.HasPrefix(rest, "--") && !strings.HasPrefix(rest, "---") && isWord(prev) && len(rest) > 2 {
			if next, _ := utf8.DecodeRuneInString(rest[2:]); isWord(next) {
				return "—", 2
			}
		}
		if strings.HasPrefix(rest, "->") {
			return "→", 2
		}
	case '=':
		if strings.HasPrefix(rest, "=>") {
			return "⇒", 2
		}
	case '.':
		if strings.HasPrefix(rest, "...") {
			return "…", 3
		}
	case '\'':
		if strings.HasPrefix(rest, "'`") {
			if k := t.find(i+2, "`'"); k > 0 {
				return "‘" + w.inside(s[i+2:k]) + "’", k + 2 - i
			}
		}
		if next, _ := utf8.DecodeRuneInString(rest[1:]); isWord(prev) && unicode.IsLetter(next) {
			return "’", 1
		}
	case '"':
		if strings.HasPrefix(rest, "\"`") {
			if k := t.find(i+2, "`\""); k > 0 {
				return "“" + w.inside(s[i+2:k]) + "”", k + 2 - i
			}
		}
	case '(':
		return w.parentheses(t, i)
	case '&':
		if m := entity.FindString(rest[:min(len(rest), 40)]); m != "" {
			return html.UnescapeString(m), len(m)
		}
	case '[':
		if strings.HasPrefix(rest, "[[[") {
			if k := t.find(i, "]]]"); k > 0 {
				id, label, ok := strings.Cut(s[i+3:k], ",")
				if ok {
					id = strings.TrimSpace(label)
				}
				return "[" + id + "]", k + 3 - i
			}
		}
		if strings.HasPrefix(rest, "[[") {
			if k := t.find(i, "]]"); k > 0 && !strings.Contains(s[i+2:k], " ") {
				return "", k + 2 - i
			}
		}
		if k := t.role(i); k > 0 && !isWord(prev) {
			return "", k + 1 - i
		}
	case '<':
		if strings.HasPrefix(rest, "<<") {
			if k := t.find(i, ">>"); k > 0 && k-i < 500 {
				id, label, _ := strings.Cut(s[i+2:k], ",")
				return w.reference(strings.TrimSpace(id), strings.TrimSpace(label)), k + 2 - i
			}
		}
	case '*', '_', '`', '#':
		double := string(c) + string(c)
		if strings.HasPrefix(rest, double) && len(rest) > 2 {
			if k := t.find(i+2, double); k > i+2 {
				inner := s[i+2 : k]
				if c == '`' {
					inner = strings.TrimSuffix(strings.TrimPrefix(inner, "+"), "+")
				}
				return w.inside(inner), k + 2 - i
			}
		}
		if !isWord(prev) && prev != ':' && prev != ';' || c == '`' && prev == ':' {
			if k := t.closeQuote(i+1, c); k > 0 {
				inner := s[i+1 : k]
				if c == '`' && len(inner) > 2 && inner[0] == '+' && inner[len(inner)-1] == '+' {
					return inner[1 : len(inner)-1], k + 1 - i
				}
				return w.inside(inner), k + 1 - i
			}
		}
	case '^', '~':
		if k := t.find(i+1, string(c)); k > i+1 && !strings.ContainsAny(s[i+1:k], " \n") {
			return w.inside(s[i+1 : k]), k + 1 - i
		}
	case '+':
		for _, sign := range []string{"+++", "++"} {
			if strings.HasPrefix(rest, sign) {
				if k := t.find(i+len(sign), sign); k > 0 {
					inner := s[i+len(sign) : k]
					if sign == "+++" {
						inner = html.UnescapeString(htmlTag.ReplaceAllString(inner, ""))
					}
					return inner, k + len(sign) - i
				}
			}
		}
		if !isWord(prev) {
			if k := t.closeQuote(i+1, '+'); k > 0 {
				return s[i+1 : k], k + 1 - i
			}
		}
	case '$':
		if strings.HasPrefix(rest, "$$") {
			if k := t.find(i+2, "$$"); k > 0 {
				return s[i+2 : k], k + 2 - i
			}
		}
	default:
		if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') && !isWord(prev) {
			return w.macro(t, i)
		}
	}
	return "", 0
}

// inside returns what stands in quotes, of which several may be in one another.
func (w *writer) inside(s string) string {
	if w.within > 6 {
		return s
	}
	w.within++
	defer func() { w.within-- }()
	return w.inline(s)
}

// parentheses reads index terms and signs in parentheses.
func (w *writer) parentheses(t *text, i int) (string, int) {
	s, rest := t.s, t.s[i:]
	switch {
	case strings.HasPrefix(rest, "((("):
		if k := t.find(i, ")))"); k > 0 {
			return "", k + 3 - i
		}
	case strings.HasPrefix(rest, "(("):
		if k := t.find(i, "))"); k > 0 && k-i < 300 {
			return w.inside(s[i+2 : k]), k + 2 - i
		}
	case strings.HasPrefix(rest, "(C)"):
		return "©", 3
	case strings.HasPrefix(rest, "(R)"):
		return "®", 3
	case strings.HasPrefix(rest, "(TM)"):
		return "™", 4
	}
	return "", 0
}

// reference returns what a reference shows.
func (w *writer) reference(id, label string) string {
	if label != "" {
		return w.inside(label)
	}
	id = strings.TrimPrefix(id, "#")
	if k := strings.IndexByte(id, '#'); k >= 0 && k+1 < len(id) {
		id = id[k+1:]
	}
	if t := w.doc.titles[id]; t != "" && len(t) < 1000 {
		return w.inside(t)
	}
	return "[" + id + "]"
}

// macro reads the inline macro or address that begins at i.
func (w *writer) macro(t *text, i int) (string, int) {
	s := t.s
	if end := t.address(i); end > 0 {
		if end < len(s) && s[end] == '[' {
			if k := t.closing(end); k > 0 {
				if label, _ := linkLabel(s[end+1 : k]); label != "" {
					return w.inside(label), k + 1 - i
				}
				return s[i:end], k + 1 - i
			}
		}
		return s[i:end], end - i
	}
	name, bracket := t.macro(i, longestName)
	if !inlineNames[name] {
		return "", 0
	}
	end := t.closing(bracket)
	if end < 0 {
		return "", 0
	}
	target, content := s[i+len(name)+1:bracket], strings.ReplaceAll(s[bracket+1:end], `\]`, "]")
	n := end + 1 - i
	switch name {
	case "link", "mailto":
		if label, _ := linkLabel(content); label != "" {
			return w.inside(label), n
		}
		return target, n
	case "xref":
		return w.reference(target, content), n
	case "image", "icon":
		label, _, _ := strings.Cut(content, ",")
		if strings.Contains(label, "=") {
			label = ""
		}
		return strings.Trim(label, `"`), n
	case "footnote":
		return w.footnote(target, content), n
	case "footnoteref":
		id, text, _ := strings.Cut(content, ",")
		return w.footnote(strings.TrimSpace(id), strings.TrimSpace(text)), n
	case "kbd", "btn":
		return content, n
	case "menu":
		if content == "" {
			return target, n
		}
		return target + " › " + strings.ReplaceAll(content, " > ", " › "), n
	case "stem", "latexmath", "asciimath":
		if w.isLatex(name) {
			return strings.ReplaceAll(mathtext.Text(strings.Trim(content, "$")), "\n", " "), n
		}
		return content, n
	case "indexterm2":
		return w.inside(content), n
	case "indexterm", "anchor":
		return "", n
	case "pass":
		return html.UnescapeString(htmlTag.ReplaceAllString(content, "")), n
	case "linkgit": // of the manual of Git
		return target + "(" + content + ")", n
	}
	return "", 0
}

// linkLabel returns the text of a link without its attributes.
func linkLabel(s string) (label string, quoted bool) {
	if strings.HasPrefix(s, `"`) {
		if k := strings.IndexByte(s[1:], '"'); k >= 0 {
			return s[1 : k+1], true
		}
	}
	if k := strings.IndexByte(s, '='); k >= 0 {
		if c := strings.LastIndexByte(s[:k], ','); c >= 0 {
			s = s[:c]
		} else if strings.IndexByte(s[:k], ' ') < 0 {
			s = ""
		}
	}
	return strings.TrimSuffix(s, "^"), false
}
