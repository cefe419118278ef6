package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// typeParams reads the type parameters of the current scope: each stands for its bound, or for its default.
func (s *script) typeParams(n int32) {
	for c := range s.children(n) {
		s.cur.add(s.text(s.field(c, "name")), jsTypeParam)
	}
	generic := false // where type arguments are kept
	if d := s.cur.decl; d != lang.File {
		decl := &s.b.Facts.Decls[d]
		generic = decl.Kind == lang.Class && decl.Flags&lang.AliasType == 0
	}
	i := 0
	for c := range s.children(n) {
		x := s.typ(s.child(s.field(c, "constraint"), 0))
		y := s.typ(s.child(s.field(c, "value"), 0))
		if x == lang.None {
			x = y
		}
		if generic && s.is(c, "type_parameter") {
			x = typeParam(&s.b, s.b.Decl(s.cur.decl), i, x)
			i++
		}
		s.b.Bind(lang.Assign, s.cur.decl, "<"+s.text(s.field(c, "name"))+">", x, s.line(c))
	}
}

func (s *script) interfaceDecl(n int32) {
	body, name := s.field(n, "body"), s.text(s.field(n, "name"))
	d := s.decl(n, n, name, lang.Class, body)
	d.Flags = lang.Interface | s.declFlags(name)
	i := s.b.Declare(d)
	if as := s.bound(name); as != name {
		s.b.Bind(lang.Assign, s.cur.decl, as, s.b.Decl(i), s.line(n))
	}
	c, old := s.open(i), s.this
	s.typeParams(s.field(n, "type_parameters"))
	for t := range s.children(s.first(n, "extends_type_clause", "extends_clause")) {
		if b := s.typ(t); b != lang.None {
			s.b.Facts.Decls[i].Bases = append(s.b.Facts.Decls[i].Bases, b)
		}
	}
	s.this = &jsThis{class: true, x: lang.None}
	calls := 0
	for c := range s.children(body) {
		switch s.kind(c) {
		case "method_signature":
			if name := s.key(s.field(c, "name")); s.methodFlags(c)&lang.Property == 0 && !s.isSetter(c) && s.overloads(c, name) {
				s.overload(c, name)
				continue
			}
			flags := lang.Interface | s.methodFlags(c)
			if s.isSetter(c) {
				flags |= lang.Hidden
			}
			s.functionIn(c, c, s.key(s.field(c, "name")), "", flags)
		case "property_signature":
			s.b.Bind(lang.Annotate, i, s.key(s.field(c, "name")), s.typ(s.field(c, "type")), s.line(c))
		case "call_signature", "construct_signature":
			if calls++; calls <= maxSignatures {
				s.b.Bind(lang.Assign, i, callMethod, s.b.Decl(s.signature(c)), s.line(c))
			}
		case "index_signature":
			s.typ(s.field(c, "type"))
		}
	}
	s.this = old
	s.close(c)
}

const maxSignatures = 12 // ways to call one type that are followed; with more nothing would be known

// expect lets a function expression take its parameters' types from the type that is wanted where it stands, as if it
// were passed to a function with a parameter of that type.
func (s *script) expect(typ, fn, line int32) {
	if typ == lang.None || fn == lang.None || s.b.Facts.Exprs[fn].Op != lang.OpDecl {
		return
	}
	params := s.b.Facts.Decls[s.b.Facts.Exprs[fn].Decl].Params
	if len(params) == 0 || params[0].Type != lang.None {
		return
	}
	at := s.b.Facts.Decls[s.b.Facts.Exprs[fn].Decl].Span
	d := lang.Decl{Kind: lang.Lambda, Parent: s.cur.decl, Span: at, NameLine: line, Body: at.End,
		Params: []lang.Param{{Name: "\x00", Type: typ, Def: lang.None}}}
	call := s.b.Call(s.b.Decl(s.b.Declare(d)), []lang.Arg{{X: fn}})
	s.b.Facts.Refs = append(s.b.Facts.Refs, lang.Ref{Kind: lang.Call, Scope: s.cur.decl, X: call, Decl: lang.None,
		Line: at.Line, Col: at.Col, EndLine: at.EndLine, EndCol: at.EndCol})
}

// callMethod is the name under which an interface keeps how it is called.
const callMethod = "()"

// signature reads a type of a function: parameters and what it returns.
func (s *script) signature(n int32) int32 {
	i := s.b.Declare(s.decl(n, n, "", lang.Lambda, -1))
	c := s.open(i)
	s.inside(n, i)
	s.close(c)
	return i
}

// aliasDecl reads "type A = ...".
func (s *script) aliasDecl(n int32) {
	name := s.text(s.field(n, "name"))
	d := s.decl(n, n, name, lang.Class, s.field(n, "value"))
	d.Signature = strings.TrimSpace(strings.TrimSuffix(d.Signature, "="))
	d.Flags = lang.Interface | lang.AliasType | s.declFlags(name)
	i := s.b.Declare(d)
	if as := s.bound(name); as != name {
		s.b.Bind(lang.Assign, s.cur.decl, as, s.b.Decl(i), s.line(n))
	}
	c := s.open(i)
	s.typeParams(s.field(n, "type_parameters"))
	if x := s.typ(s.field(n, "value")); x != lang.None {
		s.b.Facts.Decls[i].Bases = []int32{x}
	}
	s.close(c)
}

// typ gives the sketch of a type: the class whose instance is meant, a container of instances, or a function. What it
// mentions is mentioned.
func (s *script) typ(n int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch s.kind(n) {
	case "type_annotation", "parenthesized_type", "readonly_type", "optional_type", "rest_type", "constraint", "default_type":
		return s.typ(s.child(n, 0))
	case "predefined_type":
		switch s.text(n) {
		case "any", "unknown", "object":
			return lang.None
		}
		return s.external()
	case "literal_type", "template_literal_type":
		for c := range s.children(n) {
			s.typ(c)
		}
		return s.external()
	case "type_identifier", "identifier":
		return s.typeName(n, s.text(n))
	case "this_type":
		return s.thisValue()
	case "nested_type_identifier", "nested_identifier":
		left, right := s.child(n, 0), s.child(n, 1)
		refs := len(s.b.Facts.Refs)
		x := s.b.Of(lang.OpAttr, s.typ(left), s.text(right))
		s.b.Facts.Refs = s.b.Facts.Refs[:refs]
		if x == lang.None {
			return x
		}
		y := s.b.Of(lang.OpClass, x, "")
		s.refAt(lang.Use, right, y, x, lang.None)
		return y
	case "member_expression", "call_expression": // typeof a.b, import("x").T
		return s.visit(n)
	case "union_type", "intersection_type":
		var xs []int32
		for c := range s.children(n) {
			if x := s.typ(c); x != lang.None && s.b.Facts.Exprs[x].Op != lang.OpExternal {
				xs = append(xs, x)
			}
		}
		return s.b.Any(xs...)
	case "array_type":
		return s.list(s.b.Of(lang.OpInstance, s.typ(s.child(n, 0)), ""))
	case "tuple_type":
		return s.tuple(n)
	case "function_type":
		return s.b.Decl(s.signature(n))
	case "constructor_type":
		i := s.b.Declare(s.decl(n, n, "", lang.Lambda, -1))
		c := s.open(i)
		s.inside(n, i)
		s.b.Bind(lang.ReturnType, i, "", s.typ(s.field(n, "type")), s.line(n))
		s.close(c)
		return s.b.Decl(i)
	case "object_type", "interface_body":
		return s.objectType(n)
	case "type_query":
		x := s.child(n, 0)
		if s.is(x, "identifier") {
			return s.b.Of(lang.OpTypeOf, s.visit(x), "")
		}
		return s.b.Of(lang.OpTypeOf, s.typ(x), "")
	case "lookup_type":
		x := s.typ(s.child(n, 0))
		i := s.child(n, 1)
		s.typ(i)
		if k := s.constant(s.child(i, 0)); k != "" {
			return s.b.Of(lang.OpAttr, s.b.Of(lang.OpInstance, x, ""), k)
		}
		return s.b.Of(lang.OpElem, s.b.Of(lang.OpInstance, x, ""), "")
	case "conditional_type":
		s.typ(s.field(n, "left"))
		s.typ(s.field(n, "right"))
		a := s.typ(s.field(n, "consequence"))
		return s.b.Any(a, s.typ(s.field(n, "alternative")))
	case "generic_type":
		return s.generic(n)
	case "type_predicate_annotation", "asserts_annotation", "type_predicate", "asserts":
		for c := range s.children(n) {
			if s.is(c, "type_predicate", "asserts") {
				s.typ(c)
			} else if s.fieldName(c) == "type" {
				s.typ(c)
			}
		}
		return s.external()
	case "infer_type":
		s.cur.add(s.text(s.child(n, 0)), jsTypeParam)
	case "type_arguments", "type_parameters", "index_type_query", "mapped_type_clause":
		for c := range s.children(n) {
			if s.fieldName(c) != "name" {
				s.typ(c)
			}
		}
	}
	return lang.None
}

func (s *script) typeName(n int32, text string) int32 {
	c, name := s.find(text)
	if c == nil {
		return s.b.Name(lang.File, text)
	}
	x := s.b.Name(c.decl, name.name)
	if name.kind == jsTypeParam {
		return x
	}
	y := s.b.Of(lang.OpClass, x, "")
	if name.kind == jsEntity || name.kind == jsImported {
		s.ref(lang.Use, n, y, x, lang.None)
	}
	return y
}

// generic reads a type with type arguments; those of the language's own containers and wrappers say what is inside.
func (s *script) generic(n int32) int32 {
	name := s.field(n, "name")
	if name < 0 {
		name = s.child(n, 0)
	}
	list := s.field(n, "type_arguments")
	if list < 0 {
		list = s.first(n, "type_arguments")
	}
	var args []int32
	for c := range s.children(list) {
		if !s.is(c, "comment") {
			args = append(args, s.typ(c))
		}
	}
	text := ""
	if s.is(name, "type_identifier") {
		text = s.text(name)
	}
	if c, _ := s.find(text); c != nil {
		text = ""
	}
	if x, ok := s.builtin(text, args); ok {
		return x
	}
	return s.apply(s.typ(name), args)
}

// apply gives a type its type arguments, where they say anything.
func (s *script) apply(x int32, args []int32) int32 {
	if x == lang.None {
		return x
	}
	list, says := make([]lang.Arg, len(args)), false
	for i, a := range args {
		list[i].X = a
		says = says || a != lang.None && s.b.Facts.Exprs[a].Op != lang.OpExternal
	}
	if !says {
		return x
	}
	return s.b.Expr(lang.Expr{Op: lang.OpApply, X: x, Scope: lang.File, Args: list})
}

// typeArgs reads type arguments.
func (s *script) typeArgs(n int32) []int32 {
	var out []int32
	for c := range s.children(n) {
		if !s.is(c, "comment") {
			out = append(out, s.typ(c))
		}
	}
	return out
}

// builtin gives the sketch of a generic type of the language itself.
func (s *script) builtin(name string, args []int32) (int32, bool) {
	arg := func(i int) int32 {
		if i < len(args) {
			return args[i]
		}
		return lang.None
	}
	inst := func(x int32) int32 { return s.b.Of(lang.OpInstance, x, "") }
	switch name {
	case "Promise", "Readonly", "Partial", "Required", "NonNullable", "PromiseLike", "Awaited", "Pick", "Omit", "Exclude", "Extract", "WeakRef",
		"NoInfer", "ThisType":
		return arg(0), true
	case "InstanceType":
		return inst(arg(0)), true
	case "Array", "ReadonlyArray", "Set", "ReadonlySet", "WeakSet", "Iterable", "Iterator", "IterableIterator", "AsyncIterable", "AsyncIterator",
		"AsyncIterableIterator", "Generator", "AsyncGenerator", "ArrayLike":
		return s.list(inst(arg(0))), true
	case "Map", "ReadonlyMap", "WeakMap":
		return s.list(s.b.Many(lang.OpTuple, []lang.Arg{{X: inst(arg(0))}, {X: inst(arg(1))}})), true
	case "Record":
		if x := inst(arg(1)); x != lang.None {
			return s.b.Many(lang.OpDict, []lang.Arg{{X: x}}), true
		}
		return lang.None, true
	case "ReturnType":
		return s.b.Of(lang.OpReturn, inst(arg(0)), ""), true
	}
	return 0, false
}

// list gives a list of any length with such elements.
func (s *script) list(x int32) int32 {
	if x == lang.None {
		return x
	}
	return s.b.Many(lang.OpList, []lang.Arg{{X: lang.None, Spread: true}, {X: x}})
}

func (s *script) tuple(n int32) int32 {
	var args []lang.Arg
	for c := range s.children(n) {
		t := c
		if s.is(c, "required_parameter", "optional_parameter") {
			t = s.field(c, "type")
		} else if s.is(c, "comment") {
			continue
		}
		args = append(args, lang.Arg{X: s.b.Of(lang.OpInstance, s.typ(t), ""), Spread: s.is(c, "rest_type")})
	}
	return s.b.Many(lang.OpTuple, args)
}

// objectType reads { a: A; f(): B }.
func (s *script) objectType(n int32) int32 {
	var args []lang.Arg
	var calls []int32
	for c := range s.children(n) {
		switch s.kind(c) {
		case "property_signature":
			args = append(args, lang.Arg{Name: s.key(s.field(c, "name")), X: s.b.Of(lang.OpInstance, s.typ(s.field(c, "type")), "")})
		case "method_signature":
			args = append(args, lang.Arg{Name: s.key(s.field(c, "name")), X: s.b.Decl(s.signature(c))})
		case "call_signature", "construct_signature":
			if len(calls) < maxSignatures {
				calls = append(calls, s.b.Decl(s.signature(c)))
			}
		case "index_signature":
			if m := s.first(c, "mapped_type_clause"); m >= 0 {
				s.cur.add(s.text(s.field(m, "name")), jsTypeParam)
				s.typ(m)
			}
			if x := s.b.Of(lang.OpInstance, s.typ(s.field(c, "type")), ""); x != lang.None {
				args = append(args, lang.Arg{X: x})
			}
		}
	}
	if len(args) > 0 || len(calls) == 0 {
		calls = append(calls, s.b.Many(lang.OpDict, args))
	}
	return s.b.Any(calls...)
}
