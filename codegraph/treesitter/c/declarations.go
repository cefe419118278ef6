package c

import (
	"strconv"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// params reads the parameters of a function into declaration d, whose scope their types are looked up in.
func (w *walker) params(fn, d int32) {
	var out []lang.Param
	for c := range w.Children(w.Field(fn, "parameters")) {
		p := core.Param("")
		switch w.Kind(c) {
		case "parameter_declaration", "optional_parameter_declaration", "variadic_parameter_declaration":
			typ, dn := w.Field(c, "type"), w.Field(c, "declarator")
			v := w.declarator(dn)
			if dn < 0 && typ >= 0 && w.Text(typ) == "void" {
				continue
			}
			if v.call || v.fn >= 0 { // a function: which one, the arguments say
				w.typ(typ, d)
				w.signature(dn, d)
			} else {
				p.Type = w.constQualified(c, w.pointerTo(w.typ(typ, d), v))
			}
			p.Name = w.Text(v.name)
			if w.Kind(c) == "variadic_parameter_declaration" {
				p.Kind = lang.Rest
			}
			if def := w.Field(c, "default_value"); def >= 0 {
				if p.Def = w.visit(def, d); p.Def == lang.None {
					p.Def = w.External("")
				}
			}
		case "variadic_parameter", "parameter_pack_expansion":
			p.Kind = lang.Rest
		case "identifier": // K&R
			p.Name = w.Text(c)
		default:
			continue
		}
		if p.Name != "" && w.count != nil {
			p.Name = w.declare(p.Name, d, w.isExternal(p.Type) && !strings.HasSuffix(w.B.Facts.Exprs[p.Type].Name, "*"))
		}
		out = append(out, p)
	}
	if strings.Contains(w.Text(w.Field(fn, "parameters")), "...") && (len(out) == 0 || out[len(out)-1].Kind != lang.Rest) {
		p := core.Param("")
		p.Kind = lang.Rest
		out = append(out, p)
	}
	w.Declared(d).Params = out
}

// signature mentions the types in the parameters of a function type.
func (w *walker) signature(n, scope int32) {
	for c := range w.Children(n) {
		switch w.Kind(c) {
		case "parameter_declaration", "optional_parameter_declaration":
			w.typ(w.Field(c, "type"), scope)
		default:
			w.signature(c, scope)
		}
	}
}

// templated binds the template parameters that wait to a declaration.
func (w *walker) templated(d int32) {
	line := w.Declared(d).Span.Line
	for _, list := range w.tparam {
		for _, name := range list {
			w.bindUnknown(name, d, line)
		}
	}
	w.tparam = nil
}

// function declares a function: its definition, or only its announcement where it has no body. n is the whole
// declaration, dn its declarator.
func (w *walker) function(n, whole, dn, scope int32) {
	v := w.declarator(dn)
	if v.fn < 0 || v.name < 0 {
		w.all(n, scope)
		return
	}
	name, receiver, qualified := w.splitName(v.name)
	body := w.Field(n, "body")
	if body < 0 {
		body = w.First(n, "try_statement")
	}
	typ := w.Field(n, "type")
	if k := w.Kind(v.name); typ < 0 && receiver == "" && k == "identifier" && body >= 0 && w.isMacroFunction(name, v.fn, scope) {
		w.macroFunction(n, whole, name, v.fn, body, scope)
		return
	}
	if name == "" || typeWords[name] || keywords[name] {
		w.all(n, scope)
		return
	}
	method := w.In(scope, lang.Class)
	start, end := w.Start(whole), w.End(n)
	d := lang.Decl{Name: name, Kind: lang.Function, Parent: scope, Span: w.Span(start, end), NameLine: w.Line(v.name), Receiver: receiver,
		Flags: w.conditional(w.Start(n)), Shape: w.shape(v.fn)}
	d.Signature, d.Body = w.header(start, body, end)
	if w.cpp {
		d.Flags |= lang.Overload // with those that share its scope and name but not its parameters
	}
	defaulted := w.First(n, "default_method_clause", "delete_method_clause") >= 0
	switch {
	case w.First(n, "pure_virtual_clause") >= 0 || method && body < 0 && w.isPure(n):
		d.Flags |= lang.Interface | lang.Forward // it may be defined all the same
	case body < 0 && !defaulted:
		d.Flags |= lang.Forward
	}
	if w.hasSpecifier(n, "static") {
		if method {
			d.Flags |= lang.Static
		} else {
			d.Flags |= lang.Local
		}
	}
	if w.anonymous > 0 && receiver == "" && !method {
		d.Flags |= lang.Local
	}
	if receiver != "" || w.Is(w.unqualified(v.name), "template_function") { // a specialisation: the name means the template
		d.Flags |= lang.Hidden
	}
	if w.isConst(v.fn) {
		d.Flags |= lang.Const
	}
	tparams := w.tparam
	w.tparam = nil
	i := w.B.Declare(d)
	if qualified >= 0 {
		w.Declared(i).Owner = w.owner(v.name, scope)
		if w.Declared(i).Owner == lang.None {
			w.Declared(i).Receiver = ""
		}
	}
	w.tparam = tparams
	w.templated(i)
	w.functionScope(true, func() {
		returns := lang.None
		auto := false
		if tr := w.First(v.fn, "trailing_return_type"); tr >= 0 {
			returns = w.typ(w.Child(tr, 0), i)
		} else if typ >= 0 {
			auto = w.isAuto(typ)
			returns = w.constQualified(n, w.pointerTo(w.typ(typ, i), declarator{star: v.star, stars: v.stars}))
		}
		if w.Kind(v.name) == "operator_cast" {
			returns = w.typ(w.Field(v.name, "type"), i)
		}
		if w.returnsFunction(dn, v.fn) {
			auto = true
		} else if returns != lang.None {
			w.B.Bind(lang.ReturnType, i, "", returns, w.Line(n))
		}
		w.params(v.fn, i)
		for c := range w.Children(n) { // K&R
			if w.Kind(c) == "declaration" {
				w.variables(c, i)
			}
		}
		for c := range w.Of(v.fn, "requires_clause", "noexcept") {
			w.all(c, i)
		}
		w.initialisers(w.First(n, "field_initializer_list"), i)
		if body < 0 {
			return
		}
		w.result = append(w.result, returns == lang.None || auto)
		w.initialisers(w.First(body, "field_initializer_list"), i) // of one that is a try statement
		w.all(body, i)
		w.result = w.result[:len(w.result)-1]
	})
}

// initialisers reads what a constructor gives to base classes and members.
func (w *walker) initialisers(n, d int32) {
	for c := range w.Of(n, "field_initializer") {
		name := w.Child(c, 0)
		var args []lang.Arg
		value := int32(-1)
		for a := range w.Of(c, "argument_list", "initializer_list") {
			args = w.args(a, d)
			value = w.Child(a, 0)
		}
		callee := lang.None
		if w.Is(name, "field_identifier", "identifier") {
			x := w.B.Name(d, w.Text(name))
			callee = w.Else(w.B.Of(lang.OpAttr, x, "__class__"), x)
			if len(args) == 1 && w.mayBeFunction(args[0].X) {
				w.B.Set(lang.Assign, d, w.B.Leaf(lang.OpThis, d, ""), w.Text(name), args[0].X, w.Line(value))
			}
		} else {
			callee = w.typ(name, d)
		}
		w.Ref(lang.Call, name, d, w.B.Call(callee, args), "")
	}
}

// macroFunction declares the function that a macro makes of a body. It is called by the macro's arguments. One whose first
// argument is a class (TEST_F of GoogleTest and its kin) is a method of a class derived from that.
func (w *walker) macroFunction(n, whole int32, macro string, fn, body, scope int32) {
	var args []string
	first := int32(-1)
	for c := range w.Children(w.Field(fn, "parameters")) {
		if t := w.Text(c); t != "" && isIdent(t[0]) && !strings.ContainsAny(t, " \n\t(") {
			if args = append(args, t); first < 0 {
				first = c
			}
		}
	}
	name := strings.Join(args, "_")
	if name == "" {
		name = macro
	}
	start, end := w.Start(whole), w.End(n)
	d := lang.Decl{Name: name, Kind: lang.Function, Parent: scope, Span: w.Span(start, end), NameLine: w.Line(n), Flags: w.conditional(start) | lang.Local}
	d.Signature, d.Body = w.header(start, body, end)
	in := scope
	if macro == "TEST_F" || macro == "TEST_P" || macro == "TYPED_TEST" || macro == "TYPED_TEST_P" {
		c := d
		c.Kind, c.Name = lang.Class, name+"_Test"
		in = w.B.Declare(c)
		if first >= 0 {
			w.Declared(in).Bases = []int32{w.typ(w.Field(first, "type"), scope)}
		}
		d.Name, d.Parent = "TestBody", in
	}
	i := w.B.Declare(d)
	w.Ref(lang.Call, w.declarator(fn).name, i, w.B.Call(w.B.Name(scope, macro), nil), "")
	w.functionScope(true, func() {
		w.result = append(w.result, false)
		w.all(body, i)
		w.result = w.result[:len(w.result)-1]
	})
}

// variables reads a declaration: types it declares, variables, announced functions.
func (w *walker) variables(n, scope int32) {
	typ := w.Field(n, "type")
	list := w.declarators(n)
	if len(list) == 0 {
		w.bareType(n, typ, scope, !w.inFunction(scope))
		return
	}
	auto := w.isAuto(typ)
	get := sync.OnceValue(func() int32 { return w.typeWithHint(typ, scope, w.Text(w.declarator(list[0]).name)) })
	outside := w.hasSpecifier(n, "extern")
	for _, c := range list {
		w.sizes(c, scope)
		init := int32(-1)
		if w.Kind(c) == "init_declarator" {
			init = w.Field(c, "value")
		} else if i := w.Field(n, "default_value"); i >= 0 {
			init = i
		} else if i := w.Field(n, "value"); i >= 0 { // in a condition
			init = i
		}
		v := w.declarator(c)
		if v.fn >= 0 && init < 0 {
			if !w.inFunction(scope) || !w.cpp || typ < 0 || v.star || w.Text(typ) == "void" || outside || !w.isVexingParse(v.fn) {
				if typ < 0 && !w.cpp && w.inFunction(scope) {
					w.all(n, scope)
					return
				}
				w.function(n, w.around(n), c, scope)
				continue
			}
			init = w.Field(v.fn, "parameters")
		}
		w.variable(n, v, get(), auto, init, scope, outside)
	}
}

// sizes reads the lengths of arrays in a declarator.
func (w *walker) sizes(n, scope int32) {
	for i := 0; n >= 0 && i < 100; i++ {
		if w.Is(n, "array_declarator") {
			w.visit(w.Field(n, "size"), scope)
		}
		n = w.Field(n, "declarator")
	}
}

// initial reads the first value of a variable of type x, and gives it where it is one expression.
func (w *walker) initial(v declarator, x, init, scope, at int32) int32 {
	switch w.Kind(init) {
	case "initializer_list":
		if w.cpp && !v.pointer && !v.array && w.constructs(x) {
			w.Ref(lang.Call, at, scope, w.B.Call(x, w.values(init)), "")
		}
		w.aggregate(x, init, scope, v.array)
	case "argument_list", "parameter_list":
		args := w.args(init, scope)
		if w.cpp && !v.pointer && w.constructs(x) {
			w.Ref(lang.Call, at, scope, w.B.Call(x, args), "")
		}
	default:
		return w.visit(init, scope)
	}
	return lang.None
}

// values gives a list of arguments for counting, without visiting them.
func (w *walker) values(list int32) []lang.Arg {
	var args []lang.Arg
	for c := range w.Children(list) {
		if w.Kind(c) != "comment" {
			args = append(args, lang.Arg{X: lang.None})
		}
	}
	return args
}

// aggregate reads a list of values for the fields of x, or for the elements of an array of it.
func (w *walker) aggregate(x, list, scope int32, array bool) {
	if w.depth > 200 {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	target := lang.None
	at := 0
	for c := range w.Parts(list) {
		value, name := c, "#"+strconv.Itoa(at)
		if w.Is(c, "initializer_pair") {
			value, name = w.Field(c, "value"), ""
			for f := range w.Children(c) {
				switch w.Kind(f) {
				case "field_designator":
					name = w.Text(w.Child(f, 0))
				case "field_identifier": // an older form: name: value
					name = w.Text(f)
				}
			}
		}
		at++
		if value < 0 {
			continue
		}
		if w.Kind(value) == "compound_literal_expression" && w.Field(value, "type") < 0 {
			value = w.Field(value, "value")
		}
		if w.Kind(value) == "initializer_list" {
			in := x
			if !array && x != lang.None && !w.isExternal(x) && name != "" {
				in = w.B.Of(lang.OpAttr, w.B.Of(lang.OpAttr, w.Instance(x), name), "__class__")
			}
			w.aggregate(in, value, scope, false)
			continue
		}
		val := w.visit(value, scope)
		if x == lang.None || w.isExternal(x) || name == "" || !w.mayBeFunction(val) {
			continue
		}
		if target == lang.None {
			target = w.Instance(x)
		}
		w.B.Set(lang.Assign, scope, target, name, val, w.Line(c))
	}
}

// structuredBinding declares the names of a structured binding.
func (w *walker) structuredBinding(n, val, scope int32) {
	i := 0
	keys := []string{"first", "second"}
	for c := range w.Of(n, "identifier") {
		x := lang.None
		if val != lang.None && i < 2 {
			x = w.B.Any(w.B.Of(lang.OpIndex, val, keys[i]), w.B.Of(lang.OpIndex, val, strconv.Itoa(i)))
		}
		w.B.Bind(lang.Assign, scope, w.declare(w.Text(c), scope, false), w.OrUnknown(x), w.Line(c))
		i++
	}
}

// variable declares a variable or field of type x with its first value, in the declaration decl.
func (w *walker) variable(decl int32, v declarator, x int32, auto bool, init, scope int32, outside bool) {
	if v.name < 0 {
		w.visit(init, scope)
		return
	}
	line := w.Line(v.name)
	if w.Kind(v.name) == "structured_binding_declarator" {
		val := w.visit(init, scope)
		w.structuredBinding(v.name, val, scope)
		return
	}
	name, receiver, _ := w.splitName(v.name)
	if name == "" {
		return
	}
	if receiver != "" { // a static member
		w.owner(v.name, scope)
		if init >= 0 {
			w.initial(v, x, init, scope, v.name)
		}
		return
	}
	plain := x == lang.None || w.isExternal(x)
	uname := name
	bound := func(typed bool) { uname = w.declare(name, scope, typed) }
	switch {
	case v.call || auto:
		val := w.visit(init, scope)
		if v.call && w.Is(init, "initializer_list") { // a table
			val = w.B.Of(lang.OpElem, val, "")
		}
		bound(false)
		if v.call && !w.inFunction(scope) {
			w.global[name] = scope
		}
		w.B.Bind(lang.Assign, scope, uname, w.OrUnknown(val), line)
		return
	case plain:
		val := w.visit(init, scope)
		bound(!v.pointer)
		if v.pointer && w.mayBeFunction(val) {
			w.B.Bind(lang.Assign, scope, uname, val, line)
		} else {
			t := w.External("")
			if w.isExternal(x) {
				t = w.constQualified(decl, w.pointerTo(x, v))
			}
			w.B.Bind(lang.Annotate, scope, uname, t, line)
		}
		return
	}
	val := lang.None
	if init >= 0 {
		val = w.initial(v, x, init, scope, v.name)
	} else if w.cpp && !v.pointer && !outside && w.inFunction(scope) && w.constructs(x) {
		w.Ref(lang.Call, v.name, scope, w.B.Call(x, nil), "")
	}
	bound(false)
	w.B.Bind(lang.Annotate, scope, uname, w.constQualified(decl, w.pointerTo(x, v)), line)
	if w.mayBeFunction(val) { // for a type that is another name of a function's
		w.B.Bind(lang.Assign, scope, uname, val, line)
	}
	if !w.inFunction(scope) {
		w.global[name] = scope
	}
}
