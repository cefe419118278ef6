package rust

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// typ gives the sketch of a type: a class, a container of instances, a function type; what it names is mentioned.
func (p *walker) typ(n, scope int32) int32 {
	switch p.Kind(n) {
	case "primitive_type", "never_type", "unit_type":
		return p.external
	case "type_identifier", "scoped_type_identifier", "identifier", "scoped_identifier":
		x := p.typePath(n, scope)
		at := p.lastName(n)
		p.ref(lang.Use, at, scope, x, p.Text(at))
		return x
	case "generic_type", "generic_type_with_turbofish":
		return p.generic(n, scope)
	case "reference_type", "pointer_type", "higher_ranked_trait_bound", "type_binding":
		return p.typ(p.Field(n, "type"), scope)
	case "array_type":
		p.expr(p.Field(n, "length"), scope)
		return p.box(p.Field(n, "element"), scope)
	case "tuple_type":
		return p.tuple(core.Map(p.Children(n), func(c int32) int32 { return p.instance(p.typ(c, scope)) })...)
	case "dynamic_type", "abstract_type":
		return p.typ(p.Field(n, "trait"), scope)
	case "bounded_type", "trait_bounds":
		return p.B.Any(p.informative(p.arguments(n, scope))...)
	case "function_type":
		d := p.B.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: p.Span(p.Start(n), p.End(n))})
		p.Declared(d).Body = p.Declared(d).Span.Start
		var params []lang.Param
		for c := range p.Children(p.Field(n, "parameters")) {
			if p.Kind(c) == "parameter" {
				c = p.Field(c, "type")
			}
			params = append(params, lang.Param{Type: p.instance(p.typ(c, scope)), Def: lang.None})
		}
		p.Declared(d).Params = params
		r := p.external
		if t := p.Field(n, "return_type"); t >= 0 {
			r = p.typ(t, scope)
		}
		p.B.Bind(lang.ReturnType, d, "", r, p.Line(n))
		return p.B.Decl(d)
	case "bracketed_type":
		return p.typ(p.Child(n, 0), scope)
	case "qualified_type":
		x := p.typ(p.Field(n, "type"), scope)
		y := p.typ(p.Field(n, "alias"), scope)
		return p.orElse(x, y)
	}
	return lang.None
}

func (p *walker) box(n, scope int32) int32 { return p.tuple(p.instance(p.typ(n, scope))) }

// generic gives the sketch of a type with arguments.
func (p *walker) generic(n, scope int32) int32 {
	head := p.Field(n, "type")
	last := p.Text(p.lastName(head))
	var args []int32
	for c := range p.Parts(p.Field(n, "type_arguments")) {
		switch p.Kind(c) {
		case "lifetime", "integer_literal", "block":
			continue
		case "trait_bounds":
			c = p.Child(c, 0)
		}
		args = append(args, p.instance(p.typ(c, scope)))
	}
	var own int32 = lang.None
	if !prelude[last] || p.known[last] {
		own = p.typePath(head, scope)
		at := p.lastName(head)
		p.ref(lang.Use, at, scope, own, last)
	}
	if len(args) == 0 {
		if own == lang.None {
			return p.external
		}
		return own
	}
	if p.says(own) {
		own = p.Apply(own, "", core.Args(args...))
	}
	arg := func(i int) int32 { return core.Nth(args, i) }
	switch {
	case last == "Result":
		e := arg(1)
		if e == lang.None && own != lang.None {
			e = p.part(p.instance(own), "1")
		}
		return p.tuple(arg(0), e)
	case last == "Option":
		return p.tuple(arg(0))
	case holders[last]:
		return p.orElse(own, arg(0))
	case listTypes[last]:
		return p.orElse(own, p.tuple(arg(0)))
	case mapTypes[last]:
		return p.orElse(own, p.tuple(p.tuple(arg(0), arg(1)), lang.None, arg(0), arg(1)))
	}
	return p.orElse(own, p.tuple(args...))
}

// typePath gives the sketch of a path in the place of a type.
func (p *walker) typePath(n, scope int32) int32 {
	switch p.Kind(n) {
	case "type_identifier", "identifier":
		return p.typeName(p.Text(n), scope)
	case "generic_type", "generic_type_with_turbofish":
		p.arguments(p.Field(n, "type_arguments"), scope)
		return p.typePath(p.Field(n, "type"), scope)
	case "scoped_type_identifier", "scoped_identifier":
		return p.scopedPath(n, scope)
	}
	return p.typ(n, scope)
}

// arguments mentions the types between angle brackets.
func (p *walker) arguments(n, scope int32) []int32 {
	return core.Map(p.Children(n), func(c int32) int32 { return p.typ(c, scope) })
}

// path gives the sketch of a path in the place of a value. The types before its last name are mentioned.
func (p *walker) path(n, scope int32) int32 {
	switch p.Kind(n) {
	case "identifier", "self":
		name := p.Text(n)
		if x := p.vars.Find(name); x != nil {
			return *x
		}
		if name == "self" {
			return p.unknown
		}
		return p.typeName(name, scope)
	case "generic_function":
		p.arguments(p.Field(n, "type_arguments"), scope)
		f := p.Field(n, "function")
		if p.Kind(f) == "field_expression" {
			return p.expr(f, scope)
		}
		return p.path(f, scope)
	case "scoped_identifier", "scoped_type_identifier":
		return p.scopedPath(n, scope)
	}
	return p.typ(n, scope)
}

// scopedPath gives the sketch of a path of several names.
func (p *walker) scopedPath(n, scope int32) int32 {
	head, name := p.Field(n, "path"), p.Text(p.Field(n, "name"))
	if head < 0 { // ::name
		return p.Module("::" + name)
	}
	x := p.prefix(head, scope)
	switch {
	case !p.says(x):
		return x
	case x == p.self:
		if t, ok := p.assoc[name]; ok {
			return t
		}
	}
	return p.B.Of(lang.OpAttr, x, name)
}

// prefix gives the sketch of what stands before a "::".
func (p *walker) prefix(n, scope int32) int32 {
	switch p.Kind(n) {
	case "crate":
		return p.Module("crate")
	case "self":
		return p.around(scope, 0)
	case "super":
		return p.around(scope, 1)
	case "identifier", "type_identifier":
		name := p.Text(n)
		x := p.typeName(name, scope)
		if core.Capital(name) {
			if _, param := p.types[name]; !param && name != "Self" {
				p.ref(lang.Use, n, scope, x, name)
			}
			return x
		}
		if !p.known[name] && x != p.external {
			if _, param := p.types[name]; !param {
				return p.orElse(x, p.Module("::"+name))
			}
		}
		return x
	case "scoped_identifier", "scoped_type_identifier":
		if h := p.Field(n, "path"); h >= 0 && p.Kind(p.Field(n, "name")) == "super" { // super::super
			return p.ancestor(n, scope)
		}
		x := p.scopedPath(n, scope)
		if name := p.Text(p.Field(n, "name")); core.Capital(name) {
			p.ref(lang.Use, p.lastName(n), scope, x, name)
		}
		return x
	}
	return p.typ(n, scope)
}

// mention records that a path is used as a value. Constants and local variables leave no trace.
func (p *walker) mention(n, scope, x int32) {
	at := p.lastName(n)
	name := p.Text(at)
	if x == lang.None || name == "self" || name == "" || x == p.self && name != "Self" {
		return
	}
	switch p.Op(x) {
	case lang.OpName, lang.OpAttr, lang.OpElse:
	default:
		return
	}
	if p.Is(n, "identifier") && p.vars.Find(name) != nil {
		return
	}
	if len(name) > 1 && name == strings.ToUpper(name) {
		return
	}
	p.ref(lang.Use, at, scope, x, name)
}
