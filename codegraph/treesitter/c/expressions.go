package c

import "github.com/findspot/findspot/codegraph/lang"

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
		if v := w.declarator(dn); v.fn < 0 { // a statement or a class that an unknown macro dressed up
			w.typ(w.Field(n, "type"), scope)
			w.all(w.Field(n, "body"), scope)
			break
		}
		w.function(n, n, dn, scope)
	case "declaration", "constructor_or_destructor_declaration", "operator_cast_declaration":
		if w.In(scope, lang.Class) {
			w.member(n, scope)
		} else {
			w.variables(n, scope)
		}
	case "field_declaration":
		w.member(n, scope)
	case "class_specifier", "struct_specifier", "union_specifier", "enum_specifier":
		if w.Field(n, "body") < 0 {
			w.forwardDeclaration(n, n, scope)
			break
		}
		w.class(n, n, scope, "")
	case "type_definition":
		w.typedef(n, scope)
	case "alias_declaration":
		x := w.OrUnknown(w.typ(w.Field(n, "type"), scope))
		w.B.Bind(lang.Alias, scope, w.declareType(w.Text(w.Field(n, "name")), scope), x, w.Line(n))
	case "namespace_definition":
		w.namespace(n, scope)
	case "namespace_alias_definition":
		w.B.Bind(lang.Alias, scope, w.Text(w.Field(n, "name")), w.namespaceName(w.Last(n), scope), w.Line(n))
	case "using_declaration":
		w.using(n, scope)
	case "template_declaration":
		w.template(n, scope)
	case "friend_declaration":
		w.friend(n, scope)
	case "template_instantiation":
		w.typ(w.Field(n, "type"), scope)
	case "compound_statement", "for_statement", "if_statement", "while_statement", "switch_statement":
		w.block(func() { w.all(n, scope) })
	case "for_range_loop":
		w.rangeLoop(n, scope)
	case "catch_clause":
		w.block(func() {
			for c := range w.Children(w.Field(n, "parameters")) {
				x := w.typ(w.Field(c, "type"), scope)
				w.variable(c, w.declarator(w.Field(c, "declarator")), x, false, -1, scope, true)
			}
			w.visit(w.Field(n, "body"), scope)
		})
	case "return_statement", "co_return_statement", "co_yield_statement":
		c := w.Child(n, 0)
		x := w.visit(c, scope)
		if w.Is(c, "initializer_list") {
			x = lang.None
		}
		if len(w.result) > 0 && w.result[len(w.result)-1] && scope != lang.File {
			w.B.Bind(lang.Return, scope, "", x, w.Line(n))
		}
	case "identifier", "field_identifier":
		return w.mention(n, scope)
	case "qualified_identifier", "template_function", "operator_name":
		x := w.name(n, scope)
		w.use(n, scope, x)
		return x
	case "type_identifier", "type_descriptor", "template_type":
		return w.typ(n, scope)
	case "this":
		return w.B.Leaf(lang.OpThis, scope, "")
	case "field_expression":
		return w.access(n, scope)
	case "call_expression":
		return w.call(n, scope)
	case "new_expression":
		w.args(w.Field(n, "placement"), scope)
		typ := w.Field(n, "type")
		x := w.typ(typ, scope)
		w.all(w.Field(n, "declarator"), scope)
		args := w.args(w.Field(n, "arguments"), scope)
		if !w.constructs(x) {
			return lang.None
		}
		call := w.B.Call(x, args)
		w.Ref(lang.Call, typ, scope, call, "")
		return w.B.Of(lang.OpPointer, call, "")
	case "compound_literal_expression":
		typ := w.Field(n, "type")
		x := w.typ(typ, scope)
		value := w.Field(n, "value")
		if w.cpp && w.constructs(x) && w.Src[w.Start(n)] != '(' {
			w.Ref(lang.Call, typ, scope, w.B.Call(x, w.values(value)), "")
		}
		w.aggregate(x, value, scope, false)
		return w.Instance(x)
	case "initializer_list":
		var list []int32
		for c := range w.Parts(n) {
			if w.Is(c, "initializer_pair") {
				c = w.Field(c, "value")
			}
			if x := w.visit(c, scope); w.mayBeFunction(x) && len(list) < 64 {
				list = append(list, x)
			}
		}
		if len(list) > 0 {
			return w.List(lang.OpDict, w.B.Any(list...))
		}
	case "cast_expression":
		x := w.typ(w.Field(n, "type"), scope)
		v := w.visit(w.Field(n, "value"), scope)
		if w.isNumber(x) {
			return x
		}
		if x == lang.None || w.isExternal(x) {
			return v // of a pointer to a function, or to nothing in particular
		}
		return w.Else(w.Instance(x), v)
	case "parenthesized_expression":
		last := lang.None
		for c := range w.Children(n) {
			last = w.visit(c, scope)
		}
		return last
	case "conditional_expression":
		w.visit(w.Field(n, "condition"), scope)
		a := w.visit(w.Field(n, "consequence"), scope)
		return w.B.Any(a, w.visit(w.Field(n, "alternative"), scope))
	case "comma_expression":
		w.visit(w.Field(n, "left"), scope)
		return w.visit(w.Field(n, "right"), scope)
	case "assignment_expression":
		return w.assign(n, scope)
	case "pointer_expression":
		x := w.visit(w.Field(n, "argument"), scope)
		if w.Src[w.Start(n)] == '*' {
			return w.B.Of(lang.OpDeref, x, "operator*")
		}
		if w.cpp && w.Src[w.Start(n)] == '&' && !w.Is(w.Field(n, "argument"), "qualified_identifier") { // else a member, or a function
			switch w.Op(x) {
			case lang.OpName, lang.OpAttr, lang.OpDeref, lang.OpCall:
				return w.B.Of(lang.OpPointer, x, "")
			}
		}
		return x
	case "subscript_expression":
		x := w.visit(w.Field(n, "argument"), scope)
		for c := range w.Children(n) {
			if w.FieldName(c) != "argument" {
				w.visit(c, scope)
			}
		}
		w.operator(n, x, lang.None, "operator[]", scope)
		return w.B.Of(lang.OpDeref, x, "operator[]")
	case "binary_expression":
		left, right := w.Field(n, "left"), w.Field(n, "right")
		a, b := w.visit(left, scope), w.visit(right, scope)
		if w.cpp && left >= 0 && right >= 0 {
			op := w.Between(left, right)
			if call := w.operator(n, a, b, "operator"+op, scope); call != lang.None && op != "&&" && op != "||" && op != "==" && op != "!=" && op != "<" && op != ">" {
				return call
			}
			switch op {
			case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
				return w.External("bool")
			}
		}
		return w.External("")
	case "unary_expression", "update_expression":
		x := w.visit(w.Field(n, "argument"), scope)
		switch op := w.Src[w.Start(n)]; {
		case op == '!':
			return w.External("bool")
		case (op == '-' || op == '+') && w.isExternal(x):
			return x
		}
		return w.External("")
	case "number_literal":
		return w.External(literalType(w.Text(n)))
	case "char_literal":
		return w.External("char")
	case "true", "false":
		return w.External("bool")
	case "null", "nullptr":
		return w.External("nullptr")
	case "string_literal", "raw_string_literal", "concatenated_string":
		if w.cpp {
			return w.External(lang.ConstType + "char*")
		}
		return w.External("char*")
	case "sizeof_expression", "alignof_expression", "offsetof_expression", "noexcept":
		w.typ(w.Field(n, "type"), scope)
		w.visit(w.Field(n, "value"), scope)
		return w.External("")
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
	default:
		w.all(n, scope)
	}
	return lang.None
}

// lambda reads a lambda.
func (w *walker) lambda(n, scope int32) int32 {
	d := w.B.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: w.Span(w.Start(n), w.End(n))})
	mark, count := w.env.Len(), w.count
	if count == nil {
		w.count = map[string]int{}
	}
	for a := range w.Of(w.Field(n, "captures"), "lambda_capture_initializer", "assignment_expression") {
		if l := w.Field(a, "left"); l >= 0 {
			x := w.OrUnknown(w.visit(w.Field(a, "right"), scope))
			w.B.Bind(lang.Assign, d, w.declare(w.Text(l), d, false), x, w.Line(a))
		}
	}
	auto := true
	if dn := w.Field(n, "declarator"); dn >= 0 {
		w.params(dn, d)
		if tr := w.First(dn, "trailing_return_type"); tr >= 0 {
			if x := w.typ(w.Child(tr, 0), d); x != lang.None {
				auto = false
				w.B.Bind(lang.ReturnType, d, "", x, w.Line(n))
			}
		}
	}
	w.result = append(w.result, auto)
	w.all(w.Field(n, "body"), d)
	w.result = w.result[:len(w.result)-1]
	w.env.Leave(mark)
	w.count = count
	return w.B.Decl(d)
}

// rangeLoop reads "for (x : xs)".
func (w *walker) rangeLoop(n, scope int32) {
	w.block(func() {
		w.visit(w.Field(n, "initializer"), scope)
		xs := w.visit(w.Field(n, "right"), scope)
		elem := w.B.Of(lang.OpDeref, xs, "begin")
		typ := w.Field(n, "type")
		if dn := w.Field(n, "declarator"); dn >= 0 {
			v := w.declarator(dn)
			switch {
			case v.name >= 0 && w.Kind(v.name) == "structured_binding_declarator":
				w.structuredBinding(v.name, elem, scope)
			case v.name >= 0 && typ >= 0 && w.isAuto(typ):
				w.B.Bind(lang.Assign, scope, w.declare(w.Text(v.name), scope, false), w.OrUnknown(elem), w.Line(v.name))
			default:
				v.pointer = true // a copy is no construction to speak of
				w.variable(n, v, w.typ(typ, scope), false, -1, scope, false)
			}
		}
		w.visit(w.Field(n, "body"), scope)
	})
}

// top visits the declarations of the file; those between two macros that open and close a namespace are in it.
func (w *walker) top() {
	scopes := make([]int32, len(w.s.namespaces))
	for i := range scopes {
		scopes[i] = lang.None
	}
	for c := range w.Children(0) {
		scope := lang.File
		for i, sp := range w.s.namespaces {
			if w.Start(c) < sp.start || w.Start(c) >= sp.end {
				continue
			}
			if scopes[i] == lang.None {
				line, _ := w.Place(sp.start)
				scopes[i] = w.B.Declare(lang.Decl{Name: sp.name, Kind: lang.Namespace, Parent: scope, Span: w.Span(sp.start, min(sp.end, int32(len(w.Src)))), NameLine: line})
			}
			scope = scopes[i]
		}
		w.visit(c, scope)
	}
}

func (w *walker) all(n, scope int32) {
	for c := range w.Children(n) {
		w.visit(c, scope)
	}
}
