package lint

import (
	"go/types"
	"testing"
)

// adapters may name the types of the product that they adapt.
var adapters = map[string]bool{"skill/claude": true, "skill/openai": true, "examples/serve/api/findspotv1": true, "examples/serve/api/findspotv1/findspotv1connect": true, "examples/serve/mcphandler": true}

// TestExportedTypes makes sure that no exported signature of a public package names a type of another module, so that what
// we build on can change without a break.
func TestExportedTypes(t *testing.T) {
	g := load(t)
	for _, p := range g.Own() {
		if !p.Public() || adapters[p.Room()] {
			continue
		}
		pkg, err := g.Types(p.ImportPath)
		if err != nil {
			t.Errorf("%s: %v", p.Room(), err)
			continue
		}
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if !obj.Exported() {
				continue
			}
			f := &foreign{graph: g, seen: map[types.Type]bool{}}
			if tn, ok := obj.(*types.TypeName); ok && !tn.IsAlias() {
				f.declaration(tn.Type())
			} else {
				f.use(obj.Type())
			}
			for _, bad := range f.found {
				t.Errorf("%s.%s names %s", p.Room(), name, bad)
			}
		}
	}
}

// foreign gathers the types of other modules that an exported declaration shows.
type foreign struct {
	graph *Graph
	seen  map[types.Type]bool
	found []string
}

// declaration looks at what a named type of ours shows: its exported fields and methods.
func (f *foreign) declaration(typ types.Type) {
	named, ok := typ.(*types.Named)
	if !ok {
		f.use(typ)
		return
	}
	f.use(named.Underlying())
	for m := range named.Methods() {
		if m.Exported() {
			f.use(m.Type())
		}
	}
}

// use looks at a type where it is written.
func (f *foreign) use(typ types.Type) {
	if f.seen[typ] {
		return
	}
	f.seen[typ] = true
	switch typ := typ.(type) {
	case *types.Named:
		if pkg := typ.Obj().Pkg(); pkg != nil {
			if p := f.graph.Packages[pkg.Path()]; p != nil && !p.Standard && !p.Own() {
				f.found = append(f.found, typ.String())
			}
		}
		for arg := range typ.TypeArgs().Types() {
			f.use(arg)
		}
	case *types.Alias:
		f.use(types.Unalias(typ))
	case *types.Pointer:
		f.use(typ.Elem())
	case *types.Slice:
		f.use(typ.Elem())
	case *types.Array:
		f.use(typ.Elem())
	case *types.Chan:
		f.use(typ.Elem())
	case *types.Map:
		f.use(typ.Key())
		f.use(typ.Elem())
	case *types.Signature:
		f.use(typ.Params())
		f.use(typ.Results())
	case *types.Tuple:
		for v := range typ.Variables() {
			f.use(v.Type())
		}
	case *types.Struct:
		for v := range typ.Fields() {
			if v.Exported() {
				f.use(v.Type())
			}
		}
	case *types.Interface:
		for m := range typ.Methods() {
			if m.Exported() {
				f.use(m.Type())
			}
		}
	}
}
