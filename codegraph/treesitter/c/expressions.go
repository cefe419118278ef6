package c

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// visit records what a node does in a scope and gives the sketch of its value, or None.
func (w *walker) visit(n, scope int32) int32 {
	if n < 0 || w.depth > 1400 {
		return lang.None
	}
	w.depth++
	defer func() { w.depth-- }()
	switch w.Kind(n) {
	case "comment", "escape_sequence", "access_specifier", "storage_class_specifier", "type_qualifier", "statement_identifier":
	case "function_definition", "inline_method_definition", "constructor_or_destructor_definition", "operator_cast_definition":
		dn := w.Field(n, "declarator")
		if dn < 0 {
			w.all(n, scope)
			break
		}
		if v := w.declarator(dn); v.fn < 0 { // a statement or a class that an unknown macro dressed up
			w.typ(w.Field(n, "type"), scope)
			w.all(w.Field(n, "body"), scope)
			break
		}
		w.function(n, n, dn, scope)
	case "declaration", "constructor_or_destructor_declaration", "operator_cast_declaration":
		if scope != lang.File && w.b.Facts.Decls[scope].Kind == lang.Class {
			w.member(n, scope)
		} else {
			w.variables(n, scope)
		}
	case "field_declaration":
		w.member(n, scope)
	case "class_specifier", "struct_specifier", "union_specifier", "enum_specifier":
		if w.Field(n, "body") < 0 {
			w.announce(n, n, scope)
			break
		}
		w.class(n, n, scope, "")
	case "type_definition":
		w.typedef(n, scope)
	case "alias_declaration":
		x := w.typ(w.Field(n, "type"), scope)
		name := w.Text(w.Field(n, "name"))
		line := w.Line(n)
		if x == lang.None {
			x = w.unknown()
		}
		w.b.Bind(lang.Alias, scope, w.declareType(name, scope), x, line)
	case "namespace_definition":
		w.namespace(n, scope)
	case "namespace_alias_definition":
		last := int32(-1)
		for c := range w.Children(n) {
			last = c
		}
		if last >= 0 {
			w.b.Bind(lang.Alias, scope, w.Text(w.Field(n, "name")), w.spaceName(last, scope), w.Line(n))
		}
	case "using_declaration":
		w.using(n, scope)
	case "template_declaration":
		w.template(n, scope)
	case "friend_declaration":
		w.friend(n, scope)
	case "template_instantiation":
		w.typ(w.Field(n, "type"), scope)
	case "compound_statement":
		w.block(func() { w.all(n, scope) })
	case "for_statement", "if_statement", "while_statement", "switch_statement":
		w.block(func() { w.all(n, scope) })
	case "for_range_loop":
		w.rangeLoop(n, scope)
	case "catch_clause":
		w.block(func() {
			for c := range w.Children(w.Field(n, "parameters")) {
				typ, dn := w.Field(c, "type"), w.Field(c, "declarator")
				x := w.typ(typ, scope)
				if dn >= 0 {
					w.variable(c, w.declarator(dn), x, false, -1, scope, true)
				}
			}
			w.visit(w.Field(n, "body"), scope)
		})
	case "return_statement", "co_return_statement", "co_yield_statement":
		x := lang.None
		if c := w.Child(n, 0); c >= 0 {
			if x = w.visit(c, scope); w.Kind(c) == "initializer_list" {
				x = lang.None
			}
		}
		if len(w.result) > 0 && w.result[len(w.result)-1] && scope != lang.File {
			w.b.Bind(lang.Return, scope, "", x, w.Line(n))
		}
	case "init_declarator":
		w.visit(w.Field(n, "value"), scope)
	case "identifier", "field_identifier":
		return w.mention(n, scope)
	case "qualified_identifier", "template_function", "operator_name":
		x := w.name(n, scope)
		w.use(n, scope, x)
		return x
	case "type_identifier":
		return w.typ(n, scope)
	case "type_descriptor", "template_type":
		return w.typ(n, scope)
	case "this":
		return w.b.Leaf(lang.OpThis, scope, "")
	case "field_expression":
		return w.access(n, scope)
	case "call_expression":
		return w.call(n, scope)
	case "new_expression":
		if p := w.Field(n, "placement"); p >= 0 {
			w.args(p, scope)
		}
		typ := w.Field(n, "type")
		x := w.typ(typ, scope)
		if d := w.Field(n, "declarator"); d >= 0 {
			w.all(d, scope)
		}
		args := w.args(w.Field(n, "arguments"), scope)
		if !w.constructs(x) {
			return lang.None
		}
		call := w.b.Call(x, args)
		w.ref(lang.Call, typ, scope, call, "")
		return w.b.Of(lang.OpPointer, call, "")
	case "compound_literal_expression":
		typ := w.Field(n, "type")
		x := w.typ(typ, scope)
		if typ < 0 {
			w.all(n, scope)
			break
		}
		value := w.Field(n, "value")
		if w.cpp && w.constructs(x) && w.Src[w.Start(n)] != '(' {
			w.ref(lang.Call, typ, scope, w.b.Call(x, w.values(value)), "")
		}
		if value >= 0 {
			w.aggregate(x, value, scope, false)
		}
		return w.b.Of(lang.OpInstance, x, "")
	case "initializer_list":
		var list []lang.Arg
		for c := range w.Children(n) {
			if w.Kind(c) == "initializer_pair" {
				c = w.Field(c, "value")
			}
			if c >= 0 && w.Kind(c) != "comment" {
				if x := w.visit(c, scope); w.flows(x) && len(list) < 64 {
					list = append(list, lang.Arg{X: x})
				}
			}
		}
		if len(list) > 0 {
			return w.b.Many(lang.OpDict, []lang.Arg{{X: w.b.Many(lang.OpAny, list)}})
		}
	case "cast_expression":
		x := w.typ(w.Field(n, "type"), scope)
		v := w.visit(w.Field(n, "value"), scope)
		if w.number(x) {
			return x
		}
		if x == lang.None || w.outside(x) {
			return v // of a pointer to a function, or to nothing in particular
		}
		return w.b.Expr(lang.Expr{Op: lang.OpElse, X: w.b.Of(lang.OpInstance, x, ""), Scope: lang.File, Args: []lang.Arg{{X: v}}})
	case "parenthesized_expression":
		last := lang.None
		for c := range w.Children(n) {
			last = w.visit(c, scope)
		}
		return last
	case "conditional_expression":
		w.visit(w.Field(n, "condition"), scope)
		a := w.visit(w.Field(n, "consequence"), scope)
		return w.b.Any(a, w.visit(w.Field(n, "alternative"), scope))
	case "comma_expression":
		w.visit(w.Field(n, "left"), scope)
		return w.visit(w.Field(n, "right"), scope)
	case "assignment_expression":
		return w.assign(n, scope)
	case "pointer_expression":
		x := w.visit(w.Field(n, "argument"), scope)
		if w.Src[w.Start(n)] == '*' {
			return w.b.Of(lang.OpDeref, x, "operator*")
		}
		if w.cpp && x != lang.None && w.Src[w.Start(n)] == '&' {
			switch w.b.Facts.Exprs[x].Op {
			case lang.OpName, lang.OpAttr, lang.OpDeref, lang.OpCall:
				if a := w.Field(n, "argument"); w.Kind(a) != "qualified_identifier" { // a member, or a function
					return w.b.Of(lang.OpPointer, x, "")
				}
			}
		}
		return x
	case "subscript_expression":
		x := w.visit(w.Field(n, "argument"), scope)
		for c := range w.Children(n) {
			if f := w.FieldName(c); f != "argument" {
				w.visit(c, scope)
			}
		}
		w.operator(n, x, lang.None, "operator[]", scope)
		return w.b.Of(lang.OpDeref, x, "operator[]")
	case "binary_expression":
		left, right := w.Field(n, "left"), w.Field(n, "right")
		a, b := w.visit(left, scope), w.visit(right, scope)
		if w.cpp && left >= 0 && right >= 0 {
			op := strings.TrimSpace(string(w.Src[w.End(left):w.Start(right)]))
			if call := w.operator(n, a, b, "operator"+op, scope); call != lang.None && op != "&&" && op != "||" && op != "==" && op != "!=" && op != "<" && op != ">" {
				return call
			}
			switch op {
			case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
				return w.foreign("bool")
			}
		}
		return w.external()
	case "unary_expression", "update_expression":
		x := w.visit(w.Field(n, "argument"), scope)
		switch op := w.Src[w.Start(n)]; {
		case op == '!':
			return w.foreign("bool")
		case (op == '-' || op == '+') && w.outside(x):
			return x
		}
		return w.external()
	case "number_literal":
		return w.foreign(literalType(w.Text(n)))
	case "char_literal":
		return w.foreign("char")
	case "true", "false":
		return w.foreign("bool")
	case "null", "nullptr":
		return w.foreign("nullptr")
	case "string_literal", "raw_string_literal", "concatenated_string":
		if w.cpp {
			return w.foreign(lang.ConstType + "char*")
		}
		return w.foreign("char*")
	case "sizeof_expression", "alignof_expression", "offsetof_expression", "noexcept":
		if t := w.Field(n, "type"); t >= 0 {
			w.typ(t, scope)
		}
		if v := w.Field(n, "value"); v >= 0 {
			w.visit(v, scope)
		}
		return w.external()
	case "lambda_expression":
		return w.lambda(n, scope)
	case "delete_expression", "co_await_expression":
		return w.visit(w.Child(n, 0), scope)
	case "throw_statement":
		w.visit(w.Child(n, 0), scope)
	case "labeled_statement":
		for c := range w.Children(n) {
			if w.FieldName(c) != "label" {
				w.visit(c, scope)
			}
		}
	case "goto_statement", "attribute_declaration", "attribute_specifier", "ms_declspec_modifier", "primitive_type", "auto", "literal_suffix":
	case "case_statement":
		w.all(n, scope)
	default:
		w.all(n, scope)
	}
	return lang.None
}

// spaceName gives the sketch of a namespace's name.
func (w *walker) spaceName(n, scope int32) int32 {
	x := lang.None
	for i, p := range strings.Split(w.Text(n), "::") {
		if p = strings.TrimSpace(p); p == "" || i > 50 {
			continue
		}
		if x == lang.None {
			x = w.b.Name(scope, p)
		} else {
			x = w.b.Of(lang.OpAttr, x, p)
		}
	}
	return x
}

// mention gives the sketch of a plain name. One that is no variable of the function is a mention.
func (w *walker) mention(n, scope int32) int32 {
	name := w.Text(n)
	if v, ok := w.local(name); ok {
		return w.b.Name(scope, v.name)
	}
	if keywords[name] || name == "NULL" {
		return lang.None
	}
	x := w.b.Name(scope, name)
	w.use(n, scope, x)
	return x
}

// access gives the sketch of a member access.
func (w *walker) access(n, scope int32) int32 {
	arg, field := w.Field(n, "argument"), w.Field(n, "field")
	x := w.visit(arg, scope)
	if x == lang.None || field < 0 {
		return lang.None
	}
	held := x
	if arrow := string(w.Src[w.End(arg):w.Start(field)]); w.cpp && strings.Contains(arrow, "->") {
		if e := &w.b.Facts.Exprs[x]; e.Op != lang.OpThis {
			x = w.b.Of(lang.OpDeref, x, "operator->")
		}
	}
	for field >= 0 && w.Kind(field) == "qualified_identifier" { // p->Base::f()
		if sc := w.Field(field, "scope"); sc >= 0 {
			x = w.b.Name(scope, w.last(sc))
		}
		field = w.Field(field, "name")
	}
	if field < 0 {
		return lang.None
	}
	if k := w.Kind(field); k == "template_method" || k == "dependent_name" {
		for c := range w.Children(w.Field(field, "arguments")) {
			w.typ(c, scope)
		}
	}
	name := w.last(field)
	if name == "" {
		return lang.None
	}
	if w.cpp && (name == "first" || name == "second") {
		return w.b.Any(w.b.Of(lang.OpAttr, x, name), w.b.Of(lang.OpIndex, x, name), w.b.Of(lang.OpIndex, held, name))
	}
	return w.b.Of(lang.OpAttr, x, name)
}

// place gives the node of the last name of a callee.
func (w *walker) lastNode(n int32) int32 {
	for n >= 0 {
		next := int32(-1)
		switch w.Kind(n) {
		case "field_expression":
			next = w.Field(n, "field")
		case "qualified_identifier", "template_function", "template_method":
			next = w.Field(n, "name")
		case "dependent_name", "parenthesized_expression", "pointer_expression":
			next = w.Child(n, 0)
		}
		if next < 0 {
			return n
		}
		n = next
	}
	return n
}

// args gives the arguments of a call.
func (w *walker) args(n, scope int32) []lang.Arg {
	var out []lang.Arg
	for c := range w.Children(n) {
		switch w.Kind(c) {
		case "comment":
		case "parameter_pack_expansion":
			out = append(out, lang.Arg{X: w.visit(w.Child(c, 0), scope), Spread: true})
		case "parameter_declaration": // arguments that look like parameters
			out = append(out, lang.Arg{X: w.misread(c, scope)})
		default:
			out = append(out, lang.Arg{X: w.visit(c, scope)})
		}
	}
	return out
}

// misread gives the value of an argument that was parsed as a parameter.
func (w *walker) misread(n, scope int32) int32 {
	t, dn := w.Field(n, "type"), w.Field(n, "declarator")
	if dn < 0 || w.Kind(dn) != "abstract_function_declarator" {
		if t >= 0 && w.Kind(t) == "type_identifier" {
			return w.mention(t, scope)
		}
		return w.typ(t, scope)
	}
	args := w.args(w.Field(dn, "parameters"), scope)
	callee := lang.None
	switch w.Kind(t) {
	case "type_identifier":
		callee = w.b.Name(scope, w.Text(t))
		if v, ok := w.local(w.Text(t)); ok {
			callee = w.b.Name(scope, v.name)
		}
	case "qualified_identifier":
		callee = w.name(t, scope)
	default:
		callee = w.typ(t, scope)
	}
	if w.outside(callee) {
		return callee
	}
	x := w.b.Call(callee, args)
	w.ref(lang.Call, w.lastNode(t), scope, x, w.b.LastName(callee))
	return x
}

// call reads a call.
func (w *walker) call(n, scope int32) int32 {
	fn, list := w.Field(n, "function"), w.Field(n, "arguments")
	if fn < 0 {
		w.all(n, scope)
		return lang.None
	}
	var callee int32
	base := ""
	switch w.Kind(fn) {
	case "primitive_type", "sized_type_specifier":
		w.args(list, scope)
		return w.foreign(canonicalType(string(w.s.src[w.Start(fn):w.End(fn)]))) // as it is written
	case "identifier":
		base = w.Text(fn)
		if v, ok := w.local(base); ok {
			callee = w.b.Name(scope, v.name)
		} else {
			callee = w.b.Name(scope, base)
		}
	case "template_function", "qualified_identifier":
		if v, done := w.standardCall(fn, list, scope); done {
			w.namesake(fn, list, scope)
			return v
		}
		callee = w.name(fn, scope)
		base = w.b.LastName(callee)
	case "field_expression":
		callee = w.access(fn, scope)
		base = w.last(w.Field(fn, "field"))
	default:
		callee = w.visit(fn, scope)
		if k := w.Kind(fn); callee != lang.None && (k == "parenthesized_expression" || k == "pointer_expression") {
			for callee != lang.None && w.b.Facts.Exprs[callee].Op == lang.OpDeref && w.b.Facts.Exprs[callee].Name == "operator*" {
				callee = w.b.Facts.Exprs[callee].X // (*f)(x) calls f
			}
		}
	}
	args := w.args(list, scope)
	if keywords[base] && base != "operator" {
		return lang.None
	}
	x := w.b.Call(callee, args)
	name := w.b.LastName(callee)
	if at := strings.IndexByte(name, '@'); at >= 0 {
		name = name[:at]
	}
	if callee != lang.None && w.b.Facts.Exprs[callee].Op == lang.OpElse {
		name = ""
	}
	w.ref(lang.Call, w.lastNode(fn), scope, x, name)
	if w.cpp && w.Kind(fn) == "field_expression" && callee != lang.None && w.b.Facts.Exprs[callee].Op == lang.OpAttr {
		switch base {
		case "get", "value", "lock", "front", "back", "top", "at", "begin", "end", "cbegin", "find", "load", "release", "data", "emplace_back", "rbegin", "lower_bound":
			return w.b.Any(x, w.b.Of(lang.OpElem, w.b.Facts.Exprs[callee].X, ""))
		}
	}
	return x
}

// namesake records a call of what the repository itself may have under the unqualified name of a function of the standard
// library.
func (w *walker) namesake(fn, list, scope int32) {
	if w.Kind(fn) != "template_function" {
		return
	}
	name := w.last(fn)
	switch name {
	case "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast":
		return
	}
	if _, ok := w.local(name); !ok {
		w.ref(lang.Call, w.lastNode(fn), scope, w.b.Call(w.b.Name(scope, name), w.values(list)), "")
	}
}

// standardCall reads calls of the standard library that give something of their arguments.
func (w *walker) standardCall(fn, list, scope int32) (int32, bool) {
	tail := fn
	for w.Kind(tail) == "qualified_identifier" && w.Field(tail, "name") >= 0 {
		tail = w.Field(tail, "name")
	}
	name := w.last(tail)
	var types []int32
	if w.Kind(tail) == "template_function" {
		for c := range w.Children(w.Field(tail, "arguments")) {
			types = append(types, c)
		}
	}
	inside := w.Kind(fn) == "template_function" || strings.HasPrefix(w.Text(fn), "std::") || strings.HasPrefix(w.Text(fn), "absl::")
	if !inside {
		return lang.None, false
	}
	one := func() int32 {
		args := w.args(list, scope)
		if len(args) > 0 {
			return args[0].X
		}
		return lang.None
	}
	switch name {
	case "make_unique", "make_shared", "allocate_shared", "make_optional", "WrapUnique", "make_ref_counted", "MakeRefCounted":
		if len(types) == 0 {
			return lang.None, false
		}
		x := w.typ(types[0], scope)
		args := w.args(list, scope)
		if !w.constructs(x) {
			return lang.None, true
		}
		call := w.b.Call(x, args)
		w.ref(lang.Call, types[0], scope, call, "")
		return w.b.Many(lang.OpDict, []lang.Arg{{X: call}}), true
	case "static_cast", "dynamic_cast", "reinterpret_cast", "const_cast", "down_cast", "checked_cast", "bit_cast", "polymorphic_downcast":
		if len(types) == 0 {
			return lang.None, false
		}
		x := w.typ(types[0], scope)
		v := one()
		if w.number(x) {
			return x, true
		}
		if x == lang.None || w.outside(x) || name == "const_cast" {
			return v, true
		}
		return w.b.Of(lang.OpInstance, x, ""), true
	case "static_pointer_cast", "dynamic_pointer_cast":
		if len(types) == 0 {
			return lang.None, false
		}
		x := w.typ(types[0], scope)
		one()
		return w.b.Many(lang.OpDict, []lang.Arg{{X: w.b.Of(lang.OpInstance, x, "")}}), true
	case "move", "forward", "ref", "cref", "as_const", "addressof", "exchange", "launder":
		for _, t := range types {
			w.typ(t, scope)
		}
		return one(), true
	case "get", "get_if", "any_cast":
		if len(types) == 0 || w.Kind(fn) == "template_function" && name != "any_cast" {
			return lang.None, false
		}
		v := one()
		if w.Kind(types[0]) == "type_descriptor" {
			return w.b.Of(lang.OpInstance, w.typ(types[0], scope), ""), true
		}
		return w.b.Of(lang.OpIndex, v, w.Text(types[0])), true
	case "make_pair":
		args := w.args(list, scope)
		if len(args) == 2 {
			return w.b.Many(lang.OpDict, []lang.Arg{{Name: "first", X: args[0].X}, {Name: "second", X: args[1].X}}), true
		}
		return lang.None, true
	}
	return lang.None, false
}

// operator records the call of an operator that a class may define, where its operand may be of one, and gives the call.
func (w *walker) operator(n, left, right int32, name string, scope int32) int32 {
	if !w.cpp || left == lang.None && right == lang.None || !strings.HasPrefix(name, "operator") || len(name) > 11 {
		return lang.None
	}
	plain := func(x int32) bool {
		if x == lang.None {
			return true
		}
		switch w.b.Facts.Exprs[x].Op {
		case lang.OpExternal, lang.OpString, lang.OpUnknown:
			return true
		case lang.OpName:
			return w.plain[w.b.Facts.Exprs[x].Name]
		}
		return false
	}
	if plain(left) && plain(right) {
		return lang.None
	}
	at := n
	if l := w.Child(n, 0); l >= 0 && w.Kind(n) == "binary_expression" {
		at = l
	}
	call := lang.None
	if !plain(left) {
		var args []lang.Arg
		if right != lang.None {
			args = []lang.Arg{{X: right}}
		}
		call = w.b.Call(w.b.Of(lang.OpAttr, left, name), args)
		w.ref(lang.Call, at, scope, call, "")
	}
	if right == lang.None || name == "operator=" || name == "operator[]" {
		return call
	}
	free := w.b.Call(w.b.Name(scope, name), []lang.Arg{{X: left}, {X: right}})
	w.ref(lang.Call, at, scope, free, "")
	if call == lang.None {
		return free
	}
	return w.b.Any(call, free)
}

// assign reads an assignment.
func (w *walker) assign(n, scope int32) int32 {
	left, right := w.Field(n, "left"), w.Field(n, "right")
	if left < 0 || right < 0 {
		w.all(n, scope)
		return lang.None
	}
	op := strings.TrimSpace(string(w.Src[w.End(left):w.Start(right)]))
	line := w.Line(left)
	if w.Kind(left) == "identifier" {
		name := w.Text(left)
		x := w.visit(right, scope)
		v, ok := w.local(name)
		if op == "=" && w.flows(x) {
			switch {
			case ok && !v.typed:
				w.b.Bind(lang.Assign, w.ownerOf(v.name, scope), v.name, x, line)
			case !ok && w.inFunction(scope):
				w.setGlobal(name, scope, x, line)
			}
		}
		if ok {
			target := w.b.Name(scope, v.name)
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
		field := w.last(w.Field(left, "field"))
		if obj != lang.None && field != "" {
			if w.cpp && strings.Contains(string(w.Src[w.End(w.Field(left, "argument")):w.Start(w.Field(left, "field"))]), "->") {
				if w.b.Facts.Exprs[obj].Op != lang.OpThis {
					obj = w.b.Of(lang.OpDeref, obj, "operator->")
				}
			}
			if op == "=" && w.flows(x) && w.untyped(right) {
				w.b.Set(lang.Assign, scope, obj, field, x, line)
			}
			target := w.b.Of(lang.OpAttr, obj, field)
			w.operator(n, target, x, "operator"+op, scope)
		}
		return x
	}
	target := w.visit(left, scope)
	w.operator(n, target, x, "operator"+op, scope)
	return x
}

// untyped tells whether an expression may be a function: a name that is no variable with a type.
func (w *walker) untyped(n int32) bool {
	for n >= 0 && (w.Kind(n) == "pointer_expression" || w.Kind(n) == "parenthesized_expression" || w.Kind(n) == "cast_expression") {
		if v := w.Field(n, "value"); v >= 0 {
			n = v
		} else if v := w.Field(n, "argument"); v >= 0 {
			n = v
		} else {
			n = w.Child(n, 0)
		}
	}
	if n < 0 {
		return false
	}
	if w.Kind(n) == "identifier" {
		v, ok := w.local(w.Text(n))
		return !ok || !v.typed
	}
	return true
}

// ownerOf gives the function whose variable a name is: for one that a lambda takes, the function around it.
func (w *walker) ownerOf(name string, scope int32) int32 {
	for s := scope; s != lang.File; s = w.b.Facts.Decls[s].Parent {
		d := &w.b.Facts.Decls[s]
		for i := range d.Params {
			if d.Params[i].Name == name {
				return s
			}
		}
		if d.Kind == lang.Function {
			return s
		}
	}
	return scope
}

// setGlobal gives a variable of the file a value, where the file declares it without a type that says all.
func (w *walker) setGlobal(name string, scope, x, line int32) {
	for s := scope; s != lang.File; s = w.b.Facts.Decls[s].Parent {
		if w.b.Facts.Decls[s].Kind == lang.Class {
			w.b.Set(lang.Assign, scope, w.b.Leaf(lang.OpThis, scope, ""), name, x, line)
			return
		}
		if w.b.Facts.Decls[s].Receiver != "" {
			w.b.Set(lang.Assign, scope, w.b.Leaf(lang.OpThis, scope, ""), name, x, line)
		}
	}
	if in, ok := w.global[name]; ok {
		w.b.Bind(lang.Assign, in, name, x, line)
	}
}

// lambda reads a lambda.
func (w *walker) lambda(n, scope int32) int32 {
	d := w.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: w.Span(w.Start(n), w.End(n))})
	env := w.env
	if w.env == nil {
		w.env, w.count = []map[string]variable{}, map[string]int{}
	}
	w.env = append(w.env[:len(w.env):len(w.env)], nil)
	if c := w.Field(n, "captures"); c >= 0 {
		for a := range w.Children(c) {
			if w.Kind(a) == "lambda_capture_initializer" || w.Kind(a) == "assignment_expression" {
				if l := w.Field(a, "left"); l >= 0 {
					x := w.visit(w.Field(a, "right"), scope)
					if x == lang.None {
						x = w.unknown()
					}
					w.b.Bind(lang.Assign, d, w.declare(w.Text(l), d, false), x, w.Line(a))
				}
			}
		}
	}
	auto := true
	if dn := w.Field(n, "declarator"); dn >= 0 {
		w.params(dn, d)
		if tr := w.First(dn, "trailing_return_type"); tr >= 0 {
			if x := w.typ(w.Child(tr, 0), d); x != lang.None {
				auto = false
				w.b.Bind(lang.ReturnType, d, "", x, w.Line(n))
			}
		}
	}
	w.result = append(w.result, auto)
	w.all(w.Field(n, "body"), d)
	w.result = w.result[:len(w.result)-1]
	w.env = env
	return w.b.Decl(d)
}

// rangeLoop reads "for (x : xs)".
func (w *walker) rangeLoop(n, scope int32) {
	w.block(func() {
		if init := w.Field(n, "initializer"); init >= 0 {
			w.visit(init, scope)
		}
		xs := w.visit(w.Field(n, "right"), scope)
		elem := w.b.Of(lang.OpDeref, xs, "begin")
		typ := w.Field(n, "type")
		if dn := w.Field(n, "declarator"); dn >= 0 {
			v := w.declarator(dn)
			switch {
			case v.name >= 0 && w.Kind(v.name) == "structured_binding_declarator":
				w.unpack(v.name, elem, scope)
			case v.name >= 0 && typ >= 0 && w.automatic(typ):
				if elem == lang.None {
					elem = w.unknown()
				}
				w.b.Bind(lang.Assign, scope, w.declare(w.Text(v.name), scope, false), elem, w.Line(v.name))
			default:
				v.pointer = true // a copy is no construction to speak of
				w.variable(n, v, w.typ(typ, scope), false, -1, scope, false)
			}
		}
		w.visit(w.Field(n, "body"), scope)
	})
}
