package rust

import (
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
)

// A sketch builds the sketches of values and types, and records references.
type sketch struct {
	syntax
	external, unknown int32
}

// says tells whether something of the repository is known of a value.
func (p *sketch) says(x int32) bool { return x != lang.None && x != p.external && x != p.unknown }

func (p *sketch) tuple(xs ...int32) int32 { return p.List(lang.OpTuple, xs...) }

// part gives the sketch of a numbered part of a container; see the table of containers.
func (p *sketch) part(x int32, key string) int32 {
	if x == p.unknown || x == p.external {
		return x
	}
	return p.B.Of(lang.OpIndex, x, key)
}

// payload gives what is in an Option, a Result, a list, a lock; of what is none of them, the thing itself.
func (p *sketch) payload(x int32) int32 { return p.orElse(p.part(x, "0"), x) }

// element gives what iterating over a value gives.
func (p *sketch) element(x int32) int32 {
	if x == lang.None {
		return x
	}
	next := p.part(p.B.Call(p.B.Of(lang.OpAttr, x, "next"), nil), "0")
	iter := p.B.Call(p.B.Of(lang.OpAttr, x, "into_iter"), nil)
	return p.orElse(p.part(x, "0"), p.orElse(next, p.orElse(p.part(iter, "0"), p.part(p.B.Call(p.B.Of(lang.OpAttr, iter, "next"), nil), "0"))))
}

// fieldOf gives a field of a value, by name or by number.
func (p *sketch) fieldOf(x int32, name string) int32 {
	a := p.B.Of(lang.OpAttr, x, name)
	if a != lang.None && name != "" && name[0] >= '0' && name[0] <= '9' {
		return p.orElse(a, p.part(x, name))
	}
	return a
}

// partOf gives a field of a struct, or of a variant of an enum.
func (p *sketch) partOf(class int32, variant, field string) int32 {
	if class == lang.None {
		return class
	}
	return p.orElse(p.B.Of(lang.OpAttr, class, variant+"."+field), p.B.Of(lang.OpAttr, class, field))
}

// instance gives an instance of the type of a sketch.
func (p *sketch) instance(x int32) int32 {
	if x == p.external || x == p.unknown {
		return x
	}
	return p.Instance(x)
}

// orElse gives the sketch of x, or y where x leads nowhere in the repository.
func (p *sketch) orElse(x, y int32) int32 {
	switch {
	case x == lang.None || x == p.unknown:
		return y
	case y == lang.None || y == x:
		return x
	}
	return p.Else(x, y)
}

// informative leaves out what is outside or unknown, if there is anything else.
func (p *sketch) informative(xs []int32) []int32 {
	if !slices.ContainsFunc(xs, p.says) {
		return xs
	}
	return slices.DeleteFunc(xs, func(x int32) bool { return !p.says(x) })
}

// ref records a reference to something of the repository. A call has the expression of the whole call.
func (p *sketch) ref(kind lang.RefKind, at, scope, x int32, name string) {
	if x != p.unknown && x != p.external {
		p.Ref(kind, at, scope, x, name)
	}
}
