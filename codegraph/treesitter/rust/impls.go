package rust

import (
	"maps"
	"slices"
	"strconv"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// structure reads a struct, a union or an enum. A variant is another name of its enum; the fields of variants are bound
// as attributes "Variant.field".
func (p *walker) structure(n, scope int32, attrs []int32, cond bool) {
	d := p.declare(n, scope, lang.Class, attrs, cond, p.signatureEnd(n))
	self, assoc := p.self, p.assoc
	p.self, p.assoc = p.B.Decl(d), nil
	undo := p.parameters(n, d, scope)
	p.numbered(n, p.Field(n, "type_parameters"), p.self)
	body := p.Field(n, "body")
	p.fields(body, d, "")
	for v := range p.Of(body, "enum_variant") {
		name := p.Text(p.Field(v, "name"))
		p.B.Bind(lang.Alias, d, name, p.self, p.Line(v))
		p.fields(p.Field(v, "body"), d, name+".")
		p.expr(p.Field(v, "value"), scope)
	}
	undo()
	p.self, p.assoc = self, assoc
}

// fields binds the fields of a struct or variant. Their types are looked up around the class, whose own names are its
// fields and variants; what they mention, the class does.
func (p *walker) fields(body, d int32, prefix string) {
	scope := p.Declared(d).Parent
	i := 0
	field := func(name string, n int32) {
		first := len(p.B.Facts.Refs)
		t := p.typ(n, scope)
		for j := first; j < len(p.B.Facts.Refs); j++ {
			p.B.Facts.Refs[j].Scope = d
		}
		p.B.Bind(lang.Annotate, d, prefix+name, t, p.Line(n))
	}
	for c := range p.Children(body) {
		switch k := p.Kind(c); {
		case k == "field_declaration":
			if t := p.Field(c, "type"); t >= 0 {
				field(p.Text(p.Field(c, "name")), t)
			}
		case p.Kind(body) == "ordered_field_declaration_list" && p.FieldName(c) == "type":
			field(strconv.Itoa(i), c)
			i++
		}
	}
}

// trait reads a trait: a class that promises, whose methods are called where no more is known of a value.
func (p *walker) trait(n, scope int32, attrs []int32, cond bool) {
	d := p.declare(n, scope, lang.Class, attrs, cond, p.signatureEnd(n))
	p.Declared(d).Flags |= lang.Interface
	self, assoc := p.self, p.assoc
	p.self, p.assoc = p.B.Decl(d), map[string]int32{}
	undo := p.parameters(n, scope, scope)
	var bases []int32
	for c := range p.Children(p.Field(n, "bounds")) {
		if x := p.typ(c, scope); p.says(x) {
			bases = append(bases, x)
		}
	}
	p.Declared(d).Bases = bases
	in := &implBlock{owner: p.self, trait: true}
	p.members(p.Field(n, "body"), d, scope, in)
	undo()
	p.self, p.assoc = self, assoc
}

// impl reads an impl block. Its methods belong to the type it is for.
func (p *walker) impl(n, scope int32, cond bool) {
	self, assoc := p.self, p.assoc
	undo := p.parameters(n, scope, scope)
	t := p.Field(n, "type")
	p.self = lang.None
	if p.Kind(t) == "generic_type" && !p.everyType(t) {
		head := p.Quiet(func() int32 { return p.typePath(p.Field(t, "type"), scope) })
		if p.says(head) {
			p.numbered(n, p.Field(t, "type_arguments"), head)
		}
	}
	owner := p.typ(t, scope)
	in := &implBlock{name: p.typeLabel(t), owner: owner}
	in.every = p.everyType(t) // for all types that keep to a bound, not for the bound
	p.self, p.assoc = owner, map[string]int32{}
	held := p.genericFields
	p.genericFields = p.fieldTypes(t, scope)
	defer func() { p.genericFields = held }()
	if trait := p.Field(n, "trait"); trait >= 0 {
		base := trait
		if p.Kind(trait) == "generic_type" {
			base = p.Field(trait, "type")
		}
		in.of = true
		name := p.Text(p.lastName(base))
		x := p.typePath(base, scope)
		if base != trait {
			p.arguments(p.Field(trait, "type_arguments"), scope)
		}
		if x != lang.None && !in.every && p.says(owner) {
			p.B.Set(lang.Extend, scope, owner, "", x, p.Line(n))
		}
		for c := range p.Children(p.Field(n, "body")) {
			if name == "Deref" && !in.every && p.Kind(c) == "type_item" { // the members of its target are lent to it
				p.B.Set(lang.Extend, scope, owner, "", p.instance(p.typ(p.Field(c, "type"), scope)), p.Line(c))
			}
		}
	}
	p.members(p.Field(n, "body"), scope, scope, in)
	undo()
	p.self, p.assoc = self, assoc
}

// numbered makes the type parameters of an item, which are those named in list, the ones of a class by their place there.
func (p *walker) numbered(n, list, class int32) {
	own := map[string]bool{}
	for c := range p.Children(p.Field(n, "type_parameters")) {
		own[p.typeParam(c)] = true
	}
	i := 0
	for c := range p.Parts(list) {
		if p.Is(c, "lifetime", "lifetime_parameter", "attribute_item") {
			continue
		}
		name := p.typeParam(c)
		if x, ok := p.types[name]; ok && own[name] && name != "" {
			if x == p.unknown || x == p.external {
				x = lang.None
			}
			p.types[name] = p.TypeParam(class, i, x)
		}
		i++
	}
}

// everyType tells whether a type is a type parameter or, where the methods of what is pointed to are not those of the
// pointer, a pointer to one or to a trait object.
func (p *walker) everyType(n int32) bool {
	for range 8 {
		switch p.Kind(n) {
		case "type_identifier":
			_, param := p.types[p.Text(n)]
			return param
		case "reference_type":
			n = p.Field(n, "type")
			if p.Kind(n) == "dynamic_type" {
				return true
			}
		case "generic_type":
			if last := p.Text(p.lastName(n)); !holders[last] || p.known[last] {
				return false
			}
			n = p.Child(p.Field(n, "type_arguments"), 0)
			if p.Kind(n) == "dynamic_type" {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// fieldTypes gives what the fields of a struct hold whose types are its type parameters, as an impl block names them.
func (p *walker) fieldTypes(t, scope int32) map[string]int32 {
	for p.Kind(t) == "reference_type" {
		t = p.Field(t, "type")
	}
	if p.Kind(t) != "generic_type" {
		return nil
	}
	fields := p.fieldParams[p.Text(p.lastName(p.Field(t, "type")))]
	if len(fields) == 0 {
		return nil
	}
	var args []int32
	p.Quiet(func() int32 { // they were mentioned before
		for c := range p.Children(p.Field(t, "type_arguments")) {
			if !p.Is(c, "lifetime") {
				args = append(args, p.typ(c, scope))
			}
		}
		return lang.None
	})
	out := map[string]int32{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if x := core.Nth(args, fields[name]); x != p.unknown && x != lang.None {
			out[name] = p.instance(x)
		}
	}
	return out
}

// members reads the functions, constants and types of a trait or impl block; d is the parent of the functions.
func (p *walker) members(body, d, scope int32, in *implBlock) {
	for c := range p.Children(body) {
		if p.Is(c, "type_item", "associated_type") {
			x := p.typ(p.Field(c, "type"), scope)
			if p.Is(c, "associated_type") {
				x = p.typ(p.Field(c, "bounds"), scope)
			}
			if x != lang.None {
				p.assoc[p.Text(p.Field(c, "name"))] = x
				if in.owner != p.external && in.owner != p.unknown && !in.every {
					p.B.Set(lang.Assign, scope, in.owner, p.Text(p.Field(c, "name")), x, p.Line(c))
				}
			}
		}
	}
	var attrs []int32
	for c := range p.Parts(body) {
		switch p.Kind(c) {
		case "attribute_item":
			attrs = append(attrs, c)
			continue
		case "function_item", "function_signature_item":
			test := p.test
			cond := p.attributes(attrs, scope)
			p.function(c, d, attrs, cond, in)
			p.test = test
		case "const_item":
			t := p.typ(p.Field(c, "type"), scope)
			x := p.expr(p.Field(c, "value"), scope)
			if t != lang.None && t != p.external {
				x = p.instance(t)
			}
			if in.owner != p.external && in.owner != p.unknown && !in.every {
				p.B.Set(lang.Assign, scope, in.owner, p.Text(p.Field(c, "name")), x, p.Line(c))
			}
		case "type_item", "associated_type":
		default:
			p.expr(c, scope)
		}
		attrs = nil
	}
}
