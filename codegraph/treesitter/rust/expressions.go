package rust

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// expr records what an expression does and gives the sketch of its value, or None.
func (p *walker) expr(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch p.Kind(n) {
	case "identifier", "self", "scoped_identifier", "generic_function":
		x := p.path(n, scope)
		p.mention(n, scope, x)
		return x
	case "line_comment", "block_comment", "label", "lifetime", "attribute_item", "visibility_modifier", "mutable_specifier":
		return lang.None
	case "call_expression":
		return p.call(n, scope)
	case "macro_invocation":
		return p.macroCall(n, scope)
	case "field_expression":
		v := p.Field(n, "value")
		name := p.Text(p.Field(n, "field"))
		x := p.fieldOf(p.expr(v, scope), name)
		if y, ok := p.genericFields[name]; ok && p.Kind(v) == "self" {
			return p.orElse(x, y)
		}
		return x
	case "struct_expression":
		return p.literal(n, scope)
	case "closure_expression":
		return p.closure(n, scope, nil)
	case "block", "unsafe_block", "async_block", "const_block", "try_block":
		return p.block(n, scope)
	case "if_expression":
		return p.scoped(func() int32 {
			p.condition(p.Field(n, "condition"), scope)
			a := p.expr(p.Field(n, "consequence"), scope)
			return p.B.Any(a, p.expr(p.Field(n, "alternative"), scope))
		})
	case "while_expression":
		return p.scoped(func() int32 {
			p.condition(p.Field(n, "condition"), scope)
			p.expr(p.Field(n, "body"), scope)
			return lang.None
		})
	case "for_expression":
		x := p.expr(p.Field(n, "value"), scope)
		return p.scoped(func() int32 {
			p.bind(p.Field(n, "pattern"), p.element(x), scope)
			p.expr(p.Field(n, "body"), scope)
			return lang.None
		})
	case "match_expression":
		return p.match(n, scope)
	case "let_declaration":
		p.declareLocal(n, scope)
	case "let_condition", "let_chain":
		p.condition(n, scope)
	case "try_expression":
		return p.payload(p.expr(p.Child(n, 0), scope))
	case "await_expression", "parenthesized_expression", "reference_expression", "else_clause", "expression_statement":
		last := lang.None
		for c := range p.Children(n) {
			if x := p.expr(c, scope); x != lang.None {
				last = x
			}
		}
		return last
	case "unary_expression":
		x := p.expr(p.Child(n, 0), scope)
		if p.at(p.Start(n)) == '*' {
			return x
		}
		return p.external
	case "type_cast_expression":
		p.expr(p.Field(n, "value"), scope)
		return p.instance(p.typ(p.Field(n, "type"), scope))
	case "assignment_expression":
		x := p.expr(p.Field(n, "right"), scope)
		p.assign(p.Field(n, "left"), x, scope)
	case "compound_assignment_expr":
		p.expr(p.Field(n, "left"), scope)
		p.expr(p.Field(n, "right"), scope)
	case "binary_expression":
		p.expr(p.Field(n, "left"), scope)
		p.expr(p.Field(n, "right"), scope)
		return p.external
	case "return_expression", "break_expression":
		x := lang.None
		for c := range p.Children(n) {
			if !p.Is(c, "label") {
				x = p.expr(c, scope)
			}
		}
		if p.In(scope, lang.Lambda) && p.Kind(n) == "return_expression" {
			p.B.Bind(lang.Return, scope, "", x, p.Line(n))
		}
	case "index_expression":
		x := p.expr(p.Child(n, 0), scope)
		i := p.Child(n, 1)
		p.expr(i, scope)
		if p.Kind(i) == "range_expression" || x == lang.None {
			return x
		}
		return p.orElse(p.B.Any(p.part(x, "0"), p.part(x, "3")), p.B.Call(p.B.Of(lang.OpAttr, x, "index"), nil))
	case "array_expression":
		var xs []int32
		for c := range p.Children(n) {
			x := p.expr(c, scope)
			if p.FieldName(c) != "length" && x != lang.None && len(xs) < 64 {
				xs = append(xs, x)
			}
		}
		return p.tuple(p.B.Any(xs...))
	case "tuple_expression":
		var xs []int32
		for c := range p.Parts(n) {
			if !p.Is(c, "attribute_item") {
				xs = append(xs, p.expr(c, scope))
			}
		}
		return p.tuple(xs...)
	case "integer_literal", "float_literal", "char_literal", "boolean_literal", "unit_expression", "string_literal", "raw_string_literal",
		"negative_literal":
		return p.external
	case "token_tree", "use_declaration", "attribute":
		return lang.None
	default: // such as what a syntax error has left
		if k := p.Kind(n); itemKinds[k] {
			p.item(n, scope, nil)
		} else if !strings.HasSuffix(k, "_type") && k != "type_arguments" {
			p.items(n, scope)
		}
	}
	return lang.None
}

// block reads the statements of a block in a scope of variables of its own, and gives the value of its last expression.
func (p *walker) block(n, scope int32) int32 {
	if !p.Is(n, "block") {
		n = p.First(n, "block")
	}
	return p.scoped(func() int32 { return p.items(n, scope) })
}

// declareLocal reads a let: its variables are there for what follows.
func (p *walker) declareLocal(n, scope int32) {
	x := p.expr(p.Field(n, "value"), scope)
	if t := p.Field(n, "type"); t >= 0 {
		if y := p.typ(t, scope); y != lang.None && y != p.unknown {
			x = p.orElse(p.instance(y), x)
		}
	}
	p.expr(p.Field(n, "alternative"), scope)
	p.bind(p.Field(n, "pattern"), x, scope)
}

// condition reads the condition of an if or while, whose patterns bind variables of the body.
func (p *walker) condition(n, scope int32) {
	switch p.Kind(n) {
	case "let_condition":
		p.bind(p.Field(n, "pattern"), p.expr(p.Field(n, "value"), scope), scope)
	case "let_chain":
		for c := range p.Children(n) {
			p.condition(c, scope)
		}
	default:
		p.expr(n, scope)
	}
}

func (p *walker) match(n, scope int32) int32 {
	x := p.expr(p.Field(n, "value"), scope)
	var out []int32
	for arm := range p.Of(p.Field(n, "body"), "match_arm") {
		y := p.scoped(func() int32 {
			pat := p.First(arm, "match_pattern")
			cond := p.Field(pat, "condition")
			for c := range p.Children(pat) {
				if c != cond {
					p.bind(c, x, scope)
				}
			}
			p.condition(cond, scope)
			return p.expr(p.Field(arm, "value"), scope)
		})
		if len(out) < 64 {
			out = append(out, y)
		}
	}
	return p.B.Any(out...)
}

// assign gives a place a new value. A variable keeps its type, so that only one without a value gets it from here.
func (p *walker) assign(left, x, scope int32) {
	switch p.Kind(left) {
	case "identifier":
		if v := p.vars.Find(p.Text(left)); v != nil && *v == p.unknown && x != lang.None {
			*v = x
		}
	case "tuple_expression":
		i := 0
		for c := range p.Children(left) {
			p.assign(c, p.part(x, strconv.Itoa(i)), scope)
			i++
		}
	default:
		p.expr(left, scope)
	}
}

// literal reads a struct expression: an instantiation.
func (p *walker) literal(n, scope int32) int32 {
	name := p.Field(n, "name")
	class := p.typePath(name, scope)
	for f := range p.Children(p.Field(n, "body")) {
		switch p.Kind(f) {
		case "shorthand_field_initializer":
			p.expr(p.First(f, "identifier"), scope)
		case "field_initializer":
			p.expr(p.Field(f, "value"), scope)
		case "base_field_initializer":
			p.expr(p.Child(f, 0), scope)
		}
	}
	if class != lang.None {
		at := p.lastName(name)
		p.ref(lang.Call, at, scope, p.B.Call(class, nil), p.Text(at))
	}
	return p.instance(class)
}

// closure reads a closure; hints are what its parameters take, where the callee says it.
func (p *walker) closure(n, scope int32, hints []int32) int32 {
	s := p.Span(p.Start(n), p.End(n))
	body := p.Field(n, "body")
	d := p.B.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: s, Body: s.Start})
	locals := p.vars.Len()
	var params []lang.Param
	i := 0
	list := p.Field(n, "parameters")
	end := p.Start(max(list, 0))
	for c := range p.Children(list) {
		q, pat := core.Param(""), c
		i += bytes.Count(p.Src[end:p.Start(c)], []byte(",")) // "_" is no node
		end = p.End(c)
		for len(params) < i {
			params = append(params, core.Param(""))
		}
		if p.Is(c, "line_comment", "block_comment") {
			continue
		}
		if p.Is(c, "parameter") {
			pat = p.Field(c, "pattern")
			q.Type = p.typ(p.Field(c, "type"), scope)
		}
		q.Name = "." + strconv.Itoa(i) // no name that an expression could have
		params = append(params, q)
		x := p.B.Name(d, q.Name)
		if i < len(hints) {
			x = p.orElse(x, hints[i])
		}
		if q.Type != lang.None {
			x = p.orElse(p.instance(q.Type), x)
		}
		p.bind(pat, x, d)
	}
	p.Declared(d).Params = params
	if t := p.Field(n, "return_type"); t >= 0 {
		p.B.Bind(lang.ReturnType, d, "", p.typ(t, scope), p.Line(t))
	}
	x := p.expr(body, d)
	p.B.Bind(lang.Return, d, "", x, s.Line)
	p.vars.Leave(locals)
	return p.B.Decl(d)
}

// bind gives the variables of a pattern their parts of a value.
func (p *walker) bind(n, x, scope int32) {
	switch p.Kind(n) {
	case "identifier", "self":
		name := p.Text(n)
		if core.Capital(name) { // a constant or a variant without fields
			p.mention(n, scope, p.path(n, scope))
			return
		}
		p.declareVar(name, x)
	case "scoped_identifier":
		p.mention(n, scope, p.path(n, scope))
	case "mut_pattern", "ref_pattern", "reference_pattern", "parenthesized_pattern", "captured_pattern", "or_pattern":
		for c := range p.Children(n) {
			p.bind(c, x, scope)
		}
	case "tuple_pattern":
		p.bindList(n, -1, scope, func(i int) int32 { return p.part(x, strconv.Itoa(i)) })
	case "slice_pattern":
		p.bindList(n, -1, scope, func(int) int32 { return p.part(x, "0") })
	case "tuple_struct_pattern":
		t := p.Field(n, "type")
		last := p.Text(p.lastName(t))
		switch last {
		case "Some", "Ok":
			p.bindList(n, t, scope, func(int) int32 { return p.payload(x) })
			return
		case "Err":
			p.bindList(n, t, scope, func(int) int32 { return p.part(x, "1") })
			return
		}
		class := p.path(t, scope)
		p.mention(t, scope, class)
		p.bindList(n, t, scope, func(i int) int32 { return p.partOf(class, last, strconv.Itoa(i)) })
	case "struct_pattern":
		t := p.Field(n, "type")
		class := p.typePath(t, scope)
		last := p.Text(p.lastName(t))
		p.ref(lang.Use, p.lastName(t), scope, class, last)
		for c := range p.Of(n, "field_pattern") {
			name := p.Text(p.Field(c, "name"))
			y := p.partOf(class, last, name)
			if pat := p.Field(c, "pattern"); pat >= 0 {
				p.bind(pat, y, scope)
			} else {
				p.declareVar(name, y)
			}
		}
	case "macro_invocation", "range_pattern":
		p.expr(p.First(n, "macro_invocation"), scope)
	}
}

// bindList binds the parts of a pattern in order; what stands behind ".." has no number.
func (p *walker) bindList(n, skip, scope int32, part func(i int) int32) {
	i, open := 0, false
	end := p.Start(n)
	for c := range p.Children(n) {
		k := p.Kind(c)
		i += bytes.Count(p.Src[end:p.Start(c)], []byte(",")) // "_" is no node
		end = p.End(c)
		if c == skip || k == "line_comment" || k == "block_comment" {
			continue
		}
		if k == "remaining_field_pattern" {
			open = true
			continue
		}
		x := p.unknown
		if !open {
			x = part(i)
		}
		p.bind(c, x, scope)
	}
}

// call records a call and gives the sketch of its result.
func (p *walker) call(n, scope int32) int32 {
	fun := p.Field(n, "function")
	if fun < 0 {
		p.items(n, scope)
		return lang.None
	}
	turbo := int32(-1)
	inner := fun
	if p.Kind(fun) == "generic_function" {
		turbo = p.Field(fun, "type_arguments")
		inner = p.Field(fun, "function")
	}
	if p.Kind(inner) == "field_expression" {
		return p.methodCall(n, inner, turbo, scope)
	}
	at := p.lastName(fun)
	name := p.Text(at)
	callee := lang.None
	switch p.Kind(fun) {
	case "identifier", "scoped_identifier", "generic_function", "self":
		callee = p.path(fun, scope)
	default:
		callee = p.expr(fun, scope)
		name = ""
	}
	args := p.args(n, scope, nil)
	made := p.constructed(inner, name, args)
	if callee == p.external && made != lang.None {
		return made
	}
	x := p.B.Call(callee, args)
	if callee != p.external && callee != lang.None {
		p.Ref(lang.Call, at, scope, x, name)
	}
	if made != lang.None {
		return p.orElse(x, made)
	}
	if p.Kind(inner) == "scoped_identifier" && callee != lang.None && callee != p.external {
		switch name { // made by derive, or by a trait for all types
		case "default", "from", "clone", "new", "try_from", "from_str":
			if e := &p.B.Facts.Exprs[callee]; e.Op == lang.OpAttr {
				return p.orElse(x, p.instance(e.X))
			}
		}
	}
	return x
}

// args reads the arguments of a call; hints say what the parameters of closures among them take.
func (p *walker) args(n, scope int32, hints func(i int) []int32) []lang.Arg {
	var out []lang.Arg
	for c := range p.Parts(p.Field(n, "arguments")) {
		switch {
		case p.Is(c, "attribute_item"):
		case p.Is(c, "closure_expression") && hints != nil:
			out = append(out, lang.Arg{X: p.closure(c, scope, hints(len(out)))})
		default:
			out = append(out, lang.Arg{X: p.expr(c, scope)})
		}
	}
	return out
}

// methodCall records x.name(args). Where the type of x is not of the repository, the names of built-in methods say what
// comes out.
func (p *walker) methodCall(n, fun, turbo, scope int32) int32 {
	at := p.Field(fun, "field")
	name := p.Text(at)
	recv := p.expr(p.Field(fun, "value"), scope)
	typed := core.Nth(p.arguments(turbo, scope), 0)
	if recv == lang.None {
		args := p.args(n, scope, nil)
		x := p.B.Call(p.B.Of(lang.OpAttr, p.unknown, name), args)
		p.Ref(lang.Call, at, scope, x, name)
		return lang.None
	}
	args := p.args(n, scope, func(int) []int32 { return p.closureParams(recv, name) })
	x := p.B.Call(p.B.Of(lang.OpAttr, recv, name), args)
	p.Ref(lang.Call, at, scope, x, name)
	if storeMethods[name] && len(args) > 0 {
		p.storeArgs(recv, name, args, scope, n)
	}
	if typed != lang.None {
		switch name {
		case "collect", "parse", "into", "sum", "product", "downcast_ref", "downcast", "downcast_mut", "get", "try_into", "deserialize", "remove":
			y := p.instance(typed)
			if name != "collect" && name != "into" && name != "sum" {
				y = p.tuple(y)
			}
			return p.orElse(x, y)
		}
	}
	return p.orElse(x, p.methodResult(methodSteps[name], recv, name, args))
}
