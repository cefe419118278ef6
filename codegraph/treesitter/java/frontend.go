package java

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
// Weak, so that the trial link of this package alone needs no grammar.
extern const void *tree_sitter_java(void) __attribute__((weak));
*/
import "C"

import (
	"context"
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/java" // the grammar's objects

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// version is the feature version of the Java facts.   1: first.   2: type parameters.
const version = 2

var grammar = core.NewGrammar("java", "class A { int f() { return 1; } }\n", func() unsafe.Pointer { return C.tree_sitter_java() })

// Frontends gives the front end of Java.
func Frontends() []lang.Frontend {
	return []lang.Frontend{core.Language{
		Name: "java", Extensions: []string{".java"}, Version: version, Rules: rules,
		Parse: func(ctx context.Context, _ string, src []byte) (*lang.Facts, error) {
			return grammar.Facts(ctx, src, parse)
		},
		Resolver: newModules,
	}.Frontend()}
}
