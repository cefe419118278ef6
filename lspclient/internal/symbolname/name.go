package symbolname

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// Name is a name taken apart, one that a person wrote or one that a server shows.
type Name struct {
	Raw      string
	Parts    []string // from the outside in; the last one is the identifier
	Anchored bool     // began with "/": the parts are the whole chain within the file
	Index    int      // among the declarations of that name in one container, from 0; -1: none given
	Params   []string // the parameter list, split at its commas
	Called   bool     // there was a parameter list, maybe an empty one
}

// Parse takes a name apart. It understands what the languages and their servers write: "a.b", "a::b", "a/b", "a#b",
// "a->b" for a in b, "(*T).m", type arguments "T<U>" and "F[T]", parameters "f(int)", an index "f[1]", operators
// "A::operator+", "~A", "<T as Trait>::m", quoted names. What it does not understand stays one part.
func Parse(s string) Name {
	w := Name{Index: -1}
	s = strings.Trim(strings.TrimSpace(s), "`")
	w.Raw = s
	if len(s) > MaxLength {
		w.Parts = []string{s}
		return w
	}
	if rest, ok := strings.CutPrefix(s, "/"); ok && !strings.HasPrefix(rest, "/") {
		w.Anchored, s = true, rest
	}
	if open := strings.LastIndexByte(s, '['); open > 0 && strings.HasSuffix(s, "]") {
		if n, err := strconv.Atoi(s[open+1 : len(s)-1]); err == nil && n >= 0 {
			w.Index, s = n, s[:open]
		}
	}
	s = withoutKeyword(s)
	var cur strings.Builder
	end := func() {
		if p := strings.TrimSpace(cur.String()); p != "" {
			w.Parts = append(w.Parts, p)
		}
		cur.Reset()
	}
	for i := 0; i < len(s); {
		rest := s[i:]
		first := strings.TrimSpace(cur.String()) == ""
		if first {
			if op := OperatorName(rest); op != "" {
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
			w.Parts = append(w.Parts, rest[1:1+close])
			i += close + 2
		case c == '(':
			n := Balanced(rest, '(', ')')
			inside := rest[1:max(1, n-1)]
			switch {
			case first && strings.Contains(strings.TrimSpace(withoutArguments(inside)), " "): // "(anonymous namespace)"
				cur.WriteString(rest[:n])
			case first: // a receiver
				w.Parts = append(w.Parts, Parse(strings.TrimLeft(inside, "*& ")).Parts...)
			default:
				w.Params, w.Called = SplitParams(inside), true
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
			n := Balanced(rest, '<', '>')
			if first {
				inside := rest[1:max(1, n-1)]
				if typ, _, ok := strings.Cut(inside, " as "); ok {
					w.Parts = append(w.Parts, Parse(typ).Parts...)
				} else {
					cur.WriteString(rest[:n]) // "<init>", "<function>"
				}
			}
			i += n
		case c == '[':
			n := Balanced(rest, '[', ']')
			if first {
				cur.WriteString(rest[:n]) // a computed name
			}
			i += n
		case strings.HasPrefix(rest, "::"), strings.HasPrefix(rest, "->"):
			end()
			w.Called, w.Params = false, nil
			i += 2
		case c == '.', c == '/', c == '#' && !first:
			end()
			w.Called, w.Params = false, nil
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
	for len(w.Parts) > 1 && (w.Parts[0] == "crate" || w.Parts[0] == "self" || w.Parts[0] == "super" || w.Parts[0] == "this" || w.Parts[0] == "Self") {
		w.Parts = w.Parts[1:]
	}
	if n := len(w.Parts); n > 1 && w.Parts[n-1] == "<init>" { // Java's name of a constructor
		w.Parts[n-1] = w.Parts[n-2]
	}
	return w
}

// Last is the identifier, "" for an empty name.
func (w Name) Last() string {
	if len(w.Parts) == 0 {
		return ""
	}
	return w.Parts[len(w.Parts)-1]
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

// OperatorName returns the beginning of s that names an operator or a conversion of C++, "" when there is none.
func OperatorName(s string) string {
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

// Balanced returns the length of what s begins with, up to the bracket that closes its first one; all of s when none does.
// The arrows of types do not close anything.
func Balanced(s string, open, close byte) int {
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

// SplitParams splits a parameter list at the commas that stand in no bracket.
func SplitParams(s string) []string {
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

// Undecorate removes what servers decorate the name of a declaration with: parameters ("run(int)"), type parameters, a
// pointer receiver's "(*T).m", a trailing "()" or " : T"; what is left keeps its containers. A name that is a description
// ("map() callback", "impl Trait for Type") stays as it is. The second value is the parameter list that was removed.
func Undecorate(name string) (plain, params string) {
	name = strings.TrimSpace(name)
	if len(name) > MaxLength { // no name that anyone writes
		return excerpt.Clip(name, MaxLength), ""
	}
	if rest, ok := strings.CutPrefix(name, "("); ok { // (*Type).Method
		if recv, method, ok := strings.Cut(rest, ")"); ok && strings.HasPrefix(method, ".") {
			name = strings.TrimLeft(recv, "*& ") + method
		}
	}
	from := 0
	if at := strings.Index(name, "operator"); at >= 0 && (at == 0 || name[at-1] == ':') {
		if op := OperatorName(name[at:]); op != "" {
			from = at + len(op)
		}
	}
	for i := max(from, 1); i < len(name); i++ {
		switch c := name[i]; {
		case c == '(':
			n := Balanced(name[i:], '(', ')')
			if strings.Contains(name[from:i], " ") {
				return name, "" // a description
			}
			if after := strings.TrimLeft(name[i+n:], " "); after == "" || after[0] == ':' && !strings.HasPrefix(after, "::") || strings.HasPrefix(after, "->") ||
				strings.HasPrefix(after, "=>") || strings.HasPrefix(after, "const") {
				return strings.TrimSpace(name[:i]), name[i : i+n]
			}
			return name, ""
		case c == '<':
			n := Balanced(name[i:], '<', '>')
			if strings.ContainsAny(name[:i], " ") {
				return name, ""
			}
			name = name[:i] + name[i+n:]
			i--
		case c == '[':
			n := Balanced(name[i:], '[', ']')
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

// Plain is the first value of undecorated.
func Plain(name string) string {
	plain, _ := Undecorate(name)
	return plain
}

// Impl returns the type, and the trait if there is one, of a Rust implementation block as rust-analyzer shows it:
// "impl<T> Trait<T> for &'a mut Type<T>".
func Impl(name string) (typ, trait string, ok bool) {
	rest, ok := strings.CutPrefix(name, "impl")
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '<' {
		return "", "", false
	}
	if rest[0] == '<' {
		rest = rest[Balanced(rest, '<', '>'):]
	}
	if i := strings.Index(rest, " where "); i >= 0 {
		rest = rest[:i]
	}
	if tr, ty, has := strings.Cut(rest, " for "); has {
		return BareType(ty), BareType(strings.TrimPrefix(strings.TrimSpace(tr), "!")), true
	}
	return BareType(rest), "", true
}

// BareType returns the name of a type without reference, lifetime, arguments and path: "&'a mut m::Foo<T>" is Foo.
func BareType(s string) string {
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
	if p := Parse(s).Parts; len(p) > 0 {
		return p[len(p)-1]
	}
	return s
}

const (
	// MaxLength bounds a name that is looked for, in bytes.
	MaxLength = 1000
)
