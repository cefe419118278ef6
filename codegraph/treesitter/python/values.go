package python

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A sketch builds the sketches of values: containers, texts, what functions of the library hand on. It knows nothing of scopes.
type sketch struct{ syntax }

// uniform gives a container all of whose elements are x.
func (p *sketch) uniform(x int32) int32 {
	return p.B.Expr(lang.Expr{Op: lang.OpDict, X: lang.None, Scope: lang.File, Name: "*", Args: []lang.Arg{{X: x}}})
}

// subset gives a container with some elements of x, in any order.
func (p *sketch) subset(x int32) int32 {
	if x == lang.None {
		return x
	}
	return p.uniform(p.B.Of(lang.OpElem, x, ""))
}

// copyOf gives a container with the elements of x.
func (p *sketch) copyOf(x int32) int32 {
	if x == lang.None {
		return x
	}
	return p.B.Many(lang.OpDict, []lang.Arg{{X: x, Spread: true}})
}

// held gives what a variable holds, where that is known, or the value itself.
func (p *sketch) held(x int32) int32 {
	for p.Op(x) == lang.OpHeld {
		x = p.B.Facts.Exprs[x].X
	}
	return x
}

// literal gives the elements of a list that is known whole.
func (p *sketch) literal(x int32) ([]lang.Arg, bool) {
	if x = p.held(x); p.Op(x) != lang.OpList {
		return nil, false
	}
	args := p.B.Facts.Exprs[x].Args
	return args, !slices.ContainsFunc(args, func(a lang.Arg) bool { return a.Spread })
}

// slice gives a part of a list: its elements in their order when all of it is known, else some of them. The end counts from that
// of the list when it is not above 0.
func (p *sketch) slice(x int32, from, to int) int32 {
	if args, ok := p.literal(x); ok {
		if to <= 0 {
			to += len(args)
		}
		if 0 <= from && from <= to && to <= len(args) && to-from <= maxSlice {
			return p.B.Many(lang.OpList, slices.Clone(args[from:to]))
		}
	}
	return p.subset(x)
}

func (p *sketch) instance(x int32) int32 {
	if p.Op(x) == lang.OpList { // except (A, B) as e
		var xs []int32
		for _, a := range p.B.Facts.Exprs[x].Args {
			xs = append(xs, p.Instance(a.X))
		}
		return p.B.Any(xs...)
	}
	return p.Instance(x)
}

// isConstant tells a value that is a text, a number or another constant.
func (p *sketch) isConstant(x int32) bool {
	return p.Op(x) == lang.OpString || p.Op(x) == lang.OpExternal
}

// isBuiltin tells a type of the language itself.
func (p *sketch) isBuiltin(x int32) bool {
	e := &p.B.Facts.Exprs[x]
	return e.Op == lang.OpName && rules.Builtins[e.Name]
}

// plainTypes say nothing of a value, or only that it is some function or class.
var plainTypes = core.Words("None Any object Callable Type type Hashable")

// generics are the names of generic types that are known by themselves.
var generics = core.Words(`Optional Annotated Final ClassVar Required NotRequired Awaitable Coroutine ContextManager AsyncContextManager AbstractContextManager
AbstractAsyncContextManager Union List list Sequence MutableSequence Iterable Iterator Set set FrozenSet frozenset AbstractSet MutableSet Collection
Deque deque Generator AsyncIterator AsyncIterable AsyncGenerator ValuesView Tuple tuple Dict dict Mapping MutableMapping DefaultDict OrderedDict
defaultdict ItemsView Type type Callable Literal TypeVar TypeGuard TypeIs`)

// genericType gives what a generic type of the library stands for, and false for others.
func (p *sketch) genericType(name string, args []int32) (int32, bool) {
	name = name[strings.LastIndexByte(name, '.')+1:]
	if !generics[name] {
		return lang.None, false
	}
	arg := func(i int) int32 { return core.Nth(args, i) }
	alike := func(x int32) int32 {
		if x == lang.None {
			return x
		}
		return p.uniform(p.Instance(x))
	}
	switch name {
	case "Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Awaitable", "ContextManager", "AsyncContextManager",
		"AbstractContextManager", "AbstractAsyncContextManager":
		return arg(0), true
	case "Coroutine":
		return arg(2), true
	case "Union":
		return p.B.Any(args...), true
	case "Tuple", "tuple":
		if len(args) == 2 && arg(1) == lang.None { // tuple[A, ...]
			return alike(arg(0)), true
		}
		var list []int32
		open, says := false, false
		for _, x := range args {
			list = append(list, p.Instance(x))
			open = open || x == lang.None
			says = says || x != lang.None && !p.isBuiltin(x)
		}
		if open && !says { // what is assigned tells more
			return lang.None, true
		}
		return p.List(lang.OpTuple, list...), true
	case "Dict", "dict", "Mapping", "MutableMapping", "DefaultDict", "OrderedDict", "defaultdict":
		return alike(arg(1)), true
	case "Type", "type":
		return p.B.Of(lang.OpTypeOf, arg(0), ""), true
	case "ItemsView", "Callable", "Literal", "TypeVar", "TypeGuard", "TypeIs":
		return lang.None, true
	}
	return alike(arg(0)), true
}

// library gives the result of classes and functions of the language's library that hold or hand on what they are given, or None.
func (p *sketch) library(name string, args []lang.Arg, arg func(int) int32) int32 {
	switch name {
	case "deque", "Queue", "LifoQueue", "PriorityQueue", "SimpleQueue", "WeakSet":
		if arg(0) == lang.None {
			return p.List(lang.OpList)
		}
		return p.copyOf(arg(0))
	case "OrderedDict", "WeakValueDictionary", "WeakKeyDictionary":
		if len(args) == 0 {
			return p.List(lang.OpDict)
		}
		return p.copyOf(arg(0))
	case "defaultdict":
		made := arg(0)
		if made == lang.None {
			return p.List(lang.OpDict)
		}
		switch e := &p.B.Facts.Exprs[made]; {
		case e.Op == lang.OpName && (e.Name == "list" || e.Name == "set"):
			made = p.List(lang.OpList)
		case e.Op == lang.OpName && (e.Name == "dict" || e.Name == "OrderedDict"):
			made = p.List(lang.OpDict)
		default:
			made = p.B.Call(made, nil)
		}
		return p.uniform(made)
	case "chain", "ChainMap", "merge":
		var list []lang.Arg
		for _, a := range args {
			list = append(list, lang.Arg{X: a.X, Spread: true})
		}
		return p.B.Many(lang.OpList, list)
	case "islice", "cycle", "from_iterable":
		return p.subset(arg(0))
	}
	return lang.None
}
