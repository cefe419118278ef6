package rust

import (
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A scopes is the lexical scopes around the place: local variables and type parameters. They are resolved here: a name in a sketch is that of
// an item.
type scopes struct {
	paths
	vars  core.Names[int32] // local variables, with their values
	types map[string]int32  // type parameters, with what bounds them
	self  int32             // the type that Self means, or None
}

// declareVar gives a variable its value from here on.
func (p *scopes) declareVar(name string, x int32) {
	if name == "_" || name == "" {
		return
	}
	if x == lang.None {
		x = p.unknown
	}
	p.vars.Add(name, x)
}

// scoped runs f and ends the variables it makes.
func (p *scopes) scoped(f func() int32) int32 {
	n := p.vars.Len()
	x := f()
	p.vars.Leave(n)
	return x
}

func (p *scopes) typeName(name string, scope int32) int32 {
	if name == "Self" {
		if p.self == lang.None {
			return p.unknown
		}
		return p.self
	}
	if x, ok := p.types[name]; ok {
		return x
	}
	if prelude[name] && !p.known[name] {
		return p.external
	}
	return p.B.Name(scope, name)
}
