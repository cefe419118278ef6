package javascript

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// Weak, so that the trial link of this package alone needs no grammar.
extern const void *tree_sitter_javascript(void) __attribute__((weak));
extern const void *tree_sitter_typescript(void) __attribute__((weak));
extern const void *tree_sitter_tsx(void) __attribute__((weak));
*/
import "C"

import (
	"context"
	"strings"
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/javascript"            // the grammar's objects
	_ "github.com/smacker/go-tree-sitter/typescript/tsx"        // the grammar's objects
	_ "github.com/smacker/go-tree-sitter/typescript/typescript" // the grammar's objects

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// version is the feature version of the JavaScript and TypeScript facts.   1: first.   2: lexical scopes, types, references.   3: overloads are one.   4: members set to nothing, the exports of a module.   5: old casts.   6: type arguments.
const version = 6

var (
	jsGrammar  = core.NewGrammar("javascript", "const f = () => <a/>;\n", func() unsafe.Pointer { return C.tree_sitter_javascript() })
	tsGrammar  = core.NewGrammar("typescript", "let x: number = 1;\n", func() unsafe.Pointer { return C.tree_sitter_typescript() })
	tsxGrammar = core.NewGrammar("tsx", "let x: number = <a/>;\n", func() unsafe.Pointer { return C.tree_sitter_tsx() })
)

// Frontends gives the front ends of JavaScript and TypeScript, by name.
func Frontends() []lang.Frontend {
	language := func(name string, extensions ...string) lang.Frontend {
		return core.Language{
			Name: name, Extensions: extensions, Version: version, Rules: rules,
			Parse: func(ctx context.Context, path string, src []byte) (*lang.Facts, error) {
				g := jsGrammar
				if name == "typescript" {
					g = tsGrammar
					if strings.HasSuffix(strings.ToLower(path), ".tsx") {
						g = tsxGrammar
					}
				}
				return g.Facts(ctx, src, func(t *core.Tree) *lang.Facts { return parse(t, name) })
			},
			Resolver: newModules,
		}.Frontend()
	}
	return []lang.Frontend{
		language("javascript", ".js", ".jsx", ".mjs", ".cjs"),
		language("typescript", ".ts", ".tsx", ".mts", ".cts"),
	}
}
