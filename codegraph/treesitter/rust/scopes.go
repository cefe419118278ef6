package rust

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A scopes is the lexical scopes around the place: local variables and type parameters. They are resolved here: a name in a sketch is that of
// an item.
type scopes struct {
	paths
	vars   map[string]int32 // a variable with its place in locals
	locals []local
	types  map[string]int32 // type parameters, with what bounds them
	self   int32            // the type that Self means, or None
}

type local struct {
	name string
	x    int32
	prev int32 // the place it hides, or -1
}

// declareVar gives a variable its value from here on.
func (p *scopes) declareVar(name string, x int32) {
	if name == "_" || name == "" {
		return
	}
	if x == lang.None {
		x = p.unknown
	}
	prev := int32(-1)
	if i, ok := p.vars[name]; ok {
		prev = i
	}
	name = strings.Clone(name)
	p.vars[name] = int32(len(p.locals))
	p.locals = append(p.locals, local{name, x, prev})
}

// variable gives the value of a local variable.
func (p *scopes) variable(name string) (int32, bool) {
	i, ok := p.vars[name]
	if !ok {
		return lang.None, false
	}
	return p.locals[i].x, true
}

// endScope ends the variables made since there were n.
func (p *scopes) endScope(n int) {
	for len(p.locals) > n {
		l := p.locals[len(p.locals)-1]
		p.locals = p.locals[:len(p.locals)-1]
		if l.prev < 0 {
			delete(p.vars, l.name)
		} else {
			p.vars[l.name] = l.prev
		}
	}
}

// scoped runs f and ends the variables it makes.
func (p *scopes) scoped(f func() int32) int32 {
	n := len(p.locals)
	x := f()
	p.endScope(n)
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
