package rust

import (
	"context"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A walker turns the tree of one file into facts, and the small trees of what stands in macro calls.
type walker struct {
	scopes
	genericFields map[string]int32   // what fields whose type is a type parameter hold in the impl under way
	assoc         map[string]int32   // associated types of the impl under way
	test          bool               // within test code
	inline        map[int32][]string // namespaces, with their path in the file
	moduleDecls   []string           // modules in files of their own, as the resolver reads them
}

func parse(ctx context.Context, t *core.Tree) (*lang.Facts, error) {
	t.IndexLines(t.Src)
	p := &walker{inline: map[int32][]string{}}
	p.syntax = syntax{Sketch: core.Sketch{Tree: t}, ctx: ctx, budget: 4*len(t.Src) + 1<<16}
	p.known, p.invoked, p.fieldParams = map[string]bool{}, map[string]bool{}, map[string]map[string]int{}
	p.mods, p.nested, p.useNames, p.globUses = map[scopedName]int32{}, map[scopedName]int32{}, map[scopedName]bool{}, map[int32]bool{}
	p.types, p.self = map[string]int32{}, lang.None
	p.external = p.External("")
	p.unknown = p.Unknown()
	p.scan()
	if len(t.Nodes) > 0 {
		p.items(0, lang.File)
	}
	p.B.Facts.Package = strings.Join(p.moduleDecls, " ")
	return p.Facts("rust"), p.err
}
