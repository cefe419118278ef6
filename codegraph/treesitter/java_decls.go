package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// declare adds a declaration whose body is the node body, or -1.
func (j *java) declare(n int32, name string, kind lang.DeclKind, flags lang.DeclFlag, scope, body int32) int32 {
	r := j.rec[n]
	end := r.end
	if body >= 0 {
		end = j.rec[body].start
	}
	start := r.start
	if m := j.first(n, "modifiers"); m >= 0 { // annotations before the other modifiers are no part of the signature
		for c := range j.children(m) {
			if len(strings.TrimSpace(string(j.src[start:j.rec[c].start]))) > 0 {
				break
			}
			start = j.rec[c].end
		}
	}
	d := lang.Decl{Name: strings.Clone(name), Kind: kind, Flags: flags, Parent: scope, Span: j.span(r.start, r.end), Body: end}
	d.Signature = strings.TrimSuffix(lang.OneLine(string(j.src[start:max(end, start)])), ";")
	d.NameLine = d.Span.Line
	if at := j.field(n, "name"); at >= 0 {
		d.NameLine = j.line(at)
	}
	return j.b.Declare(d)
}

// modifier tells whether a declaration has a modifier.
func (j *java) modifier(n int32, word string) bool {
	m := j.first(n, "modifiers")
	if m < 0 {
		return false
	}
	at := j.rec[m].start
	has := func(end int32) bool {
		for _, w := range strings.Fields(string(j.src[at:end])) {
			if w == word {
				return true
			}
		}
		return false
	}
	for c := range j.children(m) {
		if has(j.rec[c].start) {
			return true
		}
		at = j.rec[c].end
	}
	return has(j.rec[m].end)
}

// class reads the declaration of a class, interface, enum, record or annotation type.
func (j *java) class(n, scope int32) {
	kind, body := j.kind(n), j.field(n, "body")
	var flags lang.DeclFlag
	if kind == "interface_declaration" || kind == "annotation_type_declaration" {
		flags |= lang.Interface
	}
	if scope != lang.File && j.b.Facts.Decls[scope].Kind != lang.Class {
		j.hasLocal[scope] = true
	}
	name := j.text(j.field(n, "name"))
	d := j.declare(n, name, lang.Class, flags, scope, body)
	types := len(j.types)
	j.visit(j.first(n, "modifiers"), d)
	j.typeParams(j.field(n, "type_parameters"), d)
	var bases []int32
	base := func(list int32) {
		for c := range j.children(list) {
			if k := j.kind(c); k != "line_comment" && k != "block_comment" {
				if x := j.base(c, scope, d); x != lang.None {
					bases = append(bases, x)
				}
			}
		}
	}
	super := lang.None
	if s := j.field(n, "superclass"); s >= 0 {
		base(s)
		if len(bases) > 0 {
			super = bases[0]
		}
	}
	switch kind {
	case "enum_declaration":
		super = j.external("Enum")
		bases = append(bases, super)
	case "record_declaration":
		super = j.external("Record")
		bases = append(bases, super)
	}
	base(j.first(j.field(n, "interfaces"), "type_list"))
	base(j.first(j.first(n, "extends_interfaces"), "type_list"))
	for c := range j.children(j.first(j.field(n, "permits"), "type_list")) {
		j.typ(c, d)
	}
	j.b.Facts.Decls[d].Bases = bases
	if kind == "enum_declaration" {
		j.enumMethods(d, n)
	}
	j.classBody(d, super, body, j.field(n, "parameters"))
	j.types = j.types[:types]
}

// base reads the type of a base class, seen from around class d; its type arguments make references.
func (j *java) base(n, scope, d int32) int32 {
	refs := len(j.b.Facts.Refs)
	x := j.typ(n, scope)
	if len(j.b.Facts.Refs) > refs && j.kind(n) != "annotated_type" { // the base itself has an edge of its own kind
		j.b.Facts.Refs = append(j.b.Facts.Refs[:refs], j.b.Facts.Refs[refs+1:]...)
	}
	for i := refs; i < len(j.b.Facts.Refs); i++ {
		j.b.Facts.Refs[i].Scope = d
	}
	return x
}

// classBody reads the members of a class; components are the parameters of a record's header.
func (j *java) classBody(d, super, body, components int32) {
	j.classes = append(j.classes, javaClass{decl: d, super: super})
	mark := len(j.vars)
	own := map[string]bool{} // accessors that are written
	compact := false
	var members func(n int32)
	members = func(n int32) { // fields are in sight of all members, and hide variables around the class
		for c := range j.children(n) {
			switch j.kind(c) {
			case "field_declaration", "constant_declaration":
				for v := range j.children(c) {
					if j.kind(v) == "variable_declarator" {
						j.enter(javaVar{name: j.text(j.field(v, "name")), field: true})
					}
				}
			case "enum_constant":
				j.enter(javaVar{name: j.text(j.field(c, "name")), field: true})
			case "method_declaration":
				if p := j.field(c, "parameters"); p >= 0 && j.child(p, 0) < 0 {
					own[j.text(j.field(c, "name"))] = true
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
	for p := range j.children(components) {
		q, name, t := j.param(p, d)
		if name == "" {
			continue
		}
		params = append(params, q)
		if q.Kind == lang.Rest {
			t = j.arrayOf(t, 1)
		}
		j.enter(javaVar{name: name, field: true})
		j.b.Bind(lang.Annotate, d, javaMark+name, t, j.line(p))
		if !own[name] { // the accessor that every component has
			f := j.declare(p, name, lang.Function, lang.Overload, d, -1)
			j.b.Bind(lang.ReturnType, f, "", t, j.line(p))
		}
	}
	for c := range j.children(body) {
		if compact && j.kind(c) == "compact_constructor_declaration" {
			j.compact(c, d, params)
			continue
		}
		j.visit(c, d)
	}
	j.leave(mark)
	j.classes = j.classes[:len(j.classes)-1]
}

// param reads a parameter and gives its name and the sketch of its type.
func (j *java) param(n, scope int32) (lang.Param, string, int32) {
	q := lang.Param{Type: lang.None, Def: lang.None}
	switch j.kind(n) {
	case "formal_parameter":
		j.visit(j.first(n, "modifiers"), scope)
		q.Type = j.dimensions(j.typ(j.field(n, "type"), scope), n)
		return q, j.text(j.field(n, "name")), q.Type
	case "spread_parameter":
		q.Kind = lang.Rest
		name := ""
		for c := range j.children(n) {
			switch j.kind(c) {
			case "modifiers":
				j.visit(c, scope)
			case "variable_declarator":
				name = j.text(j.field(c, "name"))
			case "line_comment", "block_comment", "marker_annotation", "annotation":
			default:
				q.Type = j.typ(c, scope)
			}
		}
		return q, name, q.Type
	}
	return q, "", lang.None
}

// method reads a method or constructor.
func (j *java) method(n, scope int32) {
	flags := lang.Overload
	body := j.field(n, "body")
	if j.modifier(n, "static") {
		flags |= lang.Static
	} else if body < 0 && scope != lang.File && j.b.Facts.Decls[scope].Flags&lang.Interface != 0 {
		flags |= lang.Interface
	}
	d := j.declare(n, j.text(j.field(n, "name")), lang.Function, flags, scope, body)
	types, mark, result := len(j.types), len(j.vars), j.result
	j.visit(j.first(n, "modifiers"), d)
	j.typeParams(j.field(n, "type_parameters"), d)
	j.result = lang.None
	if t := j.field(n, "type"); t >= 0 {
		x := j.dimensions(j.typ(t, d), n)
		j.result = x
		j.b.Bind(lang.ReturnType, d, "", x, j.line(t))
	}
	var params []lang.Param
	for p := range j.children(j.field(n, "parameters")) {
		q, name, t := j.param(p, d)
		if name == "" {
			continue
		}
		params = append(params, q)
		if q.Kind == lang.Rest {
			t = j.arrayOf(t, 1)
		}
		j.declareVar(name, j.instance(t))
	}
	j.b.Facts.Decls[d].Params = params
	for c := range j.children(j.first(n, "throws")) {
		j.typ(c, d)
	}
	j.visit(body, d)
	j.visit(j.field(n, "value"), d)
	j.leave(mark)
	j.types, j.result = j.types[:types], result
}

// compact reads a record's constructor without parameters of its own.
func (j *java) compact(n, scope int32, params []lang.Param) {
	d := j.declare(n, j.text(j.field(n, "name")), lang.Function, lang.Overload, scope, j.field(n, "body"))
	j.b.Facts.Decls[d].Params = params
	j.visit(j.first(n, "modifiers"), d)
	j.visit(j.field(n, "body"), d)
}

// fields reads the declaration of fields. Their initial values belong to the class.
func (j *java) fields(n, scope int32) {
	j.visit(j.first(n, "modifiers"), scope)
	t := j.typ(j.field(n, "type"), scope)
	for c := range j.children(n) {
		if j.kind(c) != "variable_declarator" {
			continue
		}
		v := j.dimensions(t, c)
		j.b.Bind(lang.Annotate, scope, javaMark+j.text(j.field(c, "name")), v, j.line(c))
		j.given(v, j.visit(j.field(c, "value"), scope), scope, c)
	}
}

// enumConstant reads a constant of an enum, which calls its constructor and may have a body of its own.
func (j *java) enumConstant(n, scope int32) {
	j.visit(j.first(n, "modifiers"), scope)
	if len(j.classes) == 0 || scope != j.classes[len(j.classes)-1].decl {
		j.all(n, scope) // outside of an enum, by a syntax error
		return
	}
	name := j.field(n, "name")
	self := j.b.Decl(scope)
	if list := j.field(n, "arguments"); list >= 0 {
		j.ref(lang.Call, name, scope, j.b.Call(self, j.args(list, scope)), j.b.Facts.Decls[scope].Name)
	}
	if body := j.field(n, "body"); body >= 0 {
		d := j.declare(n, j.text(name), lang.Class, lang.Hidden, scope, body)
		j.b.Facts.Decls[d].Bases = []int32{self}
		j.classBody(d, self, body, -1)
	}
	j.b.Bind(lang.Annotate, scope, javaMark+j.text(name), self, j.line(n))
}

// enumMethods declares what every enum has: values gives an array of it, valueOf one of it (JLS 8.9.3).
func (j *java) enumMethods(d, n int32) {
	self := j.b.Decl(d)
	for _, m := range []struct {
		name string
		x    int32
	}{{"values", j.arrayOf(self, 1)}, {"valueOf", self}} {
		f := j.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: d, Span: j.span(j.rec[n].start, j.rec[n].start)})
		j.b.Bind(lang.ReturnType, f, "", m.x, j.line(n))
		j.b.Bind(lang.Annotate, d, m.name, j.b.Decl(f), j.line(n))
	}
}

// anonymous declares the class that a body makes of a base class.
func (j *java) anonymous(n, body, base, scope int32, name string) int32 {
	number := 1
	if len(j.classes) > 0 {
		c := &j.classes[len(j.classes)-1]
		c.anonymous++
		number = c.anonymous
	}
	r := j.rec[n]
	d := j.b.Declare(lang.Decl{Name: name + "$" + itoa(number), Kind: lang.Class, Flags: lang.Hidden, Parent: scope, Span: j.span(r.start, r.end),
		NameLine: j.line(n), Body: j.rec[body].start, Signature: lang.OneLine(string(j.src[r.start:max(r.start, j.rec[body].start)]))})
	if base != lang.None {
		j.b.Facts.Decls[d].Bases = []int32{base}
	}
	j.classBody(d, base, body, -1)
	return d
}
