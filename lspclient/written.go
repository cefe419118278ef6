package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/source"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// written is a name taken apart, one that a person wrote or one that a server shows.
type written struct {
	raw      string
	parts    []string // from the outside in; the last one is the identifier
	anchored bool     // began with "/": the parts are the whole chain within the file
	index    int      // among the declarations of that name in one container, from 0; -1: none given
	params   []string // the parameter list, split at its commas
	called   bool     // there was a parameter list, maybe an empty one
}

// parseName takes a name apart. It understands what the languages and their servers write: "a.b", "a::b", "a/b", "a#b",
// "a->b" for a in b, "(*T).m", type arguments "T<U>" and "F[T]", parameters "f(int)", an index "f[1]", operators
// "A::operator+", "~A", "<T as Trait>::m", quoted names. What it does not understand stays one part.
func parseName(s string) written {
	w := written{index: -1}
	s = strings.Trim(strings.TrimSpace(s), "`")
	w.raw = s
	if len(s) > maxName {
		w.parts = []string{s}
		return w
	}
	if rest, ok := strings.CutPrefix(s, "/"); ok && !strings.HasPrefix(rest, "/") {
		w.anchored, s = true, rest
	}
	if open := strings.LastIndexByte(s, '['); open > 0 && strings.HasSuffix(s, "]") {
		if n, err := strconv.Atoi(s[open+1 : len(s)-1]); err == nil && n >= 0 {
			w.index, s = n, s[:open]
		}
	}
	s = withoutKeyword(s)
	var cur strings.Builder
	end := func() {
		if p := strings.TrimSpace(cur.String()); p != "" {
			w.parts = append(w.parts, p)
		}
		cur.Reset()
	}
	for i := 0; i < len(s); {
		rest := s[i:]
		first := strings.TrimSpace(cur.String()) == ""
		if first {
			if op := operatorName(rest); op != "" {
				cur.WriteString(strings.Join(strings.Fields(op), " "))
				i += len(op)
				continue
			}
		}
		switch c := s[i]; {
		case first && (c == '"' || c == '\''):
			close := strings.IndexByte(rest[1:], c)
			if close <= 0 {
				cur.WriteByte(c)
				i++
				break
			}
			w.parts = append(w.parts, rest[1:1+close])
			i += close + 2
		case c == '(':
			n := balanced(rest, '(', ')')
			inside := rest[1:max(1, n-1)]
			switch {
			case first && strings.Contains(strings.TrimSpace(withoutArguments(inside)), " "): // "(anonymous namespace)"
				cur.WriteString(rest[:n])
			case first: // a receiver
				w.parts = append(w.parts, parseName(strings.TrimLeft(inside, "*& ")).parts...)
			default:
				w.params, w.called = splitParams(inside), true
				if after := strings.TrimSpace(rest[n:]); after == "" || !strings.ContainsAny(after[:1], ".:#/-") || strings.HasPrefix(after, "->") && first {
					end()
					return w
				}
				if after := strings.TrimSpace(rest[n:]); strings.HasPrefix(after, ": ") || strings.HasPrefix(after, "-> ") { // the result's type
					end()
					return w
				}
			}
			i += n
		case c == '<':
			n := balanced(rest, '<', '>')
			if first {
				inside := rest[1:max(1, n-1)]
				if typ, _, ok := strings.Cut(inside, " as "); ok {
					w.parts = append(w.parts, parseName(typ).parts...)
				} else {
					cur.WriteString(rest[:n]) // "<init>", "<function>"
				}
			}
			i += n
		case c == '[':
			n := balanced(rest, '[', ']')
			if first {
				cur.WriteString(rest[:n]) // a computed name
			}
			i += n
		case strings.HasPrefix(rest, "::"), strings.HasPrefix(rest, "->"):
			end()
			w.called, w.params = false, nil
			i += 2
		case c == '.', c == '/', c == '#' && !first:
			end()
			w.called, w.params = false, nil
			i++
		case first && (c == '*' || c == '&' || c == ' '):
			i++
		case c == ':' && !first: // a type behind a name
			end()
			return w
		default:
			_, size := utf8.DecodeRuneInString(rest)
			cur.WriteString(rest[:size])
			i += size
		}
	}
	end()
	for len(w.parts) > 1 && (w.parts[0] == "crate" || w.parts[0] == "self" || w.parts[0] == "super" || w.parts[0] == "this" || w.parts[0] == "Self") {
		w.parts = w.parts[1:]
	}
	if n := len(w.parts); n > 1 && w.parts[n-1] == "<init>" { // Java's name of a constructor
		w.parts[n-1] = w.parts[n-2]
	}
	return w
}

// last is the identifier, "" for an empty name.
func (w written) last() string {
	if len(w.parts) == 0 {
		return ""
	}
	return w.parts[len(w.parts)-1]
}

// withoutArguments removes type arguments in brackets.
func withoutArguments(s string) string {
	if i := strings.IndexAny(s, "[<"); i >= 0 {
		return s[:i]
	}
	return s
}

// withoutKeyword removes the word that declares, which people write before a name: "def run", "class Flask".
func withoutKeyword(s string) string {
	word, rest, ok := strings.Cut(s, " ")
	rest = strings.TrimSpace(rest)
	r, _ := utf8.DecodeRuneInString(rest)
	if !ok || !unicode.IsLetter(r) && r != '_' && r != '(' {
		return s
	}
	switch word {
	case "class", "def", "func", "function", "fn", "interface", "struct", "enum", "trait", "type", "namespace", "module", "method", "var", "const":
		return rest
	}
	return s
}

// operators of C++, the longer ones before their beginnings.
var operators = []string{
	"new[]", "delete[]", "new", "delete", "co_await", "()", "[]", "->*", "->", "<=>", "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
	"++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", ",", "+", "-", "*", "/", "%", "^", "&", "|", "~", "!", "=", "<", ">",
}

// operatorName returns the beginning of s that names an operator or a conversion of C++, "" when there is none.
func operatorName(s string) string {
	rest, ok := strings.CutPrefix(s, "operator")
	if !ok || rest == "" {
		return ""
	}
	if r, _ := utf8.DecodeRuneInString(rest); source.IsIdent(r) || r == '.' || r == ':' {
		return ""
	}
	trimmed := strings.TrimLeft(rest, " ")
	blanks := len(rest) - len(trimmed)
	for _, op := range operators {
		if strings.HasPrefix(trimmed, op) {
			r, _ := utf8.DecodeRuneInString(trimmed[len(op):])
			if source.IsIdent(rune(op[0])) && len(trimmed) > len(op) && source.IsIdent(r) {
				continue // "operator newline"
			}
			return s[:len("operator")+blanks+len(op)]
		}
	}
	if blanks == 0 {
		return ""
	}
	to := trimmed // a type
	if i := strings.IndexByte(to, '('); i >= 0 {
		to = to[:i]
	}
	return s[:len("operator")+blanks+len(strings.TrimRight(to, " "))]
}

// balanced returns the length of what s begins with, up to the bracket that closes its first one; all of s when none does.
// The arrows of types do not close anything.
func balanced(s string, open, close byte) int {
	depth := 0
	for i := range len(s) {
		switch {
		case s[i] == open:
			depth++
		case s[i] == close && !(close == '>' && i > 0 && (s[i-1] == '-' || s[i-1] == '=')):
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// splitParams splits a parameter list at the commas that stand in no bracket.
func splitParams(s string) []string {
	var list []string
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	if last := strings.TrimSpace(s[from:]); last != "" {
		list = append(list, last)
	}
	return list
}

// undecorated removes what servers decorate the name of a declaration with: parameters ("run(int)"), type parameters, a
// pointer receiver's "(*T).m", a trailing "()" or " : T"; what is left keeps its containers. A name that is a description
// ("map() callback", "impl Trait for Type") stays as it is. The second value is the parameter list that was removed.
func undecorated(name string) (plain, params string) {
	name = strings.TrimSpace(name)
	if len(name) > maxName { // no name that anyone writes
		return excerpt.Clip(name, maxName), ""
	}
	if rest, ok := strings.CutPrefix(name, "("); ok { // (*Type).Method
		if recv, method, ok := strings.Cut(rest, ")"); ok && strings.HasPrefix(method, ".") {
			name = strings.TrimLeft(recv, "*& ") + method
		}
	}
	from := 0
	if at := strings.Index(name, "operator"); at >= 0 && (at == 0 || name[at-1] == ':') {
		if op := operatorName(name[at:]); op != "" {
			from = at + len(op)
		}
	}
	for i := max(from, 1); i < len(name); i++ {
		switch c := name[i]; {
		case c == '(':
			n := balanced(name[i:], '(', ')')
			if strings.Contains(name[from:i], " ") {
				return name, "" // a description
			}
			if after := strings.TrimLeft(name[i+n:], " "); after == "" || after[0] == ':' && !strings.HasPrefix(after, "::") || strings.HasPrefix(after, "->") ||
				strings.HasPrefix(after, "=>") || strings.HasPrefix(after, "const") {
				return strings.TrimSpace(name[:i]), name[i : i+n]
			}
			return name, ""
		case c == '<':
			n := balanced(name[i:], '<', '>')
			if strings.ContainsAny(name[:i], " ") {
				return name, ""
			}
			name = name[:i] + name[i+n:]
			i--
		case c == '[':
			n := balanced(name[i:], '[', ']')
			if i+n < len(name) && name[i+n] != '(' && name[i+n] != '.' {
				return name, ""
			}
			name = name[:i] + name[i+n:]
			i--
		case (strings.HasPrefix(name[i:], ": ") || strings.HasPrefix(name[i:], " : ")) && !strings.Contains(name[:i], " "):
			return strings.TrimSpace(name[:i]), ""
		}
	}
	return name, ""
}

// plainName is the first value of undecorated.
func plainName(name string) string {
	plain, _ := undecorated(name)
	return plain
}

// implOf returns the type, and the trait if there is one, of a Rust implementation block as rust-analyzer shows it:
// "impl<T> Trait<T> for &'a mut Type<T>".
func implOf(name string) (typ, trait string, ok bool) {
	rest, ok := strings.CutPrefix(name, "impl")
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '<' {
		return "", "", false
	}
	if rest[0] == '<' {
		rest = rest[balanced(rest, '<', '>'):]
	}
	if i := strings.Index(rest, " where "); i >= 0 {
		rest = rest[:i]
	}
	if tr, ty, has := strings.Cut(rest, " for "); has {
		return bareType(ty), bareType(strings.TrimPrefix(strings.TrimSpace(tr), "!")), true
	}
	return bareType(rest), "", true
}

// bareType returns the name of a type without reference, lifetime, arguments and path: "&'a mut m::Foo<T>" is Foo.
func bareType(s string) string {
	s = strings.TrimSpace(s)
	for {
		before := s
		s = strings.TrimSpace(strings.TrimLeft(s, "&*"))
		for _, word := range []string{"mut ", "dyn ", "const ", "final "} {
			s = strings.TrimPrefix(s, word)
		}
		if strings.HasPrefix(s, "'") {
			if _, rest, ok := strings.Cut(s, " "); ok {
				s = rest
			}
		}
		if s == before {
			break
		}
	}
	if p := parseName(s).parts; len(p) > 0 {
		return p[len(p)-1]
	}
	return s
}
