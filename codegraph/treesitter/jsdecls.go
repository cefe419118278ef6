package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

const maxSignature = 2000 // bytes of source looked at for a signature

// decl describes a declaration at n whose text begins at whole; head is the node where the signature ends, or -1.
func (s *script) decl(n, whole int32, name string, kind lang.DeclKind, head int32) lang.Decl {
	end := s.rec[n].end
	body := end
	if head >= 0 {
		body = s.rec[head].start
	}
	start := s.rec[whole].start
	d := lang.Decl{Name: name, Kind: kind, Parent: s.cur.decl, Span: s.span(start, max(end, s.rec[whole].end)), NameLine: s.line(n), Body: body}
	if at := s.field(n, "name"); at >= 0 {
		d.NameLine = s.line(at)
	}
	if kind != lang.Lambda {
		text := s.src[start:max(body, start)]
		sig := strings.TrimSpace(lang.OneLine(strings.ToValidUTF8(string(text[:min(len(text), maxSignature)]), "")))
		d.Signature = strings.TrimSpace(strings.TrimSuffix(sig, "=>"))
	}
	return d
}

// functionDecl reads a function declared as a statement.
func (s *script) functionDecl(n int32) int32 {
	name := s.text(s.field(n, "name"))
	if s.is(n, "function_signature") && s.overloads(n, name) {
		return s.overload(n, name)
	}
	flags := s.conditional()
	if s.cur.merged[name] {
		flags |= lang.Conditional
	}
	at := s.cur
	if s.is(n, "function_declaration", "generator_function_declaration") { // hoisted out of blocks
		s.cur = s.cur.fn
		defer func() { s.cur = at }()
	}
	return s.function(n, n, name, "", flags)
}

// overloads tells whether the declaration after the signature n is of the same name: the last one stands for all.
func (s *script) overloads(n int32, name string) bool {
	for next := s.rec[n].next; int(next) < len(s.rec); next = s.rec[next].next {
		if s.is(next, "comment") {
			continue
		}
		if s.is(next, "export_statement", "ambient_declaration") {
			next++
		}
		return int(next) < len(s.rec) && name != "" && s.key(s.field(next, "name")) == name &&
			s.is(next, "function_signature", "function_declaration", "generator_function_declaration", "method_signature", "method_definition",
				"abstract_method_signature") && (!s.is(next, "method_definition", "method_signature") || !s.isSetter(next))
	}
	return false
}

// overload reads a signature that another of the same name follows. It is no entity of its own.
func (s *script) overload(n int32, name string) int32 {
	i := s.signature(n)
	if k := (sigKey{s.cur.decl, name}); s.results[i] > 0 && len(s.sigs[k]) < maxSignatures {
		if s.sigs == nil {
			s.sigs = map[sigKey][]int32{}
		}
		s.sigs[k] = append(s.sigs[k], s.results[i]-1)
	}
	return i
}

// function reads a function with a name. Its "this" is unknown, unless it makes objects.
func (s *script) function(n, whole int32, name, qualifier string, flags lang.DeclFlag) int32 {
	if s.makes(n, name) {
		return s.maker(n, whole, name, qualifier, flags)
	}
	old := s.this
	if !s.is(n, "arrow_function") {
		s.this = &jsThis{x: lang.None}
	}
	d := s.functionIn(n, whole, name, qualifier, flags)
	s.this = old
	return d
}

// maker reads a function that is used as a class: a class, and the function as its constructor.
func (s *script) maker(n, whole int32, name, qualifier string, flags lang.DeclFlag) int32 {
	d := s.decl(n, whole, name, lang.Class, s.field(n, "body"))
	d.Flags, d.Qualifier = flags, qualifier
	i := s.b.Declare(d)
	c, old := s.open(i), s.this
	s.this = &jsThis{class: true, x: lang.None}
	s.functionIn(n, whole, "constructor", "", 0)
	s.this = old
	s.close(c)
	return i
}

// functionIn declares a function, method or signature and reads it.
func (s *script) functionIn(n, whole int32, name, qualifier string, flags lang.DeclFlag) int32 {
	d := s.decl(n, whole, name, lang.Function, s.field(n, "body"))
	d.Flags, d.Qualifier = flags, qualifier
	if name == "" {
		d.Kind = lang.Lambda
	}
	i := s.b.Declare(d)
	c := s.open(i)
	if own := s.field(n, "name"); s.is(n, "function_expression", "function", "generator_function") && own >= 0 {
		s.cur.add(s.text(own), jsEntity) // a function expression sees its own name
		s.b.Bind(lang.Assign, i, s.text(own), s.b.Decl(i), s.line(n))
	}
	s.inside(n, i)
	s.close(c)
	return i
}

// closure reads a function expression. It is an entity when it has a name, or the variable that holds it gives it one.
func (s *script) closure(n int32) int32 {
	name := s.named[n]
	if name == "" {
		name = s.text(s.field(n, "name"))
	}
	return s.function(n, n, name, "", lang.Hidden|s.conditional())
}

type sigKey struct {
	scope int32
	name  string
}

// inside reads parameters, result type and body of declaration d, whose scope is the current one.
func (s *script) inside(n, d int32) {
	s.typeParams(s.field(n, "type_parameters"))
	var params []lang.Param
	if p := s.field(n, "parameter"); p >= 0 { // x => ...
		s.cur.add(s.text(p), jsVariable)
		params = append(params, lang.Param{Name: s.text(p), Type: lang.None, Def: lang.None})
	}
	list := s.field(n, "parameters")
	for c := range s.children(list) {
		s.addPattern(s.cur, c, jsVariable)
	}
	for c := range s.children(list) {
		if p, ok := s.param(c, d, len(params)); ok {
			params = append(params, p)
		}
	}
	s.b.Facts.Decls[d].Params = params
	s.returnType(n, d)
	body := s.field(n, "body")
	switch {
	case body < 0:
	case s.is(body, "statement_block"):
		s.hoist(body)
		s.declare(body)
		s.all(body)
	default:
		r := s.strip(body)
		if s.is(r, "object") {
			s.wrap(body, r)
			s.b.Bind(lang.Return, d, "", s.object(r, "", nil), s.line(body))
			return
		}
		x := s.value(body)
		s.expect(s.results[d]-1, x, s.line(body))
		s.b.Bind(lang.Return, d, "", x, s.line(body))
	}
}

// returnType reads what a function says that it returns. What the signatures before an implementation say counts for it,
// when it says nothing itself; so does what other signatures of the same name say.
func (s *script) returnType(n, d int32) {
	t := s.field(n, "return_type")
	if t < 0 && s.is(n, "construct_signature") {
		t = s.field(n, "type")
	}
	x := s.typ(t)
	if x != lang.None {
		s.results[d] = x + 1
		s.b.Bind(lang.ReturnType, d, "", x, s.line(t))
	}
	decl := &s.b.Facts.Decls[d]
	if decl.Kind != lang.Function {
		return
	}
	k := sigKey{decl.Parent, decl.Name}
	signature := s.field(n, "body") < 0
	if signature || x == lang.None {
		for _, y := range s.sigs[k] {
			s.b.Bind(lang.ReturnType, d, "", y, s.line(n))
		}
	}
	if signature && x != lang.None && len(s.sigs[k]) < maxSignatures {
		if s.sigs == nil {
			s.sigs = map[sigKey][]int32{}
		}
		s.sigs[k] = append(s.sigs[k], x)
	}
}

func (s *script) param(c, d int32, i int) (lang.Param, bool) {
	p := lang.Param{Type: lang.None, Def: lang.None}
	pattern := c
	switch s.kind(c) {
	case "required_parameter", "optional_parameter":
		for x := range s.children(c) {
			if s.is(x, "decorator") {
				s.decorator(x, d)
			}
		}
		if pattern = s.field(c, "pattern"); pattern < 0 {
			pattern = s.child(c, 0)
		}
		p.Type = s.typ(s.field(c, "type"))
		if s.is(pattern, "this") {
			if s.this = (&jsThis{x: s.b.Of(lang.OpInstance, p.Type, "")}); p.Type == lang.None {
				s.this.x = lang.None
			}
			return p, false
		}
		p.Def = s.value(s.field(c, "value"))
		if class := s.b.Facts.Decls[d].Parent; pattern >= 0 && class != lang.File && s.b.Facts.Decls[d].Name == "constructor" &&
			s.first(c, "accessibility_modifier") >= 0 || pattern >= 0 && strings.Contains(string(s.before(c, pattern)), "readonly") {
			if class := s.b.Facts.Decls[d].Parent; p.Type != lang.None { // private x: T makes a field
				s.b.Bind(lang.Annotate, class, s.text(pattern), p.Type, s.line(c))
			} else if p.Def != lang.None && class != lang.File {
				s.b.Bind(lang.Assign, class, s.text(pattern), p.Def, s.line(c))
			}
		}
	case "assignment_pattern":
		pattern = s.field(c, "left")
		p.Def = s.value(s.field(c, "right"))
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
		inner := s.child(pattern, 0)
		p.Kind, p.Name = lang.Rest, s.text(inner)
		if p.Type != lang.None && s.is(inner, "identifier") { // its annotation is that of the whole list
			s.b.Bind(lang.Annotate, d, p.Name, p.Type, s.line(c))
		}
	default: // taken apart: a name nobody can write stands for the whole
		p.Name = "\x00" + itoa(i)
		s.bind(pattern, s.b.Name(d, p.Name))
	}
	return p, true
}

// classDecl reads a class declared as a statement.
func (s *script) classDecl(n int32) int32 {
	plain := s.text(s.field(n, "name"))
	as, flags := s.bound(plain), s.declFlags(plain)
	d := s.class(n, n, plain, flags)
	if as != plain {
		s.b.Bind(lang.Assign, s.cur.decl, as, s.b.Decl(d), s.line(n))
	}
	return d
}

// declFlags are the flags of a class-like declaration in the current scope.
func (s *script) declFlags(name string) lang.DeclFlag {
	flags := s.conditional()
	if s.bound(name) != name {
		flags |= lang.Hidden
	}
	if s.cur.merged[name] {
		flags |= lang.Conditional
	}
	return flags
}

func (s *script) class(n, whole int32, name string, flags lang.DeclFlag) int32 {
	body := s.field(n, "body")
	d := s.decl(n, whole, name, lang.Class, body)
	d.Flags = flags
	i := s.b.Declare(d)
	s.decorators(n, i)
	c, old := s.open(i), s.this
	defer func() {
		s.this = old
		s.close(c)
	}()
	if own := s.field(n, "name"); s.is(n, "class") && own >= 0 && s.text(own) != name {
		s.cur.add(s.text(own), jsEntity)
		s.b.Bind(lang.Assign, i, s.text(own), s.b.Decl(i), s.line(n))
	}
	s.typeParams(s.field(n, "type_parameters"))
	var bases []int32
	for h := range s.children(s.first(n, "class_heritage")) {
		switch s.kind(h) {
		case "extends_clause":
			base := s.value(s.field(h, "value"))
			bases = append(bases, s.apply(base, s.typeArgs(s.field(h, "type_arguments"))))
		case "implements_clause":
			for t := range s.children(h) {
				bases = append(bases, s.typ(t))
			}
		default:
			bases = append(bases, s.value(h))
		}
	}
	for _, b := range bases {
		if b != lang.None {
			s.b.Facts.Decls[i].Bases = append(s.b.Facts.Decls[i].Bases, b)
		}
	}
	s.this = &jsThis{class: true, x: lang.None}
	var pending []int32
	for c := range s.children(body) {
		switch s.kind(c) {
		case "decorator":
			pending = append(pending, c)
			continue
		case "method_definition", "method_signature", "abstract_method_signature":
			if name := s.key(s.field(c, "name")); !s.is(c, "method_definition") && s.methodFlags(c)&lang.Property == 0 && s.overloads(c, name) {
				s.overload(c, name)
				break
			}
			m := s.classMethod(c)
			for _, p := range pending {
				s.decorator(p, m)
			}
		case "field_definition", "public_field_definition":
			s.member(c)
			s.decorators(c, i)
			for _, p := range pending {
				s.decorator(p, i)
			}
		case "class_static_block":
			s.visit(s.field(c, "body"))
		case "index_signature":
			s.typ(s.field(c, "type"))
		default:
			s.visit(c)
		}
		pending = nil
	}
	return i
}

// methodFlags reads the words before a method's name.
func (s *script) methodFlags(c int32) lang.DeclFlag {
	var flags lang.DeclFlag
	for _, w := range strings.Fields(string(s.before(c, s.field(c, "name")))) {
		switch strings.TrimSuffix(w, "*") {
		case "static":
			flags |= lang.Static
		case "get":
			flags |= lang.Property
		}
	}
	return flags
}

// isSetter tells whether a method is written "set x(v)".
func (s *script) isSetter(c int32) bool {
	w := strings.Fields(string(s.before(c, s.field(c, "name"))))
	return len(w) > 0 && w[len(w)-1] == "set"
}

func (s *script) classMethod(c int32) int32 {
	name := s.field(c, "name")
	flags := s.methodFlags(c)
	if s.isSetter(c) {
		flags |= lang.Hidden // reading the name gives what the getter gives
	}
	if s.is(name, "computed_property_name") {
		s.visit(s.child(name, 0))
	}
	d := s.functionIn(c, c, s.key(name), "", flags)
	s.decorators(c, d)
	return d
}

// member reads a field of a class.
func (s *script) member(c int32) {
	name := s.field(c, "property")
	if name < 0 {
		name = s.field(c, "name")
	}
	if s.is(name, "computed_property_name") {
		s.visit(s.child(name, 0))
	}
	key, value, t := s.key(name), s.field(c, "value"), s.field(c, "type")
	var flags lang.DeclFlag
	if strings.Contains(string(s.before(c, name)), "static") {
		flags = lang.Static
	}
	v := s.strip(value)
	if s.isFunction(v) {
		want := s.typ(t)
		s.wrap(value, v)
		old := s.this
		if !s.is(v, "arrow_function") {
			s.this = &jsThis{class: true, x: lang.None}
		}
		d := s.functionIn(v, c, key, "", flags)
		s.this = old
		s.expect(want, s.b.Decl(d), s.line(c))
		return
	}
	if t >= 0 {
		s.b.Bind(lang.Annotate, s.cur.decl, key, s.typ(t), s.line(c))
	}
	if v >= 0 {
		s.nameFunctions(v, key)
	}
	if x := s.value(value); x != lang.None {
		s.b.Bind(lang.Assign, s.cur.decl, key, x, s.line(c))
	}
}

func (s *script) decorators(n, d int32) {
	for c := range s.children(n) {
		if s.kind(c) == "decorator" {
			s.decorator(c, d)
		}
	}
}

func (s *script) decorator(n, d int32) {
	fn := s.child(n, 0)
	x := s.callee(fn)
	if x == lang.None {
		return
	}
	callee := x
	if s.b.Facts.Exprs[x].Op == lang.OpCall {
		callee = lang.None
	}
	s.ref(lang.Decorator, fn, x, callee, s.b.Decl(d))
}

// namespace reads "namespace A.B {}" and "declare module 'x' {}".
func (s *script) namespace(n int32) {
	var parts []string
	name := s.field(n, "name")
	if s.is(name, "string") {
		parts = []string{s.constant(name)}
	} else {
		parts = strings.Split(s.dotted(name), ".")
	}
	old := s.this
	s.this = &jsThis{x: lang.None}
	start := s.cur
	for _, p := range parts {
		if p == "" {
			continue
		}
		s.cur.add(p, jsEntity)
		d := s.decl(n, n, p, lang.Namespace, -1)
		d.Signature = ""
		if s.is(name, "string") {
			d.Flags |= lang.Hidden
		}
		if s.cur.merged[p] {
			d.Flags |= lang.Conditional
		}
		i := s.b.Declare(d)
		s.open(i)
	}
	body := s.field(n, "body")
	s.hoist(body)
	s.declare(body)
	s.all(body)
	s.cur, s.this = start, old
}

func (s *script) enumDecl(n int32) {
	name := s.text(s.field(n, "name"))
	d := s.decl(n, n, name, lang.Class, s.field(n, "body"))
	d.Flags = s.declFlags(name)
	i := s.b.Declare(d)
	c := s.open(i)
	for m := range s.children(s.field(n, "body")) {
		key := m
		if s.is(m, "enum_assignment") {
			key = s.field(m, "name")
			s.visit(s.field(m, "value"))
		}
		if k := s.key(key); k != "" {
			s.b.Bind(lang.Assign, i, k, s.external(), s.line(m))
		}
	}
	s.close(c)
}
