package complete

import (
	"bytes"
	"slices"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// overloads are the words before the name of a declaration, in the languages in which several declarations of one name
// in one scope are one symbol, of which servers give as the definition only the one that is meant. Other words may stand
// before them; alone they stand before the name of a method.
var overloads = map[string]declaringWords{
	"python":          {[]string{"def", "class"}, nil},
	"typescript":      typescriptWords,
	"typescriptreact": typescriptWords,
}

type declaringWords struct{ declaring, alone []string }

var typescriptWords = declaringWords{
	[]string{"function", "class", "interface", "enum", "namespace"},
	[]string{"public", "private", "protected", "static", "abstract", "async", "override", "get", "set", "declare"},
}

func pathIn(pos protocol.TextDocumentPositionParams) string {
	abs, _ := source.PathOf(string(pos.TextDocument.URI))
	return abs
}

// withoutSiblings takes away the other declarations of a symbol from its references: those in the files and scopes of
// its declarations that stand behind a declaring word, or as the name of a method with a signature. A method of another
// class, which overrides or implements the symbol, is a reference where the server says so.
func withoutSiblings(s *session.Session, refs, declared []wire.Location, language string) []wire.Location {
	const most = 5 // files with declarations that are looked at
	words := overloads[language]
	if words.declaring == nil {
		return refs
	}
	for i, d := range declared[:min(len(declared), most)] {
		if slices.ContainsFunc(declared[:i], func(e wire.Location) bool { return e.URI == d.URI }) ||
			!slices.ContainsFunc(refs, func(p wire.Location) bool { return p.URI == d.URI }) {
			continue
		}
		abs, ok := source.PathOf(d.URI)
		if !ok || !source.Below(s.Server.Pool.Tree.Root(), abs) {
			continue
		}
		text, err := s.Documents.Text(abs)
		if err != nil {
			continue // what cannot be read is left out later, with a word
		}
		scopes := map[int]bool{}
		for _, e := range declared {
			if e.URI == d.URI {
				scopes[scopeAt(s, text, e)] = true
			}
		}
		refs = slices.DeleteFunc(refs, func(p wire.Location) bool {
			return p.URI == d.URI && scopes[scopeAt(s, text, p)] && words.declare(s, text, p)
		})
	}
	return refs
}

// declare reports whether the words, or the form of the line, make the name at a place a declaration.
func (w declaringWords) declare(s *session.Session, text *source.Text, p wire.Location) bool {
	n, from, ok := s.Place(text, p.Range.Start)
	if !ok {
		return false
	}
	line, _ := text.Line(n)
	_, to, _ := s.Place(text, p.Range.End)
	before := strings.Fields(string(line[:min(from-1, len(line))]))
	if n := len(before); n > 0 && slices.Contains(w.declaring, before[n-1]) {
		return true
	}
	if w.alone == nil || slices.ContainsFunc(before, func(word string) bool { return !slices.Contains(w.alone, word) }) {
		return false
	}
	// "name(a: T): T;" declares, "name(a);" does not.
	rest := bytes.TrimSpace(line[min(max(to, 1)-1, len(line)):])
	_, after, ok := bytes.Cut(rest, []byte(")"))
	return bytes.HasPrefix(rest, []byte("(")) && ok && bytes.HasPrefix(bytes.TrimSpace(after), []byte(":"))
}

// ownDeclaration returns the target itself when it is a declaration: a server may lead from there to another one (jedi does, from a
// method to the one it overrides), and yet a declaration is no use of itself.
func ownDeclaration(s *session.Session, refs []wire.Location, pos protocol.TextDocumentPositionParams, language string) []wire.Location {
	abs := pathIn(pos)
	text, err := s.Documents.Text(abs)
	if err != nil {
		return nil // it was open a moment ago: the answer is about nothing that is still there
	}
	for _, p := range refs {
		if p.URI == string(pos.TextDocument.URI) && p.Range.Start == pos.Position && overloads[language].declare(s, text, p) {
			return []wire.Location{p}
		}
	}
	return nil
}

// scopeAt is the scope of the line that a place begins on.
func scopeAt(s *session.Session, text *source.Text, p wire.Location) int {
	line, _, ok := s.Place(text, p.Range.Start)
	if !ok {
		return 0
	}
	return ScopeOf(text, line)
}

// ScopeOf returns the line that the indentation of a line makes it belong to: the nearest one above that is indented less,
// blank lines and comments aside; 0 for none.
func ScopeOf(c *source.Text, n int) int {
	indent := func(n int) int {
		line, _ := c.Line(n)
		text := bytes.TrimLeft(line, " \t")
		if len(text) == 0 || text[0] == '#' || text[0] == '*' || bytes.HasPrefix(text, []byte("//")) || bytes.HasPrefix(text, []byte("/*")) {
			return -1
		}
		return len(line) - len(text)
	}
	own := indent(n)
	for n--; n > 0 && own > 0; n-- {
		if in := indent(n); in >= 0 && in < own {
			return n
		}
	}
	return 0
}
