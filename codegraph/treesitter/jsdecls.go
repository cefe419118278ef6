package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// decl describes a declaration at n whose text begins at whole; head is the node where the signature ends, or -1.
func (s *script) decl(n, whole int32, name string, kind lang.DeclKind, scope, head int32) lang.Decl {
	end := s.rec[n].end
	body := end
	if head >= 0 {
		body = s.rec[head].start
	}
	start := s.rec[whole].start
	sig := strings.TrimSuffix(strings.TrimSpace(lang.OneLine(string(s.src[start:max(body, start)]))), "=>")
	return lang.Decl{Name: name, Kind: kind, Parent: scope, Span: s.span(start, max(end, s.rec[whole].end)), NameLine: s.line(n),
		Body: body, Signature: strings.TrimSpace(sig)}
}

// function reads a function, method or signature and gives its declaration.
func (s *script) function(n, whole int32, name, qualifier string, scope int32, flags lang.DeclFlag) int32 {
	d := s.decl(n, whole, name, lang.Function, scope, s.field(n, "body"))
	d.Flags, d.Qualifier = flags, qualifier
	if name == "" {
		d.Kind = lang.Lambda
	}
	i := s.b.Declare(d)
	s.inside(n, i, scope)
	return i
}

func (s *script) closure(n, scope int32) int32 {
	d := s.decl(n, n, "", lang.Lambda, scope, s.field(n, "body"))
	d.Signature = ""
	i := s.b.Declare(d)
	if name := s.field(n, "name"); name >= 0 { // a function expression sees its own name
		s.b.Bind(lang.Assign, i, s.text(name), s.b.Decl(i), s.line(n))
	}
	s.inside(n, i, scope)
	return i
}

// inside reads parameters, result type and body of declaration d.
func (s *script) inside(n, d, scope int32) {
	var params []lang.Param
	if p := s.field(n, "parameter"); p >= 0 { // x => ...
		params = append(params, lang.Param{Name: s.text(p), Type: lang.None, Def: lang.None})
	}
	for c := range s.children(s.field(n, "parameters")) {
		if p, ok := s.param(c, d, scope, len(params)); ok {
			params = append(params, p)
		}
	}
	s.b.Facts.Decls[d].Params = params
	if t := s.field(n, "return_type"); t >= 0 {
		s.b.Bind(lang.ReturnType, d, "", s.typ(t, scope), s.line(t))
	}
	body := s.field(n, "body")
	if body >= 0 && s.kind(body) != "statement_block" {
		s.b.Bind(lang.Return, d, "", s.visit(body, d), s.line(body))
		return
	}
	s.visit(body, d)
}

func (s *script) param(c, d, scope int32, i int) (lang.Param, bool) {
	p := lang.Param{Type: lang.None, Def: lang.None}
	pattern := c
	switch s.kind(c) {
	case "required_parameter", "optional_parameter":
		if pattern = s.field(c, "pattern"); pattern < 0 {
			pattern = s.child(c, 0)
		}
		if pattern >= 0 && s.kind(pattern) == "this" {
			return p, false
		}
		p.Type = s.typ(s.field(c, "type"), scope)
		p.Def = s.visit(s.field(c, "value"), scope)
		if class := s.b.Facts.Decls[d].Parent; pattern >= 0 && p.Type != lang.None && class != lang.File && s.b.Facts.Decls[d].Name == "constructor" {
			if w := strings.Fields(string(s.before(c, pattern))); len(w) > 0 { // private x: T makes a field
				s.b.Bind(lang.Annotate, class, s.text(pattern), p.Type, s.line(c))
			}
		}
	case "assignment_pattern":
		pattern = s.field(c, "left")
		p.Def = s.visit(s.field(c, "right"), scope)
	case "identifier", "object_pattern", "array_pattern", "rest_pattern":
	default:
		return p, false
	}
	if pattern < 0 {
		return p, false
	}
	switch s.kind(pattern) {
	case "identifier":
		p.Name = s.text(pattern)
	case "rest_pattern":
		p.Kind, p.Name = lang.Rest, s.text(s.child(pattern, 0))
	default: // taken apart: a name nobody can write stands for the whole
		p.Name = "\x00" + itoa(i)
		s.bind(pattern, s.b.Name(d, p.Name), d)
	}
	return p, true
}

func (s *script) class(n, whole int32, name string, scope int32, flags lang.DeclFlag) int32 {
	body := s.field(n, "body")
	d := s.decl(n, whole, name, lang.Class, scope, body)
	d.Flags = flags
	i := s.b.Declare(d)
	s.decorators(n, i, scope)
	var bases []int32
	for h := range s.children(s.first(n, "class_heritage")) {
		switch s.kind(h) {
		case "extends_clause":
			bases = append(bases, s.visit(s.field(h, "value"), scope))
		case "implements_clause":
			for t := range s.children(h) {
				bases = append(bases, s.typ(t, scope))
			}
		default:
			bases = append(bases, s.visit(h, scope))
		}
	}
	for _, b := range bases {
		if b != lang.None {
			s.b.Facts.Decls[i].Bases = append(s.b.Facts.Decls[i].Bases, b)
		}
	}
	var pending []int32
	for c := range s.children(body) {
		switch s.kind(c) {
		case "decorator":
			pending = append(pending, c)
			continue
		case "method_definition", "method_signature", "abstract_method_signature":
			m := s.method(c, i)
			for _, p := range pending {
				s.decorator(p, m, i)
			}
		case "field_definition", "public_field_definition":
			s.member(c, i)
			s.decorators(c, i, i)
			for _, p := range pending {
				s.visit(p, i)
			}
		default:
			s.visit(c, i)
		}
		pending = nil
	}
	return i
}

func (s *script) method(c, class int32) int32 {
	name := s.field(c, "name")
	var flags lang.DeclFlag
	for _, w := range strings.Fields(string(s.before(c, name))) {
		switch strings.TrimSuffix(w, "*") {
		case "static":
			flags |= lang.Static
		case "get":
			flags |= lang.Property
		}
	}
	m := s.function(c, c, s.key(name), "", class, flags)
	s.decorators(c, m, class)
	return m
}

// member reads a field of a class.
func (s *script) member(c, class int32) {
	name := s.field(c, "property")
	if name < 0 {
		name = s.field(c, "name")
	}
	value := s.field(c, "value")
	if value >= 0 {
		switch s.kind(value) {
		case "arrow_function", "function_expression", "function":
			s.function(value, c, s.key(name), "", class, 0)
			return
		}
	}
	if t := s.field(c, "type"); t >= 0 {
		s.b.Bind(lang.Annotate, class, s.key(name), s.typ(t, class), s.line(c))
	}
	if x := s.visit(value, class); x != lang.None {
		s.b.Bind(lang.Assign, class, s.key(name), x, s.line(c))
	}
}

func (s *script) decorators(n, d, scope int32) {
	for c := range s.children(n) {
		if s.kind(c) == "decorator" {
			s.decorator(c, d, scope)
		}
	}
}

func (s *script) decorator(n, d, scope int32) {
	fn := s.child(n, 0)
	x := s.visit(fn, scope)
	if x == lang.None {
		return
	}
	callee := x
	if s.b.Facts.Exprs[x].Op == lang.OpCall {
		callee = lang.None
	}
	s.ref(lang.Decorator, fn, scope, x, callee, s.b.Decl(d))
}

func (s *script) interfaceDecl(n, scope int32) {
	body := s.field(n, "body")
	d := s.decl(n, n, s.text(s.field(n, "name")), lang.Class, scope, body)
	d.Flags = lang.Interface
	i := s.b.Declare(d)
	for t := range s.children(s.first(n, "extends_type_clause", "extends_clause")) {
		if b := s.typ(t, scope); b != lang.None {
			s.b.Facts.Decls[i].Bases = append(s.b.Facts.Decls[i].Bases, b)
		}
	}
	for c := range s.children(body) {
		switch s.kind(c) {
		case "method_signature":
			s.function(c, c, s.key(s.field(c, "name")), "", i, lang.Interface)
		case "property_signature":
			s.b.Bind(lang.Annotate, i, s.key(s.field(c, "name")), s.typ(s.field(c, "type"), scope), s.line(c))
		}
	}
}

// typ gives the sketch of a type: the class whose instance is meant, or a container of instances.
func (s *script) typ(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch s.kind(n) {
	case "type_annotation", "parenthesized_type", "readonly_type", "extends_type_clause":
		return s.typ(s.child(n, 0), scope)
	case "type_identifier", "identifier":
		return s.b.Name(scope, s.text(n))
	case "this_type":
		return s.b.Leaf(lang.OpThis, scope, "")
	case "nested_type_identifier", "nested_identifier":
		first := s.child(n, 0)
		return s.b.Of(lang.OpAttr, s.typ(first, scope), s.text(s.child(n, 1)))
	case "union_type", "intersection_type":
		var xs []int32
		for c := range s.children(n) {
			xs = append(xs, s.typ(c, scope))
		}
		return s.b.Any(xs...)
	case "array_type":
		return s.box(s.child(n, 0), scope)
	case "tuple_type":
		var args []lang.Arg
		for c := range s.children(n) {
			args = append(args, lang.Arg{X: s.b.Of(lang.OpInstance, s.typ(c, scope), "")})
		}
		return s.b.Many(lang.OpList, args)
	case "function_type":
		d := s.decl(n, n, "", lang.Lambda, scope, -1)
		i := s.b.Declare(d)
		s.b.Bind(lang.ReturnType, i, "", s.typ(s.field(n, "return_type"), scope), s.line(n))
		return s.b.Decl(i)
	case "generic_type":
		name := s.field(n, "name")
		if name < 0 {
			name = s.child(n, 0)
		}
		args := s.field(n, "type_arguments")
		if args < 0 {
			args = s.first(n, "type_arguments")
		}
		last := s.child(args, 0)
		for c := range s.children(args) {
			last = c
		}
		switch s.text(name) {
		case "Promise", "Readonly", "Partial", "Required", "NonNullable", "PromiseLike", "Awaited":
			return s.typ(s.child(args, 0), scope)
		case "Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "Iterator", "Generator", "Map", "ReadonlyMap", "Record":
			return s.box(last, scope)
		}
		return s.typ(name, scope)
	}
	return lang.None
}

func (s *script) box(n, scope int32) int32 {
	x := s.typ(n, scope)
	if x == lang.None {
		return x
	}
	return s.b.Many(lang.OpDict, []lang.Arg{{X: s.b.Of(lang.OpInstance, x, "")}})
}
