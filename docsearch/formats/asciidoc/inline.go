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
	roleList    = lazyregexp.New(`^\[[^\[\]]*\](?:\*\*?|__?|##?|` + "``?" + `|\+\+?\+?)\S`)
	macroStart  = lazyregexp.New(`^([a-zA-Z_][a-zA-Z0-9_-]*):([^\s\[\]:][^\s\[\]]*)?\[`)
	urlStart    = lazyregexp.New(`^(?:https?|ftp|irc)://[^\s\[\]<>]*`)
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
	missing := map[string]bool{} // what does not end any more
	prev := rune(' ')
	for i := 0; i < len(s); {
		rest := s[i:]
		r, n := utf8.DecodeRuneInString(rest)
		if text, k := w.markup(s, i, prev, missing); k > 0 {
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

// find returns where an end stands in s from i, and -1 where it does not; what is missing once is not sought again.
func find(s string, i int, end string, missing map[string]bool) int {
	if missing[end] || i > len(s) {
		return -1
	}
	k := strings.Index(s[i:], end)
	if k < 0 {
		missing[end] = true
		return -1
	}
	return i + k
}

// closeQuote returns where a single sign ends what begins at i: after no blank, before no letter.
func closeQuote(s string, i int, sign string, missing map[string]bool) int {
	if i >= len(s) || missing["1"+sign] || s[i] == ' ' || s[i] == '\n' {
		return -1
	}
	for k := i + 1; k < len(s); k++ {
		if s[k] != sign[0] || s[k-1] == ' ' || s[k-1] == '\n' {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(s[k+1:]); k+1 == len(s) || !isWord(next) && string(next) != sign {
			return k
		}
	}
	missing["1"+sign] = true
	return -1
}

// markup reads what begins at i; its length is 0 where that is plain text.
func (w *writer) markup(s string, i int, prev rune, missing map[string]bool) (text string, length int) {
	rest := s[i:]
	switch c := rest[0]; c {
	case '\\':
		if len(rest) < 2 {
			return "", 0
		}
		if strings.IndexByte("*_`#^~+{<[(\\", rest[1]) >= 0 || strings.HasPrefix(rest[1:], "http") || macroStart.MatchString(ahead(rest[1:])) {
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
			if k := find(s, i+2, "`'", missing); k > 0 {
				return "‘" + w.inside(s[i+2:k]) + "’", k + 2 - i
			}
		}
		if next, _ := utf8.DecodeRuneInString(rest[1:]); isWord(prev) && unicode.IsLetter(next) {
			return "’", 1
		}
	case '"':
		if strings.HasPrefix(rest, "\"`") {
			if k := find(s, i+2, "`\"", missing); k > 0 {
				return "“" + w.inside(s[i+2:k]) + "”", k + 2 - i
			}
		}
	case '(':
		return w.parentheses(s, i, missing)
	case '&':
		if m := entity.FindString(ahead(rest)); m != "" {
			return html.UnescapeString(m), len(m)
		}
	case '[':
		if strings.HasPrefix(rest, "[[[") {
			if k := find(s, i, "]]]", missing); k > 0 {
				id, label, ok := strings.Cut(s[i+3:k], ",")
				if ok {
					id = strings.TrimSpace(label)
				}
				return "[" + id + "]", k + 3 - i
			}
		}
		if strings.HasPrefix(rest, "[[") {
			if k := find(s, i, "]]", missing); k > 0 && !strings.Contains(s[i+2:k], " ") {
				return "", k + 2 - i
			}
		}
		if roleList.MatchString(ahead(rest)) && !isWord(prev) {
			return "", strings.IndexByte(rest, ']') + 1
		}
	case '<':
		if strings.HasPrefix(rest, "<<") {
			if k := find(s, i, ">>", missing); k > 0 && k-i < 500 {
				id, label, _ := strings.Cut(s[i+2:k], ",")
				return w.reference(strings.TrimSpace(id), strings.TrimSpace(label)), k + 2 - i
			}
		}
	case '*', '_', '`', '#':
		double := string(c) + string(c)
		if strings.HasPrefix(rest, double) && len(rest) > 2 {
			if k := find(s, i+2, double, missing); k > i+2 {
				inner := s[i+2 : k]
				if c == '`' {
					inner = strings.TrimSuffix(strings.TrimPrefix(inner, "+"), "+")
				}
				return w.inside(inner), k + 2 - i
			}
		}
		if !isWord(prev) && prev != ':' && prev != ';' || c == '`' && prev == ':' {
			if k := closeQuote(s, i+1, string(c), missing); k > 0 {
				inner := s[i+1 : k]
				if c == '`' && len(inner) > 2 && inner[0] == '+' && inner[len(inner)-1] == '+' {
					return inner[1 : len(inner)-1], k + 1 - i
				}
				return w.inside(inner), k + 1 - i
			}
		}
	case '^', '~':
		if k := find(s, i+1, string(c), missing); k > i+1 && !strings.ContainsAny(s[i+1:k], " \n") {
			return w.inside(s[i+1 : k]), k + 1 - i
		}
	case '+':
		for _, sign := range []string{"+++", "++"} {
			if strings.HasPrefix(rest, sign) {
				if k := find(s, i+len(sign), sign, missing); k > 0 {
					inner := s[i+len(sign) : k]
					if sign == "+++" {
						inner = html.UnescapeString(htmlTag.ReplaceAllString(inner, ""))
					}
					return inner, k + len(sign) - i
				}
			}
		}
		if !isWord(prev) {
			if k := closeQuote(s, i+1, "+", missing); k > 0 {
				return s[i+1 : k], k + 1 - i
			}
		}
	case '$':
		if strings.HasPrefix(rest, "$$") {
			if k := find(s, i+2, "$$", missing); k > 0 {
				return s[i+2 : k], k + 2 - i
			}
		}
	default:
		if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') && !isWord(prev) {
			return w.macro(rest)
		}
	}
	return "", 0
}

// ahead returns as much of s as the name and target of a macro may take.
func ahead(s string) string { return s[:min(len(s), 2000)] }

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
func (w *writer) parentheses(s string, i int, missing map[string]bool) (string, int) {
	rest := s[i:]
	switch {
	case strings.HasPrefix(rest, "((("):
		if k := find(s, i, ")))", missing); k > 0 {
			return "", k + 3 - i
		}
	case strings.HasPrefix(rest, "(("):
		if k := find(s, i, "))", missing); k > 0 && k-i < 300 {
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

// macro reads an inline macro or address.
func (w *writer) macro(rest string) (string, int) {
	if m := urlStart.FindString(ahead(rest)); m != "" {
		if strings.HasPrefix(rest[len(m):], "[") {
			if k := closing(rest, len(m)); k > 0 {
				if label, _ := linkLabel(rest[len(m)+1 : k]); label != "" {
					return w.inside(label), k + 1
				}
				return m, k + 1
			}
		}
		return m, len(m)
	}
	m := macroStart.FindStringSubmatch(ahead(rest))
	if m == nil || !inlineNames[m[1]] {
		return "", 0
	}
	end := closing(rest, len(m[0])-1)
	if end < 0 {
		return "", 0
	}
	target, content := m[2], strings.ReplaceAll(rest[len(m[0]):end], `\]`, "]")
	n := end + 1
	switch m[1] {
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
		if w.isLatex(m[1]) {
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

// closing returns where the bracket that opens at i closes, within a few lines; -1 where it does not.
func closing(s string, i int) int {
	depth := 0
	for k := i; k < min(len(s), i+5000); k++ {
		switch s[k] {
		case '\\':
			k++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return -1
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
