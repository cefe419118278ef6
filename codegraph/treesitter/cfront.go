package treesitter

import (
	"bytes"
	"context"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph/lang"
)

// cVersion is the feature version of the C and C++ facts.   1: first.   2: pointers, and more macros.   3: macros before
// constructors and around blocks, lengths of arrays, specialisations.   4: what may not be changed, and types of
// more literals and results.
const cVersion = 4

var (
	cGrammar   = sync.OnceValues(func() (*grammar, error) { return loadGrammar(6, "c", "int f(void) { return 1; }\n") })
	cppGrammar = sync.OnceValues(func() (*grammar, error) { return loadGrammar(7, "cpp", "class A { int f() const; };\n") })
)

// A cFrontend reads C or C++. Both make the same facts under the same rules: headers belong to both.
type cFrontend struct {
	name string
	exts []string
}

func (f *cFrontend) Name() string                       { return f.name }
func (f *cFrontend) Extensions() []string               { return f.exts }
func (f *cFrontend) FeatureVersion() int                { return cVersion }
func (f *cFrontend) Rules() lang.Rules                  { return cRules }
func (f *cFrontend) Resolver(t lang.Tree) lang.Resolver { return newCModules(t) }

// Parse gives the facts of one file. A header is read with the grammar that its bytes ask for. See [lang.Frontend].
func (f *cFrontend) Parse(ctx context.Context, path string, src []byte) (*lang.Facts, error) {
	cpp := f.name == "cpp" || !strings.HasSuffix(strings.ToLower(path), ".c") && speaksCpp(src)
	load := cGrammar
	if cpp {
		load = cppGrammar
	}
	g, err := load()
	if err != nil {
		return nil, err
	}
	s := prepareC(src, cpp)
	t, err := g.parse(ctx, s.out)
	if err != nil {
		return nil, err
	}
	return parseC(t, s), nil
}

// speaksCpp tells a C++ header by words that open a line in C++ only, outside of comments.
func speaksCpp(src []byte) bool {
	for len(src) > 0 {
		line := src
		if i := bytes.IndexByte(src, '\n'); i >= 0 {
			line, src = src[:i], src[i+1:]
		} else {
			src = nil
		}
		if i := bytes.Index(line, []byte("//")); i >= 0 {
			line = line[:i]
		}
		line = bytes.TrimSpace(line)
		if i := bytes.Index(line, []byte("::")); i > 0 && i+2 < len(line) && cIdent(line[i-1]) && (cIdent(line[i+2]) || line[i+2] == '~') &&
			line[0] != '*' && line[0] != '/' && bytes.IndexByte(line[:i], '"') < 0 {
			return true
		}
		for _, w := range []string{"inline ", "FMT_EXPORT "} {
			line = bytes.TrimPrefix(line, []byte(w))
		}
		for _, w := range []string{"class ", "namespace ", "template<", "template <", "public:", "private:", "protected:", "using ", "friend ", "virtual ", "constexpr ",
			"std::", "explicit "} {
			if !bytes.HasPrefix(line, []byte(w)) {
				continue
			}
			rest := bytes.TrimSpace(line[len(w):])
			if strings.HasSuffix(w, " ") && (len(rest) == 0 || !cIdent(rest[0]) && rest[0] != '{' && rest[0] != '<' && rest[0] != ':') {
				continue
			}
			if w == "class " || w == "namespace " || w == "using " { // words of prose, too
				if last := line[len(line)-1]; last != '{' && last != '}' && last != ';' && last != ':' && bytes.Count(rest, []byte(" ")) > 1 {
					continue
				}
			}
			return true
		}
	}
	return false
}
