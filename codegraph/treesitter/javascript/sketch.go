package javascript

import (
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A sketch builds the sketches of values and types. It knows nothing of scopes.
type sketch struct{ syntax }

// listOf gives a list of any length with such elements.
func (s *sketch) listOf(x int32) int32 {
	if x == lang.None {
		return x
	}
	return s.B.Many(lang.OpList, []lang.Arg{{X: lang.None, Spread: true}, {X: x}})
}

// builtin gives the sketch of a generic type of the language itself.
func (s *sketch) builtin(name string, args []int32) (int32, bool) {
	arg := func(i int) int32 { return core.Nth(args, i) }
	inst := s.Instance
	switch name {
	case "Promise", "Readonly", "Partial", "Required", "NonNullable", "PromiseLike", "Awaited", "Pick", "Omit", "Exclude", "Extract", "WeakRef",
		"NoInfer", "ThisType":
		return arg(0), true
	case "InstanceType":
		return inst(arg(0)), true
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "WeakSet", "Iterable", "Iterator", "IterableIterator", "AsyncIterable", "AsyncIterator",
		"AsyncIterableIterator", "Generator", "AsyncGenerator", "ArrayLike":
		return s.listOf(inst(arg(0))), true
	case "Map", "ReadonlyMap", "WeakMap":
		return s.listOf(s.List(lang.OpTuple, inst(arg(0)), inst(arg(1)))), true
	case "Record":
		if x := inst(arg(1)); x != lang.None {
			return s.B.Many(lang.OpDict, []lang.Arg{{X: x}}), true
		}
		return lang.None, true
	case "ReturnType":
		return s.B.Of(lang.OpReturn, inst(arg(0)), ""), true
	}
	return 0, false
}

// apply gives a type its type arguments, where they say anything.
func (s *sketch) apply(x int32, args []int32) int32 {
	if x == lang.None {
		return x
	}
	if !slices.ContainsFunc(args, func(a int32) bool { return a != lang.None && s.Op(a) != lang.OpExternal }) {
		return x
	}
	return s.Apply(x, "", core.Args(args...))
}

// bindArg lets parameter i of a function expression take a value.
func (s *sketch) bindArg(fn int32, i int, x int32) {
	if x == lang.None || s.Op(fn) != lang.OpDecl {
		return
	}
	d := s.B.Facts.Exprs[fn].Decl
	if p := s.Declared(d).Params; i < len(p) && p[i].Type == lang.None && p[i].Kind == lang.Plain {
		s.B.Bind(lang.Assign, d, p[i].Name, x, s.Declared(d).Span.Line)
	}
}
