package rust

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// Weak, so that the trial link of this package alone needs no grammar.
extern const void *tree_sitter_rust(void) __attribute__((weak));
*/
import "C"

import (
	"context"
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/rust" // the grammar's objects

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// version is the feature version of the Rust facts.   1: first.   2: methods of one name in several traits are distinct.   3: calls of methods in macros.   4: type parameters.
const version = 4

var grammar = core.NewGrammar("rust", "fn f(x: u8) -> u8 { x }\n", func() unsafe.Pointer { return C.tree_sitter_rust() })

// Frontends gives the front end of Rust.
func Frontends() []lang.Frontend {
	return []lang.Frontend{core.Language{
		Name: "rust", Extensions: []string{".rs"}, Version: version, Rules: rules,
		Parse: func(ctx context.Context, _ string, src []byte) (*lang.Facts, error) {
			t, err := grammar.Parse(ctx, src)
			if err != nil {
				return nil, err
			}
			return parse(ctx, t)
		},
		Resolver: newModules,
	}.Frontend()}
}
