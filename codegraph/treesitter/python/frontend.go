package python

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// Weak, so that the trial link of this package alone needs no grammar.
extern const void *tree_sitter_python(void) __attribute__((weak));
*/
import "C"

import (
	"context"
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/python" // the grammar's objects

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// version is the feature version of the Python facts.   1: first.   2: variables by place, mentions, library functions that pass values on.   3: patterns, bounds, mentions of a head.   4: sums, containers of the library, setattr.   5: rest parameters, names concatenated at run time.   6: stubs of overloads.
const version = 6

var grammar = core.NewGrammar("python", "def f(x):\n    return x\n", func() unsafe.Pointer { return C.tree_sitter_python() })

// Frontends gives the front end of Python.
func Frontends() []lang.Frontend {
	return []lang.Frontend{core.Language{
		Name: "python", Extensions: []string{".py", ".pyi"}, Version: version, Rules: rules,
		Parse: func(ctx context.Context, _ string, src []byte) (*lang.Facts, error) {
			return grammar.Facts(ctx, src, parse)
		},
		Resolver: func(t lang.Tree) lang.Resolver {
			return &modules{t: t, tops: map[string]string{}, found: core.Memo[query]{}}
		},
	}.Frontend()}
}
