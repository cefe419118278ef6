package c

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// Weak, so that the trial link of this package alone needs no grammar.
extern const void *tree_sitter_c(void) __attribute__((weak));
extern const void *tree_sitter_cpp(void) __attribute__((weak));
*/
import "C"

import (
	"bytes"
	"context"
	"strings"
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/c"   // the grammar's objects
	_ "github.com/smacker/go-tree-sitter/cpp" // the grammar's objects

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// version is the feature version of the C and C++ facts.   1: first.   2: pointers, and more macros.   3: macros before
// constructors and around blocks, lengths of arrays, specialisations.   4: what may not be changed, and types of
// more literals and results.
const version = 4

var (
	cGrammar   = core.NewGrammar("c", "int f(void) { return 1; }\n", func() unsafe.Pointer { return C.tree_sitter_c() })
	cppGrammar = core.NewGrammar("cpp", "class A { int f() const; };\n", func() unsafe.Pointer { return C.tree_sitter_cpp() })
)

// Frontends gives the front ends of C and C++, by name. Both make the same facts under the same rules: headers belong to both.
func Frontends() []lang.Frontend {
	language := func(name string, extensions ...string) lang.Frontend {
		return core.Language{
			Name: name, Extensions: extensions, Version: version, Rules: rules,
			Parse: func(ctx context.Context, path string, src []byte) (*lang.Facts, error) {
				// A header is read with the grammar that its bytes ask for.
				cpp := name == "cpp" || !strings.HasSuffix(strings.ToLower(path), ".c") && speaksCpp(src)
				g := cGrammar
				if cpp {
					g = cppGrammar
				}
				s := preprocess(src, cpp)
				return g.Facts(ctx, s.out, func(t *core.Tree) *lang.Facts { return parse(t, s) })
			},
			Resolver: newModules,
		}.Frontend()
	}
	return []lang.Frontend{
		language("c", ".c", ".h"),
		language("cpp", ".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp", ".tcc", ".cu", ".cuh"),
	}
}

// speaksCpp tells a C++ header by words that open a line in C++ only, outside of comments.
func speaksCpp(src []byte) bool {
	for line := range bytes.Lines(src) {
		if i := bytes.Index(line, []byte("//")); i >= 0 {
			line = line[:i]
		}
		line = bytes.TrimSpace(line)
		if i := bytes.Index(line, []byte("::")); i > 0 && i+2 < len(line) && isIdent(line[i-1]) && (isIdent(line[i+2]) || line[i+2] == '~') &&
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
			if strings.HasSuffix(w, " ") && (len(rest) == 0 || !isIdent(rest[0]) && rest[0] != '{' && rest[0] != '<' && rest[0] != ':') {
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
