package rst

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/internal/mathtext"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// maxWithin bounds substitutions in substitutions.
const maxWithin = 8

// literalText returns text that inline leaves as it is.
func literalText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\*`|_:[<", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unescape removes backslashes; what they stand before is literal, and a blank goes too.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			if s[i] != '\\' {
				b.WriteByte(s[i])
			}
			continue
		}
		i++
		if s[i] != ' ' && s[i] != '\n' {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

var (
	roleSuffix = lazyregexp.New(`^:([\p{L}\p{N}](?:[\p{L}\p{N}_.+:-]*[\p{L}\p{N}])?):`)
	noteRef    = lazyregexp.New(`^\[([0-9]+|#[\w.-]*|\*|[\p{L}\p{N}][\w.:+-]*)\]_`)
)

// inline returns text without its markup. It takes time in proportion to s, but for substitutions, which are bounded.
func (w *writer) inline(s string) string {
	var b strings.Builder
	missing := map[string]bool{} // what does not end any more
	prev := rune(' ')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\\' {
			i++
			if i < len(s) {
				next, k := utf8.DecodeRuneInString(s[i:])
				if next != ' ' && next != '\n' {
					b.WriteString(s[i : i+k])
				}
				i += k
				prev = 'x'
				if next == ' ' || next == '\n' {
					prev = ' '
				}
			}
			continue
		}
		if startsMarkup(prev) && !inQuotes(prev, s[i+n:]) {
			if text, k := w.markup(s, i, missing); k > 0 {
				b.WriteString(text)
				i += k
				prev = ' ' // markup may follow at once
				continue
			}
		}
		b.WriteString(s[i : i+n])
		i += n
		prev = r
	}
	return b.String()
}

// startsMarkup reports whether inline markup may begin after a character.
func startsMarkup(prev rune) bool {
	return unicode.IsSpace(prev) || prev != '\\' && prev != '_' && (unicode.IsPunct(prev) || prev == '<' || prev == '=' || prev == '|' || prev == '+' || prev == '~')
}

// inQuotes reports whether a sign stands alone in quotes or brackets, and begins nothing.
func inQuotes(prev rune, after string) bool {
	at := strings.IndexRune(`"'([{<`, prev)
	return at >= 0 && after != "" && after[0] == `"')]}>`[at]
}

// endsMarkup reports whether inline markup may end before s.
func endsMarkup(s string) bool {
	if s == "" {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '_' || unicode.IsSymbol(r)
}

// until returns where the delimiter ends what begins at i, and -1 where nothing does.
func until(s string, i int, delim string, escapes bool, missing map[string]bool) int {
	if i >= len(s) || s[i] == ' ' || s[i] == '\n' || missing[delim] {
		return -1
	}
	for k := i; k < len(s); k++ {
		if escapes && s[k] == '\\' {
			k++
			continue
		}
		if s[k] != delim[0] || !strings.HasPrefix(s[k:], delim) || k == i || s[k-1] == ' ' || s[k-1] == '\n' {
			continue
		}
		rest := s[k+len(delim):]
		if delim == "`" && strings.HasPrefix(rest, "_") {
			return k
		}
		if delim == "|" && strings.HasPrefix(rest, "_") || endsMarkup(rest) {
			return k
		}
	}
	missing[delim] = true
	return -1
}

// ahead returns as much of s as the name of a role or reference may take.
func ahead(s string) string { return s[:min(len(s), 300)] }

// word returns the length of the letters and digits that s begins with, of the signs among them too.
func word(s, signs string) int {
	s = ahead(s)
	for i, r := range s {
		if r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.Is(unicode.N, r) ||
			r < utf8.RuneSelf && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && strings.IndexByte(signs, byte(r)) < 0 {
			return i
		}
	}
	return len(s)
}

// roleEnd returns the length of the ":name:" that s begins with where a backtick follows it, and 0 otherwise. The name begins and ends with a letter
// or digit.
func roleEnd(s string) int {
	n := 1 + word(s[1:], "_.+:-")
	if n < 3 || n >= len(s) || s[n] != '`' || s[n-1] != ':' || word(s[1:], "") == 0 || strings.IndexByte("_.+:-", s[n-2]) >= 0 {
		return 0
	}
	return n
}

// wordRef returns the length of the reference of one word that s begins with, such as "word_", and 0 where there is none: letters and digits that
// single signs may join.
func wordRef(s string) int {
	s = ahead(s)
	n := word(s, "")
	if n == 0 {
		return 0
	}
	for n < len(s) && strings.IndexByte("-_.:+", s[n]) >= 0 {
		k := word(s[n+1:], "")
		if k == 0 {
			break
		}
		n += 1 + k
	}
	switch {
	case strings.HasPrefix(s[n:], "__"):
		return n + 2
	case strings.HasPrefix(s[n:], "_"):
		return n + 1
	}
	return 0
}

// markup reads the inline markup that begins at i; its length is 0 where there is none.
func (w *writer) markup(s string, i int, missing map[string]bool) (text string, length int) {
	rest := s[i:]
	switch rest[0] {
	case '*':
		for _, delim := range []string{"**", "*"} {
			if strings.HasPrefix(rest, delim) {
				if k := until(s, i+len(delim), delim, true, missing); k > 0 {
					return unescape(s[i+len(delim) : k]), k + len(delim) - i
				}
				if delim == "**" {
					return "", 0
				}
			}
		}
	case '`':
		if strings.HasPrefix(rest, "``") {
			if k := until(s, i+2, "``", false, missing); k > 0 {
				for k+2 < len(s) && s[k+2] == '`' {
					k++
				}
				return s[i+2 : k], k + 2 - i
			}
			return "", 0
		}
		if k := until(s, i+1, "`", true, missing); k > 0 {
			content, after := s[i+1:k], s[k+1:]
			var m []string
			if strings.HasPrefix(after, ":") {
				m = roleSuffix.FindStringSubmatch(ahead(after))
			}
			switch {
			case strings.HasPrefix(after, "__"):
				return linkText(content), k + 3 - i
			case strings.HasPrefix(after, "_"):
				return linkText(content), k + 2 - i
			case m != nil:
				return w.role(m[1], content), k + 1 + len(m[0]) - i
			default:
				return w.role(w.doc.defaultRole, content), k + 1 - i
			}
		}
	case ':':
		if missing["`"] {
			return "", 0
		}
		if n := roleEnd(rest); n > 0 {
			if k := until(s, i+n+1, "`", true, missing); k > 0 {
				return w.role(rest[1:n-1], s[i+n+1:k]), k + 1 - i
			}
		}
	case '|':
		if k := until(s, i+1, "|", true, missing); k > 0 {
			n := k + 1 - i
			for strings.HasPrefix(s[i+n:], "_") {
				n++
			}
			return w.substitute(s[i+1 : k]), n
		}
	case '_':
		if strings.HasPrefix(rest, "_`") {
			if k := until(s, i+2, "`", true, missing); k > 0 {
				return unescape(s[i+2 : k]), k + 1 - i
			}
		}
	case '[':
		if m := noteRef.FindStringSubmatch(ahead(rest)); m != nil && endsMarkup(rest[len(m[0]):]) {
			return "[" + w.noteNumber(m[1]) + "]", len(m[0])
		}
	default:
		if n := wordRef(rest); n > 0 && endsMarkup(rest[n:]) {
			return strings.TrimRight(rest[:n], "_"), n
		}
	}
	return "", 0
}

// linkText returns what a link shows: its text, or the address where it has none.
func linkText(s string) string {
	s = unescape(s)
	if at := strings.LastIndexByte(s, '<'); at >= 0 && strings.HasSuffix(s, ">") {
		if t := strings.TrimSpace(s[:at]); t != "" {
			return t
		}
		return strings.TrimSuffix(s[at+1:], ">")
	}
	return s
}

func (w *writer) substitute(name string) string {
	n := w.doc.substitutions[name]
	if n == nil {
		return name // such as |version|, which the configuration of Sphinx says
	}
	if w.within >= maxWithin {
		return name
	}
	w.within++
	defer func() { w.within-- }()
	s := w.plain(n.kids)
	if w.within > 1 && len(s) > 2000 { // a substitution of substitutions grows by powers
		return name
	}
	return s
}

// noteNumber returns what a reference to a footnote shows.
func (w *writer) noteNumber(label string) string {
	switch label {
	case "#":
		w.noteRefs++
		label = fmt.Sprintf("#%d", w.noteRefs)
	case "*":
		w.signRefs++
		label = fmt.Sprintf("*%d", w.signRefs)
	}
	if n := w.doc.notes[label]; n != "" {
		return n
	}
	return strings.TrimLeft(label, "#")
}

// role returns what a role shows.
func (w *writer) role(name, content string) string {
	if w.doc.raw[name] || name == "raw" {
		return ""
	}
	short := strings.ToLower(name[strings.LastIndexByte(name, ':')+1:])
	switch short {
	case "math", "eq":
		if short == "math" {
			return strings.ReplaceAll(mathtext.Text(content), "\n", " ")
		}
		if l := w.doc.labels[labelKey(content)]; l != "" {
			return l
		}
		return content
	case "code", "literal", "kbd", "regexp", "sub", "subscript", "sup", "superscript", "abbr", "emphasis", "strong", "guilabel", "title-reference", "dfn", "makevar":
		s := unescape(content)
		if short == "guilabel" {
			s = strings.ReplaceAll(strings.ReplaceAll(s, "&&", "\x00"), "&", "")
			s = strings.ReplaceAll(s, "\x00", "&")
		}
		return s
	case "samp", "file":
		return strings.NewReplacer("{", "", "}", "").Replace(unescape(content))
	case "menuselection":
		return strings.ReplaceAll(unescape(content), "-->", "‣")
	case "index":
		if t, _, ok := cutTarget(content); ok {
			return unescape(t)
		}
		return unescape(strings.TrimPrefix(content, "!"))
	case "program", "command":
		return unescape(content)
	}
	title, to, explicit := cutTarget(content)
	if explicit {
		return unescape(title)
	}
	to = unescape(strings.TrimPrefix(to, "!"))
	switch short {
	case "":
		return to
	case "pep":
		return "PEP " + strings.Replace(to, "#", " § ", 1)
	case "rfc":
		return "RFC " + strings.Replace(to, "#", " § ", 1)
	case "ref", "numref", "keyword":
		if t := w.doc.labels[labelKey(to)]; t != "" && w.within < maxWithin {
			w.within++
			defer func() { w.within-- }()
			if len(t) < 1000 {
				return w.inline(t)
			}
		}
	case "doc", "download":
		return path.Base(to)
	case "envvar", "option", "term", "token", "cve", "cwe", "issue", "gh", "bpo", "source", "ticket", "user":
		switch short {
		case "cve":
			return "CVE " + to
		case "cwe":
			return "CWE " + to
		case "issue":
			return "#" + to
		}
	case "func", "meth", "function", "method":
		to = lastName(to)
		if !strings.HasSuffix(to, ")") {
			to += "()"
		}
		return to
	case "class", "mod", "exc", "attr", "data", "obj", "const", "member", "type", "macro", "struct", "var":
		return lastName(to)
	}
	return to
}

// lastName shortens "~a.b.c" to "c".
func lastName(s string) string {
	if t, ok := strings.CutPrefix(s, "~"); ok {
		return t[strings.LastIndexByte(t, '.')+1:]
	}
	return strings.TrimPrefix(s, ".")
}

// cutTarget splits "title <target>".
func cutTarget(s string) (title, target string, ok bool) {
	if strings.HasSuffix(s, ">") && !strings.HasSuffix(s, `\>`) {
		if at := strings.LastIndexByte(s, '<'); at > 0 && (s[at-1] == ' ' || s[at-1] == '\n') {
			return strings.TrimSpace(s[:at]), s[at+1 : len(s)-1], true
		}
	}
	return "", s, false
}
