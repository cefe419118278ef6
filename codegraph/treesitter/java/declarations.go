package java

import (
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// declare adds a declaration whose body is the node body, or -1.
func (j *walker) declare(n int32, name string, kind lang.DeclKind, flags lang.DeclFlag, scope, body int32) int32 {
	r := j.Nodes[n]
	end := r.End
	if body >= 0 {
		end = j.Start(body)
	}
	start := r.Start
	if m := j.First(n, "modifiers"); m >= 0 { // annotations before the other modifiers are no part of the signature
		for c := range j.Children(m) {
			if len(strings.TrimSpace(string(j.Src[start:j.Start(c)]))) > 0 {
				break
			}
			start = j.End(c)
		}
	}
	d := lang.Decl{Name: strings.Clone(name), Kind: kind, Flags: flags, Parent: scope, Span: j.Span(r.Start, r.End), Body: end}
	d.Signature = strings.TrimSuffix(lang.OneLine(string(j.Src[start:max(end, start)])), ";")
	d.NameLine = d.Span.Line
	if at := j.Field(n, "name"); at >= 0 {
		d.NameLine = j.Line(at)
	}
	return j.B.Declare(d)
}

// modifier tells whether a declaration has a modifier.
func (j *walker) modifier(n int32, word string) bool {
	m := j.First(n, "modifiers")
	if m < 0 {
		return false
	}
	at, words := j.Start(m), ""
	for c := range j.Children(m) { // annotations and comments
		words += string(j.Src[at:j.Start(c)])
		at = j.End(c)
	}
	return slices.Contains(strings.Fields(words+string(j.Src[at:j.End(m)])), word)
}

// class reads the declaration of a class, interface, enum, record or annotation type.
func (j *walker) class(n, scope int32) {
	kind, body := j.Kind(n), j.Field(n, "body")
	var flags lang.DeclFlag
	if kind == "interface_declaration" || kind == "annotation_type_declaration" {
		flags |= lang.Interface
	}
	if scope != lang.File && j.Declared(scope).Kind != lang.Class {
		j.hasLocal[scope] = true
	}
	name := j.Text(j.Field(n, "name"))
	d := j.declare(n, name, lang.Class, flags, scope, body)
	types := len(j.types)
	j.visit(j.First(n, "modifiers"), d)
	j.typeParams(j.Field(n, "type_parameters"), d)
	var bases []int32
	base := func(list int32) {
		for c := range j.Parts(list) {
			if x := j.base(c, scope, d); x != lang.None {
				bases = append(bases, x)
			}
		}
	}
	super := lang.None
	if s := j.Field(n, "superclass"); s >= 0 {
		base(s)
		if len(bases) > 0 {
			super = bases[0]
		}
	}
	switch kind {
	case "enum_declaration":
		super = j.External("Enum")
		bases = append(bases, super)
	case "record_declaration":
		super = j.External("Record")
		bases = append(bases, super)
	}
	base(j.First(j.Field(n, "interfaces"), "type_list"))
	base(j.First(j.First(n, "extends_interfaces"), "type_list"))
	for c := range j.Children(j.First(j.Field(n, "permits"), "type_list")) {
		j.typ(c, d)
	}
	j.Declared(d).Bases = bases
	if kind == "enum_declaration" {
		j.enumMethods(d, n)
	}
	j.classBody(d, super, body, j.Field(n, "parameters"))
	j.types = j.types[:types]
}

// base reads the type of a base class, seen from around class d; its type arguments make references.
func (j *walker) base(n, scope, d int32) int32 {
	refs := len(j.B.Facts.Refs)
	x := j.typ(n, scope)
	if len(j.B.Facts.Refs) > refs && j.Kind(n) != "annotated_type" { // the base itself has an edge of its own kind
		j.B.Facts.Refs = append(j.B.Facts.Refs[:refs], j.B.Facts.Refs[refs+1:]...)
	}
	for i := refs; i < len(j.B.Facts.Refs); i++ {
		j.B.Facts.Refs[i].Scope = d
	}
	return x
}

// classBody reads the members of a class; components are the parameters of a record's header.
func (j *walker) classBody(d, super, body, components int32) {
	j.classes = append(j.classes, enclosing{decl: d, super: super})
	mark := j.vars.Len()
	own := map[string]bool{} // accessors that are written
	compact := false
	var members func(n int32)
	members = func(n int32) { // fields are in sight of all members, and hide variables around the class
		for c := range j.Children(n) {
			switch j.Kind(c) {
			case "field_declaration", "constant_declaration":
				members(c)
			case "enum_constant", "variable_declarator":
				j.vars.Add(j.Text(j.Field(c, "name")), variable{field: true})
			case "method_declaration":
				if p := j.Field(c, "parameters"); p >= 0 && j.Child(p, 0) < 0 {
					own[j.Text(j.Field(c, "name"))] = true
				}
			case "compact_constructor_declaration":
				compact = true
			case "enum_body_declarations":
				members(c)
			}
		}
	}
	members(body)
	var params []lang.Param
	for p := range j.Children(components) {
		q, name, t := j.param(p, d)
		if name == "" {
			continue
		}
		params = append(params, q)
		j.vars.Add(name, variable{field: true})
		j.B.Bind(lang.Annotate, d, varMark+name, t, j.Line(p))
		if !own[name] { // the accessor that every component has
			f := j.declare(p, name, lang.Function, lang.Overload, d, -1)
			j.B.Bind(lang.ReturnType, f, "", t, j.Line(p))
		}
	}
	for c := range j.Children(body) {
		if compact && j.Kind(c) == "compact_constructor_declaration" {
			j.compact(c, d, params)
			continue
		}
		j.visit(c, d)
	}
	j.vars.Leave(mark)
	j.classes = j.classes[:len(j.classes)-1]
}

// param reads a parameter and gives its name and the sketch of what it holds: for the last of a variable number, an array.
func (j *walker) param(n, scope int32) (lang.Param, string, int32) {
	q := lang.Param{Type: lang.None, Def: lang.None}
	switch j.Kind(n) {
	case "formal_parameter":
		j.visit(j.First(n, "modifiers"), scope)
		q.Type = j.dimensions(j.typ(j.Field(n, "type"), scope), n)
		return q, j.Text(j.Field(n, "name")), q.Type
	case "spread_parameter":
		q.Kind = lang.Rest
		name := ""
		for c := range j.Parts(n) {
			switch j.Kind(c) {
			case "modifiers":
				j.visit(c, scope)
			case "variable_declarator":
				name = j.Text(j.Field(c, "name"))
			case "marker_annotation", "annotation":
			default:
				q.Type = j.typ(c, scope)
			}
		}
		return q, name, j.arrayOf(q.Type, 1)
	}
	return q, "", lang.None
}

// method reads a method or constructor.
func (j *walker) method(n, scope int32) {
	flags := lang.Overload
	body := j.Field(n, "body")
	if j.modifier(n, "static") {
		flags |= lang.Static
	} else if body < 0 && scope != lang.File && j.Declared(scope).Flags&lang.Interface != 0 {
		flags |= lang.Interface
	}
	d := j.declare(n, j.Text(j.Field(n, "name")), lang.Function, flags, scope, body)
	types, mark, result := len(j.types), j.vars.Len(), j.result
	j.visit(j.First(n, "modifiers"), d)
	j.typeParams(j.Field(n, "type_parameters"), d)
	j.result = lang.None
	if t := j.Field(n, "type"); t >= 0 {
		x := j.dimensions(j.typ(t, d), n)
		j.result = x
		j.B.Bind(lang.ReturnType, d, "", x, j.Line(t))
	}
	var params []lang.Param
	for p := range j.Children(j.Field(n, "parameters")) {
		q, name, t := j.param(p, d)
		if name == "" {
			continue
		}
		params = append(params, q)
		j.declareVar(name, j.instance(t))
	}
	j.Declared(d).Params = params
	for c := range j.Children(j.First(n, "throws")) {
		j.typ(c, d)
	}
	j.visit(body, d)
	j.visit(j.Field(n, "value"), d)
	j.vars.Leave(mark)
	j.types, j.result = j.types[:types], result
}

// compact reads a record's constructor without parameters of its own.
func (j *walker) compact(n, scope int32, params []lang.Param) {
	d := j.declare(n, j.Text(j.Field(n, "name")), lang.Function, lang.Overload, scope, j.Field(n, "body"))
	j.Declared(d).Params = params
	j.visit(j.First(n, "modifiers"), d)
	j.visit(j.Field(n, "body"), d)
}

// fields reads the declaration of fields. Their initial values belong to the class.
func (j *walker) fields(n, scope int32) {
	j.visit(j.First(n, "modifiers"), scope)
	t := j.typ(j.Field(n, "type"), scope)
	for c := range j.Of(n, "variable_declarator") {
		v := j.dimensions(t, c)
		j.B.Bind(lang.Annotate, scope, varMark+j.Text(j.Field(c, "name")), v, j.Line(c))
		j.conform(v, j.visit(j.Field(c, "value"), scope), scope, c)
	}
}

// enumConstant reads a constant of an enum, which calls its constructor and may have a body of its own.
func (j *walker) enumConstant(n, scope int32) {
	j.visit(j.First(n, "modifiers"), scope)
	if len(j.classes) == 0 || scope != j.classes[len(j.classes)-1].decl {
		j.all(n, scope) // outside of an enum, by a syntax error
		return
	}
	name := j.Field(n, "name")
	self := j.B.Decl(scope)
	if list := j.Field(n, "arguments"); list >= 0 {
		j.Ref(lang.Call, name, scope, j.B.Call(self, j.args(list, scope)), j.Declared(scope).Name)
	}
	if body := j.Field(n, "body"); body >= 0 {
		d := j.declare(n, j.Text(name), lang.Class, lang.Hidden, scope, body)
		j.Declared(d).Bases = []int32{self}
		j.classBody(d, self, body, -1)
	}
	j.B.Bind(lang.Annotate, scope, varMark+j.Text(name), self, j.Line(n))
}

// enumMethods declares what every enum has: values gives an array of it, valueOf one of it (JLS 8.9.3).
func (j *walker) enumMethods(d, n int32) {
	self := j.B.Decl(d)
	for _, m := range []struct {
		name string
		x    int32
	}{{"values", j.arrayOf(self, 1)}, {"valueOf", self}} {
		f := j.B.Declare(lang.Decl{Kind: lang.Lambda, Parent: d, Span: j.Span(j.Start(n), j.Start(n))})
		j.B.Bind(lang.ReturnType, f, "", m.x, j.Line(n))
		j.B.Bind(lang.Annotate, d, m.name, j.B.Decl(f), j.Line(n))
	}
}

// anonymous declares the class that a body makes of a base class.
func (j *walker) anonymous(n, body, base, scope int32, name string) int32 {
	number := 1
	if len(j.classes) > 0 {
		c := &j.classes[len(j.classes)-1]
		c.anonymous++
		number = c.anonymous
	}
	r := j.Nodes[n]
	d := j.B.Declare(lang.Decl{Name: name + "$" + strconv.Itoa(number), Kind: lang.Class, Flags: lang.Hidden, Parent: scope, Span: j.Span(r.Start, r.End),
		NameLine: j.Line(n), Body: j.Start(body), Signature: lang.OneLine(string(j.Src[r.Start:max(r.Start, j.Start(body))]))})
	if base != lang.None {
		j.Declared(d).Bases = []int32{base}
	}
	j.classBody(d, base, body, -1)
	return d
}
