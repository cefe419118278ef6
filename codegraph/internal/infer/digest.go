package infer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// A digest sums up what the equations of a file are made of, without lines and without the numbers that shift when something
// is inserted above. Equations of equal digests over equal inputs have equal solutions.
type digest struct {
	exprs     []uint64                     // by expression
	decls     []uint64                     // by declaration
	names     map[symtab.ScopedName]uint64 // what binds a name
	results   map[int32]uint64             // by declaration: what it returns
	orders    map[int32]uint64             // by class: its bases
	passes    uint64                       // what is passed on to importers explicitly, and star imports
	methods   map[string]uint64            // by name
	attrs     map[attrKey]bool             // attributes that methods of their class set
	wildcards map[int32]uint64             // by scope, as scopeID: what is brought in as a whole
}

func mix(h uint64, v uint64) uint64 {
	h ^= v
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

func mixString(h uint64, s string) uint64 {
	f := uint64(14695981039346656037)
	for i := range len(s) {
		f = (f ^ uint64(s[i])) * 1099511628211
	}
	return mix(mix(h, f), uint64(len(s)))
}

type digester struct {
	in     *Inference
	moving bool // what imports lead to is a part of it
	f      *symtab.File
	d      *digest
}

// digest sums up a file as it is linked now.
func (in *Inference) digest(f *symtab.File, moving bool) *digest {
	g := digester{in, moving, f, &digest{exprs: make([]uint64, f.Table.Len()), decls: make([]uint64, len(f.Facts.Decls)), names: map[symtab.ScopedName]uint64{},
		results: map[int32]uint64{}, orders: map[int32]uint64{}, methods: map[string]uint64{}, attrs: map[attrKey]bool{}, wildcards: map[int32]uint64{}}}
	d := g.d
	// Declarations hold expressions and expressions declarations: first the latter by number alone.
	for x := range f.Table.Len() {
		d.exprs[x] = g.expr(int32(x))
	}
	for i := range f.Facts.Decls {
		d.decls[i] = g.decl(int32(i))
	}
	g.settle(func(x int32, h uint64) uint64 { // functions without name are what they are made of
		if e := f.Expr(x); e.Op == lang.OpDecl {
			h = mix(h, d.decls[e.Decl])
		}
		return h
	})
	same := map[uint64]uint64{}
	g.settle(func(x int32, h uint64) uint64 { // containers are told apart, even those that hold the same
		switch op := f.Table.Op(x); {
		case op == lang.OpList, op == lang.OpDict, op == lang.OpTuple, op == lang.OpApply, op == lang.OpCall && f.Rules.Outside != nil:
			same[h]++
			h = mix(h, same[h])
		}
		return h
	})
	for s := range f.Wildcards {
		d.wildcards[f.ScopeID(s)] = g.wildcards(s)
	}
	for i := range f.Symbols.List {
		n := &f.Symbols.List[i]
		d.names[symtab.ScopedName{Scope: n.Scope, Name: n.Name}] = g.named(n.Scope, n)
	}
	for i := range f.Facts.Bindings {
		b := &f.Facts.Bindings[i]
		switch b.Kind {
		case lang.Return, lang.Yield, lang.ReturnType:
			if b.Scope == lang.File {
				continue
			}
			h := mix(g.ref(b.Value), uint64(b.Kind))
			for r := range choices([]exprRef{{f, b.Value}}) {
				if p, ok := ownParam(f.Decl(b.Scope), r); ok {
					h = mix(h, uint64(p)+7)
				}
			}
			d.results[b.Scope] = mix(d.results[b.Scope], h)
		}
		if b.Target != lang.None {
			if c, ok := in.names.ownClass(f, b); ok {
				d.attrs[attrKey{c, b.Name}] = true
			}
		}
	}
	for i := range f.Facts.Decls {
		c := &f.Facts.Decls[i]
		if c.Kind == lang.Class {
			h := uint64(1)
			for _, x := range c.Bases {
				h = mix(h, g.ref(x))
			}
			d.orders[int32(i)] = h
		}
		if c.Kind == lang.Function && (c.Receiver != "" || f.InClass(c)) {
			d.methods[c.Name] = mix(d.methods[c.Name], uint64(f.IDs[i])+1)
		}
		if c.Flags&lang.DefaultExport != 0 {
			d.passes = mix(d.passes, uint64(f.IDs[i])+3)
		}
	}
	for i := range f.Facts.Imports {
		if m := &f.Facts.Imports[i]; m.As != "" || m.Name == "*" {
			d.passes = mix(d.passes, g.imported(int32(i)))
		}
	}
	for k, h := range d.names {
		if k.Scope == lang.File && (k.Name == "exports" || k.Name == "module.exports" || strings.HasPrefix(k.Name, "exports.")) {
			d.passes += h // in no order
		}
	}
	d.passes = mix(d.passes, g.wildcards(lang.File))
	return d
}

// settle sums up every expression once more: by itself, and by those it points to, which stand before it.
func (g *digester) settle(own func(x int32, h uint64) uint64) {
	for x := range g.f.Table.Len() {
		e := g.f.Expr(int32(x))
		h := mix(own(int32(x), g.d.exprs[x]), g.ref(e.X))
		for _, a := range e.Args {
			h = mix(h, g.ref(a.X))
		}
		g.d.exprs[x] = h
	}
}

func (g *digester) scope(s int32) uint64 { return uint64(int64(g.f.ScopeID(s)) + 1<<40) }

func (g *digester) ref(x int32) uint64 {
	if x == lang.None {
		return 11
	}
	return g.d.exprs[x]
}

func (g *digester) wildcards(s int32) uint64 {
	h := uint64(13)
	for _, x := range g.f.Wildcards[g.f.Space(s)] {
		h = mix(h, g.ref(x))
	}
	return h
}

func (g *digester) imported(i int32) uint64 {
	m := &g.f.Facts.Imports[i]
	h := mixString(mixString(mixString(mixString(mix(17, uint64(m.Level)), m.Module), m.Name), m.Alias), m.As)
	if m.Dotted {
		h++
	}
	if g.moving {
		n, ok := g.in.modules.Import(g.f, i)
		h = mix(h, answer(n, ok))
		if m.Dotted {
			n, ok = g.in.modules.First(g.f, i)
			h = mix(h, answer(n, ok))
		}
	}
	return h
}

// answer sums up what a resolver says.
func answer(module int32, ok bool) uint64 {
	if !ok {
		return 41
	}
	return uint64(module) + 43
}

// expr sums up an expression by those it points to, which stand before it.
func (g *digester) expr(x int32) uint64 {
	f := g.f
	e := f.Expr(x)
	h := mixString(mix(uint64(e.Op)+19, g.ref(e.X)), e.Name)
	switch e.Op {
	case lang.OpDecl:
		h = mix(h, uint64(f.IDs[e.Decl]))
	case lang.OpName, lang.OpThis, lang.OpSuper:
		h = mix(h, g.scope(e.Scope))
		for s := e.Scope; s != lang.File; s = f.Facts.Decls[s].Parent { // where it is found, and what decides that
			c := &f.Facts.Decls[s]
			h = mix(mix(h, g.scope(s)), uint64(c.Kind)<<32|uint64(c.Flags))
			if f.Lookup(s, e.Name) != nil {
				h = mix(h, 23)
			}
			if len(f.Wildcards) > 0 {
				h = mix(h, g.wildcards(s))
			}
		}
		if f.Lookup(lang.File, e.Name) == nil { // star imports are asked
			h = mix(h, 29)
			for _, i := range f.Stars {
				h = mix(h, g.imported(i))
			}
			h = mix(h, g.wildcards(lang.File))
		}
	case lang.OpModule:
		if g.moving {
			n, ok := g.in.modules.Named(f, e.Name)
			h = mix(h, answer(n, ok))
		}
		fallthrough
	default:
		if e.Scope != lang.File {
			h = mix(h, g.scope(e.Scope))
		}
	}
	for _, a := range e.Args {
		h = mixString(mix(h, g.ref(a.X)), a.Name)
		if a.Spread {
			h++
		}
	}
	return h
}

func (g *digester) decl(i int32) uint64 {
	c := &g.f.Facts.Decls[i]
	h := mixString(mixString(mixString(mix(mix(31, uint64(c.Kind)<<32|uint64(c.Flags)), g.scope(c.Parent)), c.Name), c.Receiver), c.Qualifier)
	h = mix(mix(h, g.ref(c.Owner)), g.ref(c.Elem))
	for _, x := range slices.Concat(c.Bases, c.Decorated) {
		h = mix(h, g.ref(x))
	}
	for _, p := range c.Params {
		h = mix(mix(mix(mixString(h, p.Name), uint64(p.Kind)), g.ref(p.Type)), g.ref(p.Def))
	}
	if g.in.results.fluent[g.f.IDs[i]] {
		h++
	}
	return mixString(h, c.Signature) // interfaces are compared by it
}

func (g *digester) named(scope int32, n *symtab.Symbol) uint64 {
	f := g.f
	h := mix(37, uint64(int64(n.Param)+1))
	if scope != lang.File && n.Param >= 0 {
		p := &f.Facts.Decls[scope].Params[n.Param]
		h = mix(mix(mix(mix(h, uint64(p.Kind)), g.ref(p.Type)), g.ref(p.Def)), uint64(f.Facts.Decls[scope].Flags))
	}
	for _, d := range f.Symbols.Decls(n) {
		h = mix(mix(h, uint64(f.IDs[d])), g.d.decls[d])
	}
	for _, i := range f.Symbols.Imports(n) {
		h = mix(h, g.imported(i))
	}
	for _, i := range f.Symbols.Binds(n) {
		b := &f.Facts.Bindings[i]
		h = mix(mix(mix(h, uint64(b.Kind)), g.ref(b.Value)), g.ref(b.Target))
	}
	return h
}
