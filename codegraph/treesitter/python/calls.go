package python

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// args gives the positional and named arguments, or the elements, that are the children of a node.
func (p *walker) args(n, scope int32) []lang.Arg {
	var args []lang.Arg
	for c := range p.Parts(n) {
		switch p.Kind(c) {
		case "keyword_argument":
			args = append(args, lang.Arg{Name: p.Text(p.Field(c, "name")), X: p.value(p.Field(c, "value"), scope)})
		case "list_splat":
			args = append(args, lang.Arg{X: p.value(p.Child(c, 0), scope), Spread: true})
		case "dictionary_splat":
			args = append(args, lang.Arg{Name: "**", X: p.value(p.Child(c, 0), scope), Spread: true})
		default:
			args = append(args, lang.Arg{X: p.value(c, scope)})
		}
	}
	return args
}

func (p *walker) call(n, scope int32) int32 {
	fn, list := p.Field(n, "function"), p.Field(n, "arguments")
	name := ""
	switch p.Kind(fn) {
	case "identifier":
		name = p.Text(fn)
	case "attribute":
		name = "." + p.Text(p.Field(fn, "attribute"))
	}
	last := strings.TrimPrefix(name, ".")
	var typ int32 = lang.None
	if last == "cast" && p.Child(list, 1) >= 0 {
		typ = p.annotation(p.Child(list, 0), scope)
	}
	var args []lang.Arg
	if p.Kind(list) == "generator_expression" {
		args = []lang.Arg{{X: p.value(list, scope)}}
	} else if list >= 0 {
		args = p.args(list, scope)
	}
	arg := func(i int) int32 { return core.Arg(args, i) }
	constant := func(i int) string { return p.stringOf(arg(i)) }
	switch {
	case name == "super":
		return p.B.Leaf(lang.OpSuper, scope, "")
	case name == "setattr" && constant(1) != "":
		p.B.Set(lang.Assign, scope, arg(0), constant(1), arg(2), p.Line(n))
		return lang.None
	case name == "type" && len(args) == 1:
		return p.B.Of(lang.OpAttr, arg(0), "__class__")
	case name == "getattr" && strings.Contains(constant(1), "\x00"):
		return p.B.Any(p.B.Of(lang.OpMembers, arg(0), constant(1)), arg(2))
	case name == "getattr" && constant(1) != "":
		x := p.B.Of(lang.OpAttr, arg(0), constant(1))
		p.mention(n, x, scope)
		return p.B.Any(x, arg(2))
	case name == "next":
		return p.B.Any(p.B.Of(lang.OpElem, arg(0), ""), arg(1))
	case name == "iter" && len(args) == 1:
		return arg(0)
	}
	callee := p.visit(fn, scope, false)
	x := p.B.Call(callee, args)
	p.ref(lang.Call, n, fn, scope, x, callee, lang.None)
	if scope == lang.File { // what is called may change whatever is global
		p.forgetElements("")
	}
	if p.Op(callee) == lang.OpAttr {
		if x := p.methodOfText(p.stringOf(p.B.Facts.Exprs[callee].X), last); x != lang.None {
			return x
		}
	}
	if last == "import_module" && constant(0) != "" && !strings.Contains(constant(0), "\x00") {
		return p.Module(constant(0))
	}
	if known := p.builtin(n, name, args, arg, scope); known != lang.None {
		return known
	}
	if o := p.Field(fn, "object"); name == ".run" && p.Kind(o) == "identifier" && p.Text(o) == "asyncio" {
		return arg(0)
	}
	if last == "cast" && len(args) == 2 {
		return p.B.Any(p.Instance(typ), arg(1))
	}
	if last == "TypeVar" {
		if bound := p.keyword(list, "bound"); bound >= 0 {
			return p.annotation(bound, scope)
		}
		return lang.None
	}
	if strings.HasPrefix(name, ".") && callee != lang.None {
		if known := p.containerMethod(n, last, p.B.Facts.Exprs[callee].X, args, arg, scope); known != lang.None {
			return p.B.Any(x, known)
		}
	}
	return x
}

// builtin gives the result of functions of the language and its library that hand on what they are given, or None. Those
// that call their arguments make references of such calls.
func (p *walker) builtin(n int32, name string, args []lang.Arg, arg func(int) int32, scope int32) int32 {
	calls := func(f int32, args ...int32) int32 {
		if f == lang.None {
			return f
		}
		x := p.B.Call(f, core.Args(args...))
		p.ref(lang.Call, n, p.Field(n, "function"), scope, x, lang.None, lang.None)
		return x
	}
	elem := func(i int) int32 { return p.B.Of(lang.OpElem, arg(i), "") }
	key := lang.None
	for _, a := range args {
		if a.Name == "key" {
			key = a.X
		}
	}
	switch strings.TrimPrefix(name, ".") {
	case "partial", "partialmethod", "update_wrapper", "lru_cache", "copy", "deepcopy", "proxy", "create_task", "ensure_future", "wait_for", "shield", "run_until_complete", "staticmethod", "classmethod":
		return arg(0)
	case "reduce":
		return calls(arg(0), elem(1), elem(1))
	case "gather":
		var list []lang.Arg
		for i := range args {
			list = append(list, lang.Arg{X: args[i].X, Spread: args[i].Spread})
		}
		return p.B.Many(lang.OpList, list)
	}
	if x := p.library(strings.TrimPrefix(name, "."), args, arg); x != lang.None {
		return x
	}
	switch name {
	case "list", "tuple":
		if len(args) == 0 {
			return p.List(lang.OpList)
		}
		return p.copyOf(arg(0))
	case "set", "frozenset", "reversed":
		if len(args) == 0 {
			return p.List(lang.OpList)
		}
		return p.subset(arg(0))
	case "sorted":
		calls(key, elem(0))
		return p.subset(arg(0))
	case "min", "max":
		if len(args) > 1 && args[1].Name == "" {
			calls(key, arg(0))
			return p.B.Any(arg(0), arg(1))
		}
		calls(key, elem(0))
		return elem(0)
	case "enumerate":
		return p.uniform(p.List(lang.OpList, p.External(""), elem(0)))
	case "zip":
		var list []int32
		for i := range args {
			list = append(list, elem(i))
		}
		return p.uniform(p.List(lang.OpList, list...))
	case "map":
		var list []int32
		for i := range args[min(1, len(args)):] {
			list = append(list, elem(i+1))
		}
		return p.uniform(calls(arg(0), list...))
	case "filter":
		calls(arg(0), elem(1))
		return p.subset(arg(1))
	case "dict":
		var list []lang.Arg
		for _, a := range args {
			if a.Spread || a.Name == "" {
				a = lang.Arg{X: a.X, Spread: true}
			}
			list = append(list, a)
		}
		return p.B.Many(lang.OpDict, list)
	case "property":
		return calls(arg(0))
	}
	return lang.None
}

// operators are the methods that operators run, of those that give an object like their left operand.
var operators = map[string]string{"+": "__add__", "|": "__or__", "&": "__and__", "-": "__sub__", "/": "__truediv__"}

// operation gives what an operator makes of two operands: a container with the elements of both, where they are such, or what
// the left one's own method gives.
func (p *walker) operation(n, scope int32) int32 {
	left, right := p.Field(n, "left"), p.Field(n, "right")
	a, b := p.value(left, scope), p.value(right, scope)
	sign := strings.Trim(p.Between(left, right), " \t\r\n\\()")
	if sign == "" {
		return lang.None
	}
	if p.isConstant(a) || p.isText(b) && sign == "+" {
		return p.joined(sign, p.stringOf(a), p.stringOf(b))
	}
	method := operators[sign]
	if method == "" || p.isConstant(b) && method != "__truediv__" {
		return lang.None
	}
	own := lang.None
	if a != lang.None {
		own = p.B.Call(p.B.Of(lang.OpAttr, a, method), core.Args(b))
	}
	if sign != "+" && sign != "|" {
		return own
	}
	var list []lang.Arg
	for _, x := range [2]int32{a, b} {
		if x != lang.None {
			list = append(list, lang.Arg{X: x, Spread: true})
		}
	}
	if len(list) == 0 {
		return lang.None
	}
	return p.B.Any(p.B.Many(lang.OpList, list), own)
}

// containerMethod gives the result of methods of the language's containers, or None, and notes what they put into one. What else a method
// of that name may give is up to the caller.
func (p *walker) containerMethod(n int32, name string, x int32, args []lang.Arg, arg func(int) int32, scope int32) int32 {
	store := func(key string, v int32) { p.B.Set(lang.Store, scope, x, key, v, p.Line(n)) }
	switch name {
	case "get", "pop", "setdefault":
		if len(args) > 2 || len(args) > 0 && args[0].Name != "" {
			return lang.None
		}
		key := p.constant(p.Child(p.Field(n, "arguments"), 0))
		if name == "setdefault" && len(args) == 2 {
			store(key, arg(1))
		}
		return p.B.Any(p.B.Of(lang.OpIndex, x, key), arg(1))
	case "popleft", "get_nowait":
		return p.B.Of(lang.OpElem, x, "")
	case "sort":
		for _, a := range args {
			if a.Name == "key" {
				p.ref(lang.Call, n, p.Field(n, "function"), scope, p.B.Call(a.X, []lang.Arg{{X: p.B.Of(lang.OpElem, x, "")}}), lang.None, lang.None)
			}
		}
	case "values":
		if len(args) == 0 {
			return p.subset(x)
		}
	case "copy":
		if len(args) == 0 {
			return p.copyOf(x)
		}
	case "items":
		if len(args) == 0 {
			return p.uniform(p.List(lang.OpList, p.External(""), p.B.Of(lang.OpElem, x, "")))
		}
	case "append", "add", "appendleft", "put", "put_nowait":
		if len(args) == 1 {
			store("", arg(0))
		}
	case "insert":
		if len(args) == 2 {
			store("", arg(1))
		}
	case "extend", "update":
		for _, a := range args {
			switch {
			case a.Name != "" && !a.Spread:
				store(a.Name, a.X)
			case a.X != lang.None && p.B.Facts.Exprs[a.X].Op == lang.OpDict && name == "update":
				for _, e := range p.B.Facts.Exprs[a.X].Args {
					if e.Spread {
						e = lang.Arg{X: p.B.Of(lang.OpElem, e.X, "")}
					}
					store(e.Name, e.X)
					if path := p.path(p.Field(p.Field(n, "function"), "object")); path != "" && e.Name != "" {
						p.setElement(path+".["+e.Name+"]", e.X)
					}
				}
			default:
				store("", p.B.Of(lang.OpElem, a.X, ""))
			}
		}
	}
	return lang.None
}
