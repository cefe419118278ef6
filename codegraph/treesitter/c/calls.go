package c

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// access gives the sketch of a member access.
func (w *walker) access(n, scope int32) int32 {
	arg, field := w.Field(n, "argument"), w.Field(n, "field")
	x := w.visit(arg, scope)
	if x == lang.None || field < 0 {
		return lang.None
	}
	held := x
	if arrow := string(w.Src[w.End(arg):w.Start(field)]); w.cpp && strings.Contains(arrow, "->") {
		if e := &w.B.Facts.Exprs[x]; e.Op != lang.OpThis {
			x = w.B.Of(lang.OpDeref, x, "operator->")
		}
	}
	for w.Kind(field) == "qualified_identifier" { // p->Base::f()
		if sc := w.Field(field, "scope"); sc >= 0 {
			x = w.B.Name(scope, w.lastName(sc))
		}
		field = w.Field(field, "name")
	}
	if w.Is(field, "template_method", "dependent_name") {
		for c := range w.Children(w.Field(field, "arguments")) {
			w.typ(c, scope)
		}
	}
	name := w.lastName(field)
	if name == "" {
		return lang.None
	}
	if w.cpp && (name == "first" || name == "second") {
		return w.B.Any(w.B.Of(lang.OpAttr, x, name), w.B.Of(lang.OpIndex, x, name), w.B.Of(lang.OpIndex, held, name))
	}
	return w.B.Of(lang.OpAttr, x, name)
}

// args gives the arguments of a call.
func (w *walker) args(n, scope int32) []lang.Arg {
	var out []lang.Arg
	for c := range w.Parts(n) {
		switch w.Kind(c) {
		case "parameter_pack_expansion":
			out = append(out, lang.Arg{X: w.visit(w.Child(c, 0), scope), Spread: true})
		case "parameter_declaration": // arguments that look like parameters
			out = append(out, lang.Arg{X: w.parameterAsArg(c, scope)})
		default:
			out = append(out, lang.Arg{X: w.visit(c, scope)})
		}
	}
	return out
}

// parameterAsArg gives the value of an argument that was parsed as a parameter.
func (w *walker) parameterAsArg(n, scope int32) int32 {
	t, dn := w.Field(n, "type"), w.Field(n, "declarator")
	if dn < 0 || w.Kind(dn) != "abstract_function_declarator" {
		if w.Kind(t) == "type_identifier" {
			return w.mention(t, scope)
		}
		return w.typ(t, scope)
	}
	args := w.args(w.Field(dn, "parameters"), scope)
	callee := lang.None
	switch w.Kind(t) {
	case "type_identifier":
		callee = w.nameOf(w.Text(t), scope)
	case "qualified_identifier":
		callee = w.name(t, scope)
	default:
		callee = w.typ(t, scope)
	}
	if w.isExternal(callee) {
		return callee
	}
	x := w.B.Call(callee, args)
	w.Ref(lang.Call, w.lastNode(t), scope, x, w.B.LastName(callee))
	return x
}

// call reads a call.
func (w *walker) call(n, scope int32) int32 {
	fn, list := w.Field(n, "function"), w.Field(n, "arguments")
	var callee int32
	base := ""
	switch w.Kind(fn) {
	case "primitive_type", "sized_type_specifier":
		w.args(list, scope)
		return w.External(canonicalType(string(w.s.src[w.Start(fn):w.End(fn)]))) // as it is written
	case "identifier":
		base = w.Text(fn)
		callee = w.nameOf(base, scope)
	case "template_function", "qualified_identifier":
		if v, done := w.standardCall(fn, list, scope); done {
			w.namesake(fn, list, scope)
			return v
		}
		callee = w.name(fn, scope)
		base = w.B.LastName(callee)
	case "field_expression":
		callee = w.access(fn, scope)
		base = w.lastName(w.Field(fn, "field"))
	default:
		callee = w.visit(fn, scope)
		if k := w.Kind(fn); callee != lang.None && (k == "parenthesized_expression" || k == "pointer_expression") {
			for w.Op(callee) == lang.OpDeref && w.B.Facts.Exprs[callee].Name == "operator*" {
				callee = w.B.Facts.Exprs[callee].X // (*f)(x) calls f
			}
		}
	}
	args := w.args(list, scope)
	if keywords[base] && base != "operator" {
		return lang.None
	}
	x := w.B.Call(callee, args)
	name, _, _ := strings.Cut(w.B.LastName(callee), "@")
	if w.Op(callee) == lang.OpElse {
		name = ""
	}
	w.Ref(lang.Call, w.lastNode(fn), scope, x, name)
	if w.cpp && w.Kind(fn) == "field_expression" && w.Op(callee) == lang.OpAttr {
		switch base {
		case "get", "value", "lock", "front", "back", "top", "at", "begin", "end", "cbegin", "find", "load", "release", "data", "emplace_back", "rbegin", "lower_bound":
			return w.B.Any(x, w.B.Of(lang.OpElem, w.B.Facts.Exprs[callee].X, ""))
		}
	}
	return x
}

// casts are the casts of C++, which need no name before them.
var casts = core.Words("static_cast dynamic_cast reinterpret_cast const_cast")

// needsType are the functions of the standard library that say by a type between angle brackets what they give.
var needsType = core.Words(`make_unique make_shared allocate_shared make_optional WrapUnique make_ref_counted MakeRefCounted static_cast dynamic_cast
reinterpret_cast const_cast down_cast checked_cast bit_cast polymorphic_downcast static_pointer_cast dynamic_pointer_cast get get_if any_cast`)

// namesake records a call of what the repository itself may have under the unqualified name of a function of the standard
// library.
func (w *walker) namesake(fn, list, scope int32) {
	if w.Kind(fn) != "template_function" {
		return
	}
	name := w.lastName(fn)
	if w.env.Find(name) == nil && !casts[name] {
		w.Ref(lang.Call, w.lastNode(fn), scope, w.B.Call(w.B.Name(scope, name), w.values(list)), "")
	}
}

// standardCall reads calls of the standard library that give something of their arguments.
func (w *walker) standardCall(fn, list, scope int32) (int32, bool) {
	tail := fn
	for w.Kind(tail) == "qualified_identifier" && w.Field(tail, "name") >= 0 {
		tail = w.Field(tail, "name")
	}
	name := w.lastName(tail)
	var types []int32
	if w.Kind(tail) == "template_function" {
		types = slices.Collect(w.Children(w.Field(tail, "arguments")))
	}
	inside := w.Kind(fn) == "template_function" || strings.HasPrefix(w.Text(fn), "std::") || strings.HasPrefix(w.Text(fn), "absl::")
	if !inside {
		return lang.None, false
	}
	one := func() int32 {
		if args := w.args(list, scope); len(args) > 0 {
			return args[0].X
		}
		return lang.None
	}
	if len(types) == 0 && needsType[name] {
		return lang.None, false
	}
	switch name {
	case "make_unique", "make_shared", "allocate_shared", "make_optional", "WrapUnique", "make_ref_counted", "MakeRefCounted":
		x := w.typ(types[0], scope)
		args := w.args(list, scope)
		if !w.constructs(x) {
			return lang.None, true
		}
		call := w.B.Call(x, args)
		w.Ref(lang.Call, types[0], scope, call, "")
		return w.List(lang.OpDict, call), true
	case "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast", "down_cast", "checked_cast", "bit_cast", "polymorphic_downcast":
		x := w.typ(types[0], scope)
		v := one()
		if w.isNumber(x) {
			return x, true
		}
		if x == lang.None || w.isExternal(x) || name == "const_cast" {
			return v, true
		}
		return w.Instance(x), true
	case "static_pointer_cast", "dynamic_pointer_cast":
		x := w.typ(types[0], scope)
		one()
		return w.List(lang.OpDict, w.Instance(x)), true
	case "move", "forward", "ref", "cref", "as_const", "addressof", "exchange", "launder":
		for _, t := range types {
			w.typ(t, scope)
		}
		return one(), true
	case "get", "get_if", "any_cast":
		if w.Kind(fn) == "template_function" && name != "any_cast" {
			return lang.None, false
		}
		v := one()
		if w.Kind(types[0]) == "type_descriptor" {
			return w.Instance(w.typ(types[0], scope)), true
		}
		return w.B.Of(lang.OpIndex, v, w.Text(types[0])), true
	case "make_pair":
		args := w.args(list, scope)
		if len(args) == 2 {
			return w.B.Many(lang.OpDict, []lang.Arg{{Name: "first", X: args[0].X}, {Name: "second", X: args[1].X}}), true
		}
		return lang.None, true
	}
	return lang.None, false
}

// assign reads an assignment.
func (w *walker) assign(n, scope int32) int32 {
	left, right := w.Field(n, "left"), w.Field(n, "right")
	op := w.Between(left, right)
	line := w.Line(left)
	if w.Kind(left) == "identifier" {
		name := w.Text(left)
		x := w.visit(right, scope)
		v := w.env.Find(name)
		if op == "=" && w.mayBeFunction(x) {
			switch {
			case v != nil && !v.typed:
				w.B.Bind(lang.Assign, w.ownerOf(v.name, scope), v.name, x, line)
			case v == nil && w.inFunction(scope):
				w.setGlobal(name, scope, x, line)
			}
		}
		if v != nil {
			target := w.B.Name(scope, v.name)
			w.operator(n, target, x, "operator"+op, scope)
			return target
		}
		target := w.mention(left, scope)
		w.operator(n, target, x, "operator"+op, scope)
		return x
	}
	x := w.visit(right, scope)
	if w.Kind(left) == "field_expression" {
		obj := w.visit(w.Field(left, "argument"), scope)
		field := w.lastName(w.Field(left, "field"))
		if obj != lang.None && field != "" {
			if w.cpp && w.Op(obj) != lang.OpThis && strings.Contains(w.Between(w.Field(left, "argument"), w.Field(left, "field")), "->") {
				obj = w.B.Of(lang.OpDeref, obj, "operator->")
			}
			if op == "=" && w.mayBeFunction(x) && w.mayHoldFunction(right) {
				w.B.Set(lang.Assign, scope, obj, field, x, line)
			}
			target := w.B.Of(lang.OpAttr, obj, field)
			w.operator(n, target, x, "operator"+op, scope)
		}
		return x
	}
	target := w.visit(left, scope)
	w.operator(n, target, x, "operator"+op, scope)
	return x
}
