package c

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// class declares a class, structure, union or enumeration that is written out. hint is the name of what it is the type of.
// It gives the expression of the class, None for what has no name and needs none.
func (w *walker) class(n, whole, scope int32, hint string) int32 {
	name, body := w.Field(n, "name"), w.Field(n, "body")
	d := lang.Decl{Kind: lang.Class, Parent: scope, Span: w.Span(w.Start(whole), w.End(n)), Flags: w.conditional(w.Start(n)), NameLine: w.Line(n)}
	outer := int32(-1)
	if name >= 0 {
		d.NameLine = w.Line(name)
		var receiver string
		d.Name, receiver, outer = w.splitName(name)
		if d.Name == "" {
			return lang.None
		}
		if receiver != "" {
			d.Receiver, d.Flags = receiver, d.Flags|lang.Hidden
		}
		if w.Is(w.unqualified(name), "template_type") {
			d.Flags |= lang.Hidden // a specialisation: the name means the template
		}
	} else if d.Name, d.Flags = hint, d.Flags|lang.Hidden; hint == "" {
		if w.Kind(n) == "enum_specifier" {
			w.enumerators(body, lang.None, scope, scope)
		} else if w.depth < 200 { // its fields are those of what is around
			w.depth++
			w.all(body, scope)
			w.depth--
		}
		return lang.None
	}
	if w.anonymous > 0 {
		d.Flags |= lang.Local
	}
	d.Signature, d.Body = w.header(w.Start(whole), body, w.End(n))
	if name >= 0 {
		w.tags[d.Name] = true
	}
	i := w.B.Declare(d)
	if outer >= 0 {
		w.Declared(i).Owner = w.owner(name, scope)
	}
	w.templated(i)
	x := w.B.Decl(i)
	if w.Kind(n) == "enum_specifier" {
		base := w.typ(w.Field(n, "base"), scope)
		head := strings.Fields(string(w.Src[w.Start(n):w.Start(body)]))
		out := scope
		if len(head) > 1 && (head[1] == "class" || head[1] == "struct") {
			out = i
		} else if w.cpp { // its values are numbers, too
			if !w.isExternal(base) {
				base = w.External("int")
			}
			w.Declared(i).Bases = []int32{base}
		}
		w.enumerators(body, x, i, out)
		return x
	}
	bases := core.Map(w.Of(w.First(n, "base_class_clause"), "type_identifier", "qualified_identifier", "template_type", "dependent_type"),
		func(c int32) int32 { return w.typ(c, scope) })
	w.Declared(i).Bases = slices.DeleteFunc(bases, func(b int32) bool { return b == lang.None })
	hidden := w.anonymous
	w.anonymous = 0
	w.functionScope(false, func() { w.all(body, i) })
	w.anonymous = hidden
	return x
}

// enumerators binds the constants of an enumeration.
func (w *walker) enumerators(body, x, scope, outer int32) {
	if x == lang.None {
		x = w.External("")
	}
	for c := range w.Of(body, "enumerator") {
		name := w.Text(w.Field(c, "name"))
		w.visit(w.Field(c, "value"), outer)
		w.B.Bind(lang.Annotate, scope, name, x, w.Line(c))
		if outer != scope {
			w.B.Bind(lang.Annotate, outer, name, x, w.Line(c))
		}
	}
}

// forwardDeclaration declares a class that is only named here: struct x;
func (w *walker) forwardDeclaration(n, whole, scope int32) {
	name := w.Field(n, "name")
	if !w.Is(name, "type_identifier") {
		w.typ(n, scope)
		return
	}
	whole = w.around(whole)
	d := lang.Decl{Name: w.Text(name), Kind: lang.Class, Parent: scope, Span: w.Span(w.Start(whole), w.End(whole)), NameLine: w.Line(name),
		Flags: w.conditional(w.Start(n)) | lang.Forward}
	if w.anonymous > 0 {
		d.Flags |= lang.Local
	}
	w.tags[d.Name] = true
	d.Signature, d.Body = w.header(w.Start(whole), -1, w.End(whole))
	w.templated(w.B.Declare(d))
}

// member reads one member declaration of a class.
func (w *walker) member(n, scope int32) {
	typ := w.Field(n, "type")
	list := w.declarators(n)
	if len(list) == 0 {
		w.bareType(n, typ, scope, true)
		return
	}
	isClass := w.In(scope, lang.Class)
	x, typed := lang.None, false
	for _, c := range list {
		w.sizes(c, scope)
		v := w.declarator(c)
		if v.fn >= 0 {
			w.function(n, w.around(n), c, scope)
			continue
		}
		if !typed {
			typed = true
			hint := ""
			if v.name >= 0 {
				hint = w.Text(v.name)
			}
			x = w.typeWithHint(typ, scope, hint)
		}
		if v.name < 0 {
			continue
		}
		name := w.Text(v.name)
		if isClass && !w.hasSpecifier(n, "static") {
			d := w.Declared(scope)
			if len(d.Params) < 1000 {
				d.Params = append(d.Params, core.Param(name))
			}
		}
		init := w.Field(n, "default_value")
		switch {
		case v.call || x == lang.None:
			if val := w.visit(init, scope); w.mayBeFunction(val) {
				w.B.Bind(lang.Assign, scope, name, val, w.Line(c))
				continue
			}
			if !v.call { // the field is there, though nothing is known of it
				w.B.Bind(lang.Annotate, scope, name, w.External(""), w.Line(c))
			} else {
				w.bindUnknown(name, scope, w.Line(c))
				w.signature(c, scope)
			}
			continue
		case init >= 0:
			w.initial(declarator{name: -1, fn: -1, pointer: v.pointer, array: v.array}, x, init, scope, v.name)
		}
		w.B.Bind(lang.Annotate, scope, name, w.constQualified(n, w.pointerTo(x, v)), w.Line(c))
	}
}

// bareType reads a declaration without declarators: it mentions a type, or announces one where forward allows that.
func (w *walker) bareType(n, typ, scope int32, forward bool) {
	if forward && w.Field(typ, "body") < 0 && w.Is(typ, "struct_specifier", "class_specifier", "union_specifier", "enum_specifier") {
		w.forwardDeclaration(typ, n, scope)
	} else {
		w.typ(typ, scope)
	}
}

// typedef reads a type definition.
func (w *walker) typedef(n, scope int32) {
	typ := w.Field(n, "type")
	list := w.declarators(n)
	anonymous := typ >= 0 && w.Field(typ, "body") >= 0 && w.Field(typ, "name") < 0
	x, done := lang.None, false
	for _, c := range list {
		v := w.declarator(c)
		if v.name < 0 {
			continue
		}
		name := w.Text(v.name)
		if !done {
			done = true
			if anonymous && !v.pointer && v.fn < 0 && !v.call && name != "" {
				x = w.class(typ, n, scope, name)
				if x != lang.None { // its only name
					w.B.Facts.Decls[w.B.Facts.Exprs[x].Decl].Flags &^= lang.Hidden
				}
				continue
			}
			if typ >= 0 && w.Field(typ, "body") < 0 && scope == lang.File {
				if k := w.Kind(typ); (k == "struct_specifier" || k == "union_specifier") && !w.tags[w.Text(w.Field(typ, "name"))] {
					w.forwardDeclaration(typ, typ, scope)
				}
			}
			x = w.typ(typ, scope)
		}
		switch {
		case v.call || v.fn >= 0:
			w.signature(c, scope)
			w.bindUnknown(name, scope, w.Line(c))
		case x == lang.None:
			w.bindUnknown(name, scope, w.Line(c))
		case w.B.LastName(x) == name && w.Op(x) == lang.OpName:
			// typedef struct x x; also of a structure that stays unknown here
		default:
			if e := &w.B.Facts.Exprs[x]; e.Op == lang.OpDecl && w.B.Facts.Decls[e.Decl].Name == name && w.B.Facts.Decls[e.Decl].Parent == scope {
				continue
			}
			w.B.Bind(lang.Alias, scope, name, w.pointerTo(x, v), w.Line(c))
		}
	}
	if !done {
		w.typ(typ, scope)
	}
}

// namespace reads a namespace; an anonymous or inline one is that around it.
func (w *walker) namespace(n, scope int32) {
	name, body := w.Field(n, "name"), w.Field(n, "body")
	head := string(w.Before(n, body))
	if name < 0 {
		w.anonymous++
		w.all(body, scope)
		w.anonymous--
		return
	}
	if strings.HasPrefix(strings.TrimSpace(head), "inline") {
		w.all(body, scope)
		return
	}
	parts := strings.Split(strings.ReplaceAll(w.Text(name), "inline", ""), "::")
	for _, p := range parts {
		if p = strings.TrimSpace(p); p == "" || len(parts) > 50 {
			continue
		}
		scope = w.B.Declare(lang.Decl{Name: p, Kind: lang.Namespace, Parent: scope, Span: w.Span(w.Start(n), w.End(n)), NameLine: w.Line(name)})
	}
	w.all(body, scope)
}

// using reads "using a::b", "using namespace a" and "using enum a".
func (w *walker) using(n, scope int32) {
	what := w.Child(n, 0)
	words := strings.Fields(string(w.Before(n, what)))
	x := w.name(what, scope)
	if len(words) > 1 && (words[1] == "namespace" || words[1] == "enum") {
		w.B.Bind(lang.Using, scope, "*", x, w.Line(n))
		return
	}
	if name := w.B.LastName(x); name != "" {
		if w.In(scope, lang.Class) && w.Declared(scope).Name == name {
			return // inherited constructors
		}
		w.use(what, scope, x)
		w.B.Bind(lang.Alias, scope, w.declareType(name, scope), x, w.Line(n))
	}
}

// template keeps the names of template parameters for the declaration that follows.
func (w *walker) template(n, scope int32) {
	var names []string
	list := w.Field(n, "parameters")
	for c := range w.Children(list) {
		name := int32(-1)
		switch w.Kind(c) {
		case "type_parameter_declaration", "variadic_type_parameter_declaration":
			name = w.First(c, "type_identifier")
		case "optional_type_parameter_declaration":
			name = w.Field(c, "name")
		case "template_template_parameter_declaration":
			for in := range w.Children(c) {
				if t := w.First(in, "type_identifier"); t >= 0 {
					name = t
				}
			}
		default:
			if dn := w.Field(c, "declarator"); dn >= 0 {
				name = w.declarator(dn).name
			}
		}
		if name >= 0 {
			names = append(names, w.Text(name))
		}
	}
	w.tparam = append(w.tparam, names)
	for c := range w.Children(n) {
		switch w.Kind(c) {
		case "template_parameter_list", "requires_clause":
		case "function_definition":
			w.function(c, n, w.Field(c, "declarator"), scope)
		case "class_specifier", "struct_specifier", "union_specifier":
			if w.Field(c, "body") < 0 {
				w.forwardDeclaration(c, n, scope)
			} else {
				w.class(c, n, scope, "")
			}
		default:
			w.visit(c, scope)
		}
	}
	w.tparam = nil
}

// friend reads a friend declaration: what it announces is not the class's, what it defines is of the scope around.
func (w *walker) friend(n, scope int32) {
	outer := scope
	for w.In(outer, lang.Class) {
		outer = w.Declared(outer).Parent
	}
	for c := range w.Children(n) {
		switch w.Kind(c) {
		case "function_definition":
			w.function(c, n, w.Field(c, "declarator"), outer)
		case "declaration":
			w.typ(w.Field(c, "type"), scope)
		default:
			w.typ(c, scope)
		}
	}
}
