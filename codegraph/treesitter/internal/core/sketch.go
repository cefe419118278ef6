package core

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A Sketch is a tree that is being turned into facts, with the sketches of values and types that several languages make.
type Sketch struct {
	*Tree
	B lang.Builder
}

// External gives the expression of a type from outside of the repository, or of its value.
func (s *Sketch) External(name string) int32 { return s.B.Leaf(lang.OpExternal, lang.File, name) }

// Unknown gives an expression of which nothing is known.
func (s *Sketch) Unknown() int32 { return s.B.Leaf(lang.OpUnknown, lang.File, "") }

// OrUnknown gives an expression where there may be none.
func (s *Sketch) OrUnknown(x int32) int32 {
	if x == lang.None {
		return s.Unknown()
	}
	return x
}

// Module gives the sketch of a module that the resolver knows by a name.
func (s *Sketch) Module(name string) int32 { return s.B.Leaf(lang.OpModule, lang.File, name) }

// Instance gives an instance of a type.
func (s *Sketch) Instance(t int32) int32 { return s.B.Of(lang.OpInstance, t, "") }

// List gives a container of the kind of op with these elements.
func (s *Sketch) List(op lang.Op, xs ...int32) int32 { return s.B.Many(op, Args(xs...)) }

// Else gives the sketch of x, or y where x leads nowhere in the repository.
func (s *Sketch) Else(x, y int32) int32 {
	return s.B.Expr(lang.Expr{Op: lang.OpElse, X: x, Scope: lang.File, Args: Args(y)})
}

// Apply gives a generic type with its arguments.
func (s *Sketch) Apply(x int32, name string, args []lang.Arg) int32 {
	return s.B.Expr(lang.Expr{Op: lang.OpApply, X: x, Scope: lang.File, Name: name, Args: args})
}

// TypeParam gives the sketch of the type parameter numbered i of a class, with what bounds it, or None.
func (s *Sketch) TypeParam(class int32, i int, bound int32) int32 {
	e := lang.Expr{Op: lang.OpParam, X: class, Scope: lang.File, Name: strconv.Itoa(i)}
	if bound != lang.None {
		e.Args = Args(bound)
	}
	return s.B.Expr(e)
}

// Op gives what an expression is; the operation of none is unknown.
func (s *Sketch) Op(x int32) lang.Op {
	if x == lang.None {
		return lang.OpUnknown
	}
	return s.B.Facts.Exprs[x].Op
}

// Declared gives a declaration. It is good until the next one is added.
func (s *Sketch) Declared(d int32) *lang.Decl { return &s.B.Facts.Decls[d] }

// In tells whether a scope is that of a declaration of one of the kinds.
func (s *Sketch) In(scope int32, kinds ...lang.DeclKind) bool {
	return scope != lang.File && slices.Contains(kinds, s.Declared(scope).Kind)
}

// Import adds an import.
func (s *Sketch) Import(m lang.Import) { s.B.Facts.Imports = append(s.B.Facts.Imports, m) }

// Ref adds a reference at a node; there is none without an expression.
func (s *Sketch) Ref(kind lang.RefKind, at, scope, x int32, name string) {
	if at >= 0 && x != lang.None {
		s.RefAt(lang.Ref{Kind: kind, Scope: scope, X: x, Decl: lang.None, Name: name}, s.Start(at), s.End(at))
	}
}

// RefAt adds a reference that stands between two offsets.
func (s *Sketch) RefAt(r lang.Ref, start, end int32) {
	at := s.Span(start, end)
	r.Name, r.Line, r.Col, r.EndLine, r.EndCol = strings.Clone(r.Name), at.Line, at.Col, at.EndLine, at.EndCol
	s.B.Facts.Refs = append(s.B.Facts.Refs, r)
}

// Quiet gives what f gives, and drops the references that it adds.
func (s *Sketch) Quiet(f func() int32) int32 {
	refs := len(s.B.Facts.Refs)
	x := f()
	s.B.Facts.Refs = s.B.Facts.Refs[:refs]
	return x
}

// Facts gives what was gathered, as the facts of a language.
func (s *Sketch) Facts(language string) *lang.Facts {
	f := &s.B.Facts
	f.Lang, f.Errors, f.Lines = language, s.Errors, int32(len(s.lines))
	if f.Lines > 1 && s.lines[f.Lines-1] == int32(len(s.Src)) {
		f.Lines--
	}
	return f
}

// Args makes positional arguments, or elements.
func Args(xs ...int32) []lang.Arg {
	args := make([]lang.Arg, len(xs))
	for i, x := range xs {
		args[i].X = x
	}
	return args
}

// Arg gives positional argument i, or None.
func Arg(args []lang.Arg, i int) int32 {
	if i < 0 || i >= len(args) || args[i].Name != "" || args[i].Spread {
		return lang.None
	}
	return args[i].X
}

// Nth gives expression i of a list, or None.
func Nth(xs []int32, i int) int32 {
	if i < 0 || i >= len(xs) {
		return lang.None
	}
	return xs[i]
}

// Param gives a parameter of which nothing is known but its name.
func Param(name string) lang.Param { return lang.Param{Name: name, Type: lang.None, Def: lang.None} }

// Map gives what f makes of each node.
func Map(nodes iter.Seq[int32], f func(n int32) int32) []int32 {
	var out []int32
	for n := range nodes {
		out = append(out, f(n))
	}
	return out
}
