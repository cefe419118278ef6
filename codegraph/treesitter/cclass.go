package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// class declares a class, structure, union or enumeration that is written out. hint is the name of what it is the type of.
// It gives the expression of the class, None for what has no name and needs none.
func (w *cWalker) class(n, whole, scope int32, hint string) int32 {
	name, body := w.field(n, "name"), w.field(n, "body")
	d := lang.Decl{Kind: lang.Class, Parent: scope, Span: w.span(w.rec[whole].start, w.rec[n].end), Flags: w.conditional(w.rec[n].start), NameLine: w.line(n)}
	outer := int32(-1)
	if name >= 0 {
		d.NameLine = w.line(name)
		var receiver string
		d.Name, receiver, outer = w.named(name)
		if d.Name == "" {
			return lang.None
		}
		if receiver != "" {
			d.Receiver, d.Flags = receiver, d.Flags|lang.Hidden
		}
		if last := name; true {
			for w.kind(last) == "qualified_identifier" && w.field(last, "name") >= 0 {
				last = w.field(last, "name")
			}
			if w.kind(last) == "template_type" {
				d.Flags |= lang.Hidden // a specialisation: the name means the template
			}
		}
	} else if d.Name, d.Flags = hint, d.Flags|lang.Hidden; hint == "" {
		if w.kind(n) == "enum_specifier" {
			w.enumerators(body, lang.None, scope, scope)
		} else if w.depth < 200 { // its fields are those of what is around
			w.depth++
			w.all(body, scope)
			w.depth--
		}
		return lang.None
	}
	if w.hidden > 0 {
		d.Flags |= lang.Local
	}
	d.Signature, d.Body = w.header(w.rec[whole].start, body, w.rec[n].end)
	if name >= 0 {
		w.tags[d.Name] = true
	}
	i := w.b.Declare(d)
	if outer >= 0 {
		w.b.Facts.Decls[i].Owner = w.owner(name, scope)
	}
	w.templated(i)
	x := w.b.Decl(i)
	if w.kind(n) == "enum_specifier" {
		base := w.typ(w.field(n, "base"), scope)
		head := strings.Fields(string(w.src[w.rec[n].start:w.rec[body].start]))
		out := scope
		if len(head) > 1 && (head[1] == "class" || head[1] == "struct") {
			out = i
		} else if w.cpp { // its values are numbers, too
			if !w.outside(base) {
				base = w.foreign("int")
			}
			w.b.Facts.Decls[i].Bases = []int32{base}
		}
		w.enumerators(body, x, i, out)
		return x
	}
	if bases := w.first(n, "base_class_clause"); bases >= 0 {
		var list []int32
		for c := range w.children(bases) {
			switch w.kind(c) {
			case "type_identifier", "qualified_identifier", "template_type", "dependent_type":
				if b := w.typ(c, scope); b != lang.None {
					list = append(list, b)
				}
			}
		}
		w.b.Facts.Decls[i].Bases = list
	}
	hidden := w.hidden
	w.hidden = 0
	w.fresh(false, func() { w.all(body, i) })
	w.hidden = hidden
	return x
}

// enumerators binds the constants of an enumeration.
func (w *cWalker) enumerators(body, x, scope, outer int32) {
	if x == lang.None {
		x = w.external()
	}
	for c := range w.children(body) {
		if w.kind(c) != "enumerator" {
			continue
		}
		name := w.text(w.field(c, "name"))
		if name == "" {
			continue
		}
		if v := w.field(c, "value"); v >= 0 {
			w.visit(v, outer)
		}
		w.b.Bind(lang.Annotate, scope, name, x, w.line(c))
		if outer != scope {
			w.b.Bind(lang.Annotate, outer, name, x, w.line(c))
		}
	}
}

// announce declares a class that is only named here: struct x;
func (w *cWalker) announce(n, whole, scope int32) {
	name := w.field(n, "name")
	if name < 0 || w.kind(name) != "type_identifier" {
		w.typ(n, scope)
		return
	}
	if t := w.around(whole); t >= 0 {
		whole = t
	}
	d := lang.Decl{Name: w.text(name), Kind: lang.Class, Parent: scope, Span: w.span(w.rec[whole].start, w.rec[whole].end), NameLine: w.line(name),
		Flags: w.conditional(w.rec[n].start) | lang.Forward}
	if w.hidden > 0 {
		d.Flags |= lang.Local
	}
	w.tags[d.Name] = true
	d.Signature, d.Body = w.header(w.rec[whole].start, -1, w.rec[whole].end)
	w.templated(w.b.Declare(d))
}

// field reads one member declaration of a class.
func (w *cWalker) member(n, scope int32) {
	typ := w.field(n, "type")
	var list []int32
	for c := range w.children(n) {
		if w.fieldName(c) == "declarator" {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		if typ >= 0 && w.field(typ, "body") < 0 {
			switch w.kind(typ) {
			case "struct_specifier", "class_specifier", "union_specifier", "enum_specifier":
				w.announce(typ, n, scope)
				return
			}
		}
		w.typ(typ, scope)
		return
	}
	isClass := scope != lang.File && w.b.Facts.Decls[scope].Kind == lang.Class
	x, typed := lang.None, false
	for _, c := range list {
		w.sizes(c, scope)
		v := w.declarator(c)
		if v.fn >= 0 {
			whole := n
			if t := w.around(n); t >= 0 {
				whole = t
			}
			w.function(n, whole, c, scope)
			continue
		}
		if !typed {
			typed = true
			hint := ""
			if v.name >= 0 {
				hint = w.text(v.name)
			}
			x = w.typeNamed(typ, scope, hint)
		}
		if v.name < 0 {
			continue
		}
		name := w.text(v.name)
		if isClass && !w.storage(n, "static") {
			d := &w.b.Facts.Decls[scope]
			if len(d.Params) < 1000 {
				d.Params = append(d.Params, lang.Param{Name: name, Type: lang.None, Def: lang.None})
			}
		}
		init := w.field(n, "default_value")
		switch {
		case v.call || x == lang.None:
			if init >= 0 {
				if val := w.visit(init, scope); w.flows(val) {
					w.b.Bind(lang.Assign, scope, name, val, w.line(c))
					continue
				}
			}
			if !v.call { // the field is there, though nothing is known of it
				w.b.Bind(lang.Annotate, scope, name, w.external(), w.line(c))
			} else {
				w.hide(name, scope, w.line(c))
				w.signature(c, scope)
			}
			continue
		case init >= 0:
			w.initial(cDeclarator{name: -1, fn: -1, pointer: v.pointer, array: v.array}, x, init, scope, v.name)
		}
		w.b.Bind(lang.Annotate, scope, name, w.fixed(n, w.pointed(x, v)), w.line(c))
	}
}

// typedef reads a type definition.
func (w *cWalker) typedef(n, scope int32) {
	typ := w.field(n, "type")
	var list []int32
	for c := range w.children(n) {
		if w.fieldName(c) == "declarator" {
			list = append(list, c)
		}
	}
	anonymous := typ >= 0 && w.field(typ, "body") >= 0 && w.field(typ, "name") < 0
	x, done := lang.None, false
	for _, c := range list {
		v := w.declarator(c)
		if v.name < 0 {
			continue
		}
		name := w.text(v.name)
		if !done {
			done = true
			if anonymous && !v.pointer && v.fn < 0 && !v.call && name != "" {
				x = w.class(typ, n, scope, name)
				if x != lang.None { // its only name
					w.b.Facts.Decls[w.b.Facts.Exprs[x].Decl].Flags &^= lang.Hidden
				}
				continue
			}
			if typ >= 0 && w.field(typ, "body") < 0 && scope == lang.File {
				if k := w.kind(typ); (k == "struct_specifier" || k == "union_specifier") && !w.tags[w.text(w.field(typ, "name"))] {
					w.announce(typ, typ, scope)
				}
			}
			x = w.typ(typ, scope)
		}
		switch {
		case v.call || v.fn >= 0:
			w.signature(c, scope)
			w.hide(name, scope, w.line(c))
		case x == lang.None:
			w.hide(name, scope, w.line(c))
		case w.b.LastName(x) == name && w.b.Facts.Exprs[x].Op == lang.OpName:
			// typedef struct x x; also of a structure that stays unknown here
		default:
			if e := &w.b.Facts.Exprs[x]; e.Op == lang.OpDecl && w.b.Facts.Decls[e.Decl].Name == name && w.b.Facts.Decls[e.Decl].Parent == scope {
				continue
			}
			w.b.Bind(lang.Alias, scope, name, w.pointed(x, v), w.line(c))
		}
	}
	if !done {
		w.typ(typ, scope)
	}
}

// namespace reads a namespace; an anonymous or inline one is that around it.
func (w *cWalker) namespace(n, scope int32) {
	name, body := w.field(n, "name"), w.field(n, "body")
	head := string(w.before(n, body))
	if name < 0 {
		w.hidden++
		w.all(body, scope)
		w.hidden--
		return
	}
	if strings.HasPrefix(strings.TrimSpace(head), "inline") {
		w.all(body, scope)
		return
	}
	parts := strings.Split(strings.ReplaceAll(w.text(name), "inline", ""), "::")
	for _, p := range parts {
		if p = strings.TrimSpace(p); p == "" || len(parts) > 50 {
			continue
		}
		scope = w.b.Declare(lang.Decl{Name: p, Kind: lang.Namespace, Parent: scope, Span: w.span(w.rec[n].start, w.rec[n].end), NameLine: w.line(name)})
	}
	w.all(body, scope)
}

// using reads "using a::b", "using namespace a" and "using enum a".
func (w *cWalker) using(n, scope int32) {
	what := w.child(n, 0)
	if what < 0 {
		return
	}
	words := strings.Fields(string(w.before(n, what)))
	x := w.name(what, scope)
	if x == lang.None {
		return
	}
	if len(words) > 1 && (words[1] == "namespace" || words[1] == "enum") {
		w.b.Bind(lang.Bring, scope, "*", x, w.line(n))
		return
	}
	if name := w.b.LastName(x); name != "" {
		if scope != lang.File && w.b.Facts.Decls[scope].Kind == lang.Class && w.b.Facts.Decls[scope].Name == name {
			return // inherited constructors
		}
		w.use(what, scope, x)
		w.b.Bind(lang.Alias, scope, w.declareType(name, scope), x, w.line(n))
	}
}

// template keeps the names of template parameters for the declaration that follows.
func (w *cWalker) template(n, scope int32) {
	var names []string
	list := w.field(n, "parameters")
	for c := range w.children(list) {
		name := int32(-1)
		switch w.kind(c) {
		case "type_parameter_declaration", "variadic_type_parameter_declaration":
			name = w.first(c, "type_identifier")
		case "optional_type_parameter_declaration":
			name = w.field(c, "name")
		case "template_template_parameter_declaration":
			for in := range w.children(c) {
				if t := w.first(in, "type_identifier"); t >= 0 {
					name = t
				}
			}
		default:
			if dn := w.field(c, "declarator"); dn >= 0 {
				name = w.declarator(dn).name
			}
		}
		if name >= 0 {
			names = append(names, w.text(name))
		}
	}
	w.tparam = append(w.tparam, names)
	for c := range w.children(n) {
		switch w.kind(c) {
		case "template_parameter_list", "requires_clause":
		case "function_definition":
			w.function(c, n, w.field(c, "declarator"), scope)
		case "class_specifier", "struct_specifier", "union_specifier":
			if w.field(c, "body") < 0 {
				w.announce(c, n, scope)
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
func (w *cWalker) friend(n, scope int32) {
	outer := scope
	for outer != lang.File && w.b.Facts.Decls[outer].Kind == lang.Class {
		outer = w.b.Facts.Decls[outer].Parent
	}
	for c := range w.children(n) {
		switch w.kind(c) {
		case "function_definition":
			from := len(w.b.Facts.Decls)
			w.function(c, n, w.field(c, "declarator"), outer)
			_ = from
		case "declaration":
			w.typ(w.field(c, "type"), scope)
		default:
			w.typ(c, scope)
		}
	}
}
