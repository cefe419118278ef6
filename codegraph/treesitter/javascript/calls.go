package javascript

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// callee gives the sketch of what is called: unlike visit it does not count its name as mentioned.
func (s *walker) callee(n int32) int32 {
	for s.Is(n, "parenthesized_expression", "non_null_expression") {
		n = s.Child(n, 0)
	}
	if s.Is(n, "identifier") {
		return s.identifier(n)
	}
	return s.visit(n)
}

// call reads a call.
func (s *walker) call(n, fn int32) int32 {
	list := s.Field(n, "arguments")
	s.typ(s.Field(n, "type_arguments"))
	if s.Is(fn, "import") || s.Is(fn, "identifier") && s.Text(fn) == "require" {
		if spec := s.constant(s.Child(list, 0)); spec != "" && !s.binds("require") {
			s.Import(lang.Import{Scope: s.cur.decl, Module: spec, Line: s.Line(n)})
			return s.Module(spec)
		}
	}
	if s.Is(fn, "member_expression") && s.Is(list, "arguments") {
		return s.methodCall(n, fn, list)
	}
	callee := s.callee(fn)
	var args []lang.Arg
	if s.Is(list, "arguments") {
		args = s.args(list)
	} else {
		s.visit(list)
	}
	x := s.B.Call(callee, args)
	s.ref(lang.Call, fn, x, callee, lang.None)
	name := s.B.LastName(callee)
	if len(args) > 0 && wrappers[name] {
		return s.B.Any(args[0].X, x)
	}
	if (name == "inherits" || name == "extend") && len(args) == 2 {
		s.inherits(list)
	}
	return x
}

// inherits reads util.inherits(F, Base).
func (s *walker) inherits(list int32) {
	class, base := s.Child(list, 0), s.Child(list, 1)
	if s.Is(class, "identifier") && s.Is(base, "identifier", "member_expression") {
		s.Quiet(func() int32 {
			s.B.Set(lang.Extend, s.cur.decl, s.visit(class), "", s.visit(base), s.Line(list))
			return lang.None
		})
	}
}

// create reads "new X(...)".
func (s *walker) create(n int32) int32 {
	fn, list := s.Field(n, "constructor"), s.Field(n, "arguments")
	types := s.typeArgs(s.Field(n, "type_arguments"))
	callee := s.callee(fn)
	args := s.args(list)
	x := s.B.Call(s.apply(callee, types), args)
	s.ref(lang.Call, fn, x, callee, lang.None)
	name := s.Text(fn)
	switch name {
	case "Map", "Set", "WeakMap", "WeakSet", "Array", "WeakRef", "Promise":
	default:
		return x
	}
	switch {
	case !s.Is(fn, "identifier") || s.binds(name):
		return x
	case len(types) > 0:
		y, _ := s.builtin(name, types)
		if name == "Promise" || name == "WeakRef" {
			y = s.Instance(y)
		}
		return y
	case name == "Promise":
		return x
	case len(args) > 0 && name != "Array":
		return args[0].X
	}
	return s.List(lang.OpList)
}

// methodCall reads x.f(...). What the language's own containers and functions do with values is followed when their names
// are called: it counts only where x is a container, or where nothing else is known of it.
func (s *walker) methodCall(n, fn, list int32) int32 {
	obj, name := s.Field(fn, "object"), s.Text(s.Field(fn, "property"))
	switch name {
	case "call", "apply", "bind":
		return s.applied(fn, obj, name, list)
	}
	if s.Is(obj, "identifier") && libraryFunctions[s.Text(obj)+"."+name] && !s.binds(s.Text(obj)) {
		return s.libraryCall(s.Text(obj)+"."+name, n, list)
	}
	callee, x := s.memberOf(fn), lang.None
	if s.Op(callee) == lang.OpAttr {
		x = s.B.Facts.Exprs[callee].X
	}
	args := s.args(list)
	out := s.B.Call(callee, args)
	s.ref(lang.Call, fn, out, callee, lang.None)
	if len(args) > 0 && wrappers[name] {
		return s.B.Any(args[0].X, out)
	}
	if x == lang.None {
		return out
	}
	arg := func(i int) int32 { return core.Arg(args, i) }
	elem := func() int32 { return s.B.Of(lang.OpElem, x, "") }
	switch name {
	case "forEach", "some", "every":
		s.bindArg(arg(0), 0, s.B.Any(elem(), s.B.Of(lang.OpIndex, elem(), "1")))
	case "map", "flatMap":
		s.bindArg(arg(0), 0, elem())
		if f := arg(0); f != lang.None {
			y := s.B.Call(f, core.Args(elem()))
			if name == "flatMap" {
				y = s.B.Any(y, s.B.Of(lang.OpElem, y, ""))
			}
			return s.B.Any(out, s.listOf(y))
		}
	case "filter", "sort", "toSorted":
		s.bindArg(arg(0), 0, elem())
		s.bindArg(arg(0), 1, elem())
		return s.B.Any(out, s.listOf(elem()))
	case "slice", "concat", "reverse", "splice", "flat", "toReversed":
		return s.B.Any(out, s.listOf(elem()))
	case "values":
		return s.B.Any(out, s.listOf(s.B.Any(elem(), s.B.Of(lang.OpIndex, elem(), "1"))))
	case "entries":
		return s.B.Any(out, s.listOf(s.B.Any(elem(), s.List(lang.OpTuple, s.External(""), elem()))))
	case "find", "findLast":
		s.bindArg(arg(0), 0, elem())
		return s.B.Any(out, elem())
	case "pop", "shift", "at":
		return s.B.Any(out, elem())
	case "get":
		return s.B.Any(out, s.B.Of(lang.OpIndex, elem(), "1"))
	case "reduce":
		s.bindArg(arg(0), 0, arg(1))
		s.bindArg(arg(0), 1, elem())
		if a := arg(1); a != lang.None {
			return s.B.Any(out, a)
		}
	case "push", "unshift", "add":
		for i := range args {
			s.B.Set(lang.Store, s.cur.decl, x, "", arg(i), s.Line(n))
		}
		if name == "add" {
			return s.B.Any(out, x)
		}
	case "set":
		if len(args) == 2 {
			s.B.Set(lang.Store, s.cur.decl, x, "", s.List(lang.OpTuple, arg(0), arg(1)), s.Line(n))
		}
	case "then":
		s.bindArg(arg(0), 0, x)
		if f := arg(0); f != lang.None {
			return s.B.Any(out, s.B.Call(f, core.Args(x)))
		}
	case "catch", "finally":
		return s.B.Any(out, x)
	}
	return out
}

// applied reads f.call(this, ...), f.apply(this, list) and f.bind(this).
func (s *walker) applied(fn, obj int32, name string, list int32) int32 {
	f := s.callee(obj)
	own := s.B.Of(lang.OpAttr, f, name)
	args := s.args(list)
	if f == lang.None {
		return lang.None
	}
	if name == "bind" {
		s.ref(lang.Use, obj, f, f, lang.None)
		x := s.B.Call(own, args)
		s.ref(lang.Call, fn, x, own, lang.None)
		return s.B.Any(f, x)
	}
	if name == "call" && len(args) > 0 {
		args = args[1:]
	} else if name == "apply" {
		args = nil
	}
	callee := s.B.Any(f, own)
	x := s.B.Call(callee, args)
	s.ref(lang.Call, obj, x, f, lang.None)
	return x
}

// libraryFunctions are functions of the language itself that pass values on.
var libraryFunctions = core.Words(`Object.assign Object.create Object.freeze Object.seal Object.values Object.entries Object.defineProperty
Object.setPrototypeOf Promise.all Promise.allSettled Promise.race Promise.any Promise.resolve Array.from Array.of Reflect.construct`)

// libraryCall reads a call of one of them.
func (s *walker) libraryCall(name string, n, list int32) int32 {
	first := s.Child(list, 0)
	if name == "Object.assign" && s.isPrototype(first) {
		class := s.Field(first, "object")
		for c := range s.Children(list) {
			if s.Is(c, "object") {
				s.prototype(n, class, c)
			} else if c != first {
				s.setBase(class, c, n)
			}
		}
		return lang.None
	}
	var values []int32
	var objects []int32
	for c := range s.Parts(list) {
		switch {
		case s.Is(c, "spread_element"):
			values = append(values, s.listOf(s.B.Of(lang.OpElem, s.value(s.Child(c, 0)), "")))
			continue
		case name == "Object.defineProperty" && len(values) == 2 && s.Is(c, "object"):
			values = append(values, s.object(c, "", &receiver{x: values[0]}))
		default:
			values = append(values, s.value(c))
		}
		objects = append(objects, c)
	}
	at := func(i int) int32 { return core.Nth(values, i) }
	elem := func(x int32) int32 { return s.B.Of(lang.OpElem, x, "") }
	switch name {
	case "Object.assign":
		if at(0) == lang.None {
			return lang.None
		}
		for _, x := range values[1:] {
			if s.Op(x) != lang.OpDict {
				continue
			}
			for _, a := range s.B.Facts.Exprs[x].Args {
				if a.Name != "" {
					s.B.Set(lang.Assign, s.cur.decl, at(0), a.Name, a.X, s.Line(n))
				}
			}
		}
		return s.B.Any(values...)
	case "Object.create", "Object.freeze", "Object.seal", "Promise.resolve", "Promise.all", "Array.from":
		return at(0)
	case "Object.setPrototypeOf":
		if s.isPrototype(first) && len(objects) > 1 {
			s.Quiet(func() int32 {
				s.setBase(s.Field(first, "object"), objects[1], n)
				return lang.None
			})
		}
		return at(0)
	case "Object.values", "Promise.allSettled":
		return s.listOf(elem(at(0)))
	case "Object.entries":
		return s.listOf(s.List(lang.OpTuple, s.External(""), elem(at(0))))
	case "Promise.race", "Promise.any":
		return elem(at(0))
	case "Array.of":
		return s.listOf(s.B.Any(values...))
	case "Object.defineProperty":
		key := ""
		if len(objects) > 1 {
			key = s.constant(objects[1])
		}
		if x := at(2); x != lang.None && key != "" && s.Op(x) == lang.OpDict {
			for _, a := range s.B.Facts.Exprs[x].Args {
				switch a.Name {
				case "value":
					s.B.Set(lang.Assign, s.cur.decl, at(0), key, a.X, s.Line(n))
				case "get":
					s.B.Set(lang.Assign, s.cur.decl, at(0), key, s.B.Call(a.X, nil), s.Line(n))
				}
			}
		}
	}
	return at(0)
}

// ref records a reference at the last name of n.
func (s *walker) ref(kind lang.RefKind, n, x, callee, decl int32) {
	if n < 0 || x == lang.None {
		return
	}
	for s.Is(n, "parenthesized_expression", "non_null_expression") && s.Child(n, 0) >= 0 {
		n = s.Child(n, 0)
	}
	if p := s.Field(n, "property"); p >= 0 && s.Is(n, "member_expression") {
		n = p
	}
	s.refAt(kind, n, x, callee, decl)
}

func (s *walker) refAt(kind lang.RefKind, n, x, callee, decl int32) {
	name, _, _ := strings.Cut(s.B.LastName(callee), "\x00") // behind it stands what tells variables of blocks apart
	s.RefAt(lang.Ref{Kind: kind, Scope: s.cur.decl, X: x, Decl: decl, Name: name}, s.Start(n), s.End(n))
}

// element reads the use of a component: <Name ...>.
func (s *walker) element(n int32) {
	name := s.Field(n, "name")
	for c := range s.Children(n) {
		switch {
		case c == name:
		case s.Is(c, "type_arguments"):
			s.typ(c)
		default:
			s.visit(c)
		}
	}
	if s.Is(name, "identifier") && s.Src[s.Start(name)] >= 'a' && s.Src[s.Start(name)] <= 'z' {
		return // an element of the page
	}
	if callee := s.callee(name); callee != lang.None {
		s.ref(lang.Call, name, s.B.Call(callee, nil), callee, lang.None)
	}
}
