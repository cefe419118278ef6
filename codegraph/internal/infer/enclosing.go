package infer

import (
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// classAround gives the class whose method is around a scope, and whether that method has no instance.
func (ns *names) classAround(f *symtab.File, scope int32) (class int32, static, ok bool) {
	for s := scope; s != lang.File; s = f.Facts.Decls[s].Parent {
		d := &f.Facts.Decls[s]
		if d.Kind == lang.Class {
			return f.IDs[s], true, true // in the class body itself
		}
		if d.Receiver != "" && d.Owner != lang.None && f.Rules.Includes {
			for _, v := range ns.ev.eval(f, d.Owner) {
				if v.Kind == value.Class {
					return v.A, d.Flags&lang.Static != 0, true
				}
			}
		}
		if f.InClass(d) && d.Kind == lang.Function {
			return f.IDs[d.Parent], d.Flags&(lang.Static|lang.ClassMethod) != 0, true
		}
	}
	return 0, false, false
}

// isReceiver tells whether a name is the receiver parameter of the innermost method around it.
func (ns *names) isReceiver(f *symtab.File, x lang.Expr) bool {
	for s := x.Scope; s != lang.File; s = f.Facts.Decls[s].Parent {
		n := f.Lookup(s, x.Name)
		if n == nil {
			continue
		}
		return n.Param >= 0 && f.Facts.Decls[s].Params[n.Param].Kind == lang.Receiver
	}
	return false
}

// constant tells whether the function around a scope is a method that may not change its receiver.
func (ns *names) constant(f *symtab.File, scope int32) bool {
	for s := scope; s != lang.File; s = f.Facts.Decls[s].Parent {
		switch d := &f.Facts.Decls[s]; d.Kind {
		case lang.Function:
			return d.Flags&lang.Const != 0
		case lang.Class:
			return false
		}
	}
	return false
}

// bindsName tells whether something around a scope binds a name, though nothing is known of it.
func (ns *names) bindsName(f *symtab.File, scope int32, name string) bool {
	for s := scope; ; s = f.Facts.Decls[s].Parent {
		if f.Lookup(s, name) != nil {
			return true
		}
		if s == lang.File {
			return false
		}
	}
}

// packageDecls lists the top-level declarations of a name in f and in the files that share its scope.
func (ns *names) packageDecls(f *symtab.File, name string) []int32 {
	var out []int32
	ns.deps.find(f, lang.File, name) // a token for all siblings
	add := func(f *symtab.File) {
		if n := f.Lookup(lang.File, name); n != nil {
			for _, d := range f.Symbols.Decls(n) {
				out = append(out, f.IDs[d])
			}
		}
	}
	add(f)
	if f.Rules.PackageScope {
		for _, o := range ns.modules.Siblings(f) {
			add(o)
		}
	}
	return out
}

// owners lists what the receiver of a method written outside of its class may be.
func (ns *names) owners(f *symtab.File, d *lang.Decl) []int32 {
	var out []int32
	if d.Owner == lang.None {
		for _, c := range ns.packageDecls(f, d.Receiver) {
			if ns.prog.Decls[c].Decl().Kind == lang.Class {
				return append(out, c)
			}
		}
		return nil
	}
	for _, v := range ns.ev.eval(f, d.Owner) {
		if v.Kind == value.Class {
			out = append(out, v.A)
		}
	}
	return out
}

// ownClass gives the class whose attribute a binding in one of its methods sets on the receiver.
func (ns *names) ownClass(f *symtab.File, b *lang.Binding) (int32, bool) {
	if x := f.Expr(b.Target); b.Kind != lang.Assign || x.Op != lang.OpThis && (x.Op != lang.OpName || !ns.isReceiver(f, x)) {
		return 0, false
	}
	c, _, ok := ns.classAround(f, b.Scope)
	return c, ok
}
