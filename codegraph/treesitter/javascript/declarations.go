package javascript

import (
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

const maxSignature = 2000 // bytes of source looked at for a signature

// entity adds a declaration at n whose text begins at whole; head is the node where the signature ends, or -1.
func (s *walker) entity(n, whole int32, name string, kind lang.DeclKind, flags lang.DeclFlag, head int32) int32 {
	end := s.End(n)
	body := end
	if head >= 0 {
		body = s.Start(head)
	}
	start := s.Start(whole)
	d := lang.Decl{Name: name, Kind: kind, Parent: s.cur.decl, Span: s.Span(start, max(end, s.End(whole))), NameLine: s.Line(n), Body: body, Flags: flags}
	if at := s.Field(n, "name"); at >= 0 {
		d.NameLine = s.Line(at)
	}
	if kind != lang.Lambda {
		text := s.Src[start:max(body, start)]
		sig := strings.TrimSpace(lang.OneLine(strings.ToValidUTF8(string(text[:min(len(text), maxSignature)]), "")))
		d.Signature = strings.TrimSpace(strings.TrimSuffix(sig, "=>"))
	}
	return s.B.Declare(d)
}

// functionDecl reads a function declared as a statement.
func (s *walker) functionDecl(n int32) int32 {
	name := s.Text(s.Field(n, "name"))
	if s.Is(n, "function_signature") && s.hasNextOverload(n, name) {
		return s.overloadSignature(n, name)
	}
	flags := s.conditional()
	if s.cur.merged[name] {
		flags |= lang.Conditional
	}
	at := s.cur
	if s.Is(n, "function_declaration", "generator_function_declaration") { // hoisted out of blocks
		s.cur = s.cur.fn
		defer func() { s.cur = at }()
	}
	return s.function(n, n, name, "", flags)
}

// overloadSignature reads a signature that another of the same name follows. It is no entity of its own.
func (s *walker) overloadSignature(n int32, name string) int32 {
	i := s.signature(n)
	if k := (sigKey{s.cur.decl, name}); s.results[i] > 0 && len(s.overloads[k]) < maxSignatures {
		s.overloads[k] = append(s.overloads[k], s.results[i]-1)
	}
	return i
}

// function reads a function with a name. Its "this" is unknown, unless it makes objects.
func (s *walker) function(n, whole int32, name, qualifier string, flags lang.DeclFlag) int32 {
	if s.isConstructor(n, name) {
		return s.constructorClass(n, whole, name, qualifier, flags)
	}
	return s.functionOf(&receiver{x: lang.None}, n, whole, name, qualifier, flags)
}

// functionOf reads a function whose "this" is the receiver. Arrow functions have that around them.
func (s *walker) functionOf(this *receiver, n, whole int32, name, qualifier string, flags lang.DeclFlag) int32 {
	old := s.this
	if !s.Is(n, "arrow_function") {
		s.this = this
	}
	d := s.functionIn(n, whole, name, qualifier, flags)
	s.this = old
	return d
}

// constructorClass reads a function that is used as a class: a class, and the function as its constructor.
func (s *walker) constructorClass(n, whole int32, name, qualifier string, flags lang.DeclFlag) int32 {
	i := s.entity(n, whole, name, lang.Class, flags, s.Field(n, "body"))
	s.Declared(i).Qualifier = qualifier
	c := s.open(i)
	s.functionOf(&receiver{class: true, x: lang.None}, n, whole, "constructor", "", 0)
	s.close(c)
	return i
}

// functionIn declares a function, method or signature and reads it.
func (s *walker) functionIn(n, whole int32, name, qualifier string, flags lang.DeclFlag) int32 {
	i := s.entity(n, whole, name, lang.Function, flags, s.Field(n, "body"))
	s.Declared(i).Qualifier = qualifier
	if name == "" {
		s.Declared(i).Kind = lang.Lambda
	}
	c := s.open(i)
	if own := s.Field(n, "name"); s.Is(n, "function_expression", "function", "generator_function") && own >= 0 {
		s.cur.add(s.Text(own), boundEntity) // a function expression sees its own name
		s.B.Bind(lang.Assign, i, s.Text(own), s.B.Decl(i), s.Line(n))
	}
	s.functionBody(n, i)
	s.close(c)
	return i
}

// closure reads a function expression. It is an entity when it has a name, or the variable that holds it gives it one.
func (s *walker) closure(n int32) int32 {
	name := s.named[n]
	if name == "" {
		name = s.Text(s.Field(n, "name"))
	}
	return s.function(n, n, name, "", lang.Hidden|s.conditional())
}

type sigKey struct {
	scope int32
	name  string
}

// functionBody reads parameters, result type and body of declaration d, whose scope is the current one.
func (s *walker) functionBody(n, d int32) {
	s.typeParams(s.Field(n, "type_parameters"))
	var params []lang.Param
	if p := s.Field(n, "parameter"); p >= 0 { // x => ...
		s.cur.add(s.Text(p), boundVariable)
		params = append(params, core.Param(s.Text(p)))
	}
	list := s.Field(n, "parameters")
	for c := range s.Children(list) {
		s.declarePattern(s.cur, c, boundVariable)
	}
	for c := range s.Children(list) {
		if p, ok := s.param(c, d, len(params)); ok {
			params = append(params, p)
		}
	}
	s.Declared(d).Params = params
	s.returnType(n, d)
	body := s.Field(n, "body")
	switch {
	case body < 0:
	case s.Is(body, "statement_block"):
		s.hoist(body)
		s.declare(body)
		s.all(body)
	default:
		r := s.unwrap(body)
		if s.Is(r, "object") {
			s.castTypes(body, r)
			s.B.Bind(lang.Return, d, "", s.object(r, "", nil), s.Line(body))
			return
		}
		x := s.value(body)
		s.inferParams(s.results[d]-1, x, s.Line(body))
		s.B.Bind(lang.Return, d, "", x, s.Line(body))
	}
}

// returnType reads what a function says that it returns. What the signatures before an implementation say counts for it,
// when it says nothing itself; so does what other signatures of the same name say.
func (s *walker) returnType(n, d int32) {
	t := s.Field(n, "return_type")
	if t < 0 && s.Is(n, "construct_signature") {
		t = s.Field(n, "type")
	}
	x := s.typ(t)
	if x != lang.None {
		s.results[d] = x + 1
		s.B.Bind(lang.ReturnType, d, "", x, s.Line(t))
	}
	decl := s.Declared(d)
	if decl.Kind != lang.Function {
		return
	}
	k := sigKey{decl.Parent, decl.Name}
	signature := s.Field(n, "body") < 0
	if signature || x == lang.None {
		for _, y := range s.overloads[k] {
			s.B.Bind(lang.ReturnType, d, "", y, s.Line(n))
		}
	}
	if signature && x != lang.None && len(s.overloads[k]) < maxSignatures {
		s.overloads[k] = append(s.overloads[k], x)
	}
}

func (s *walker) param(c, d int32, i int) (lang.Param, bool) {
	p, pattern := core.Param(""), c
	switch s.Kind(c) {
	case "required_parameter", "optional_parameter":
		s.decorators(c, d)
		pattern = s.Field(c, "pattern")
		p.Type = s.typ(s.Field(c, "type"))
		if s.Is(pattern, "this") {
			s.this = &receiver{x: s.Instance(p.Type)}
			return p, false
		}
		p.Def = s.value(s.Field(c, "value"))
		if class := s.Declared(d).Parent; pattern >= 0 && (class != lang.File && s.Declared(d).Name == "constructor" &&
			s.First(c, "accessibility_modifier") >= 0 || strings.Contains(string(s.Before(c, pattern)), "readonly")) {
			if p.Type != lang.None { // private x: T makes a field
				s.B.Bind(lang.Annotate, class, s.Text(pattern), p.Type, s.Line(c))
			} else if p.Def != lang.None && class != lang.File {
				s.B.Bind(lang.Assign, class, s.Text(pattern), p.Def, s.Line(c))
			}
		}
	case "assignment_pattern":
		pattern = s.Field(c, "left")
		p.Def = s.value(s.Field(c, "right"))
	case "identifier", "object_pattern", "array_pattern", "rest_pattern":
	default:
		return p, false
	}
	if pattern < 0 {
		return p, false
	}
	switch s.Kind(pattern) {
	case "identifier":
		p.Name = s.Text(pattern)
	case "rest_pattern":
		inner := s.Child(pattern, 0)
		p.Kind, p.Name = lang.Rest, s.Text(inner)
		if p.Type != lang.None && s.Is(inner, "identifier") { // its annotation is that of the whole list
			s.B.Bind(lang.Annotate, d, p.Name, p.Type, s.Line(c))
		}
	default: // taken apart: a name nobody can write stands for the whole
		p.Name = "\x00" + strconv.Itoa(i)
		s.bind(pattern, s.B.Name(d, p.Name))
	}
	return p, true
}

// classDecl reads a class declared as a statement.
func (s *walker) classDecl(n int32) int32 {
	plain := s.Text(s.Field(n, "name"))
	as := s.bound(plain)
	d := s.class(n, n, plain, s.declFlags(plain))
	s.bindAs(as, plain, d, n)
	return d
}

// bindAs binds a declaration to the name that stands for its own in the facts, where that is another.
func (s *walker) bindAs(as, name string, d, n int32) {
	if as != name {
		s.B.Bind(lang.Assign, s.cur.decl, as, s.B.Decl(d), s.Line(n))
	}
}

// declFlags are the flags of a class-like declaration in the current scope.
func (s *walker) declFlags(name string) lang.DeclFlag {
	flags := s.conditional()
	if s.bound(name) != name {
		flags |= lang.Hidden
	}
	if s.cur.merged[name] {
		flags |= lang.Conditional
	}
	return flags
}

func (s *walker) class(n, whole int32, name string, flags lang.DeclFlag) int32 {
	body := s.Field(n, "body")
	i := s.entity(n, whole, name, lang.Class, flags, body)
	s.decorators(n, i)
	c, old := s.open(i), s.this
	defer func() {
		s.this = old
		s.close(c)
	}()
	if own := s.Field(n, "name"); s.Is(n, "class") && own >= 0 && s.Text(own) != name {
		s.cur.add(s.Text(own), boundEntity)
		s.B.Bind(lang.Assign, i, s.Text(own), s.B.Decl(i), s.Line(n))
	}
	s.typeParams(s.Field(n, "type_parameters"))
	var bases []int32
	for h := range s.Children(s.First(n, "class_heritage")) {
		switch s.Kind(h) {
		case "extends_clause":
			base := s.value(s.Field(h, "value"))
			bases = append(bases, s.apply(base, s.typeArgs(s.Field(h, "type_arguments"))))
		case "implements_clause":
			for t := range s.Children(h) {
				bases = append(bases, s.typ(t))
			}
		default:
			bases = append(bases, s.value(h))
		}
	}
	s.Declared(i).Bases = slices.DeleteFunc(bases, func(b int32) bool { return b == lang.None })
	s.this = &receiver{class: true, x: lang.None}
	var pending []int32
	for c := range s.Children(body) {
		switch s.Kind(c) {
		case "decorator":
			pending = append(pending, c)
			continue
		case "method_definition", "method_signature", "abstract_method_signature":
			if name := s.key(s.Field(c, "name")); !s.Is(c, "method_definition") && s.methodFlags(c)&lang.Property == 0 && s.hasNextOverload(c, name) {
				s.overloadSignature(c, name)
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
			s.visit(s.Field(c, "body"))
		case "index_signature":
			s.typ(s.Field(c, "type"))
		default:
			s.visit(c)
		}
		pending = nil
	}
	return i
}

func (s *walker) classMethod(c int32) int32 {
	name := s.Field(c, "name")
	flags := s.methodFlags(c)
	if s.isSetter(c) {
		flags |= lang.Hidden // reading the name gives what the getter gives
	}
	d := s.functionIn(c, c, s.keyOf(name), "", flags)
	s.decorators(c, d)
	return d
}

// member reads a field of a class.
func (s *walker) member(c int32) {
	name := s.Field(c, "property")
	if name < 0 {
		name = s.Field(c, "name")
	}
	key, value, t := s.keyOf(name), s.Field(c, "value"), s.Field(c, "type")
	var flags lang.DeclFlag
	if strings.Contains(string(s.Before(c, name)), "static") {
		flags = lang.Static
	}
	v := s.unwrap(value)
	if s.isFunction(v) {
		want := s.typ(t)
		s.castTypes(value, v)
		d := s.functionOf(&receiver{class: true, x: lang.None}, v, c, key, "", flags)
		s.inferParams(want, s.B.Decl(d), s.Line(c))
		return
	}
	if t >= 0 {
		s.B.Bind(lang.Annotate, s.cur.decl, key, s.typ(t), s.Line(c))
	}
	s.nameFunctions(v, key)
	s.B.Bind(lang.Assign, s.cur.decl, key, s.value(value), s.Line(c))
}

func (s *walker) decorators(n, d int32) {
	for c := range s.Of(n, "decorator") {
		s.decorator(c, d)
	}
}

func (s *walker) decorator(n, d int32) {
	fn := s.Child(n, 0)
	x := s.callee(fn)
	if x == lang.None {
		return
	}
	callee := x
	if s.Op(x) == lang.OpCall {
		callee = lang.None
	}
	s.ref(lang.Decorator, fn, x, callee, s.B.Decl(d))
}

// namespace reads "namespace A.B {}" and "declare module 'x' {}".
func (s *walker) namespace(n int32) {
	var parts []string
	name := s.Field(n, "name")
	if s.Is(name, "string") {
		parts = []string{s.constant(name)}
	} else {
		parts = strings.Split(s.dotted(name), ".")
	}
	old := s.this
	s.this = &receiver{x: lang.None}
	start := s.cur
	for _, p := range parts {
		if p == "" {
			continue
		}
		s.cur.add(p, boundEntity)
		i := s.entity(n, n, p, lang.Namespace, 0, -1)
		d := s.Declared(i)
		d.Signature = ""
		if s.Is(name, "string") {
			d.Flags |= lang.Hidden
		}
		if s.cur.merged[p] {
			d.Flags |= lang.Conditional
		}
		s.open(i)
	}
	body := s.Field(n, "body")
	s.hoist(body)
	s.declare(body)
	s.all(body)
	s.cur, s.this = start, old
}

func (s *walker) enumDecl(n int32) {
	name := s.Text(s.Field(n, "name"))
	i := s.entity(n, n, name, lang.Class, s.declFlags(name), s.Field(n, "body"))
	c := s.open(i)
	for m := range s.Children(s.Field(n, "body")) {
		key := m
		if s.Is(m, "enum_assignment") {
			key = s.Field(m, "name")
			s.visit(s.Field(m, "value"))
		}
		if k := s.key(key); k != "" {
			s.B.Bind(lang.Assign, i, k, s.External(""), s.Line(m))
		}
	}
	s.close(c)
}
