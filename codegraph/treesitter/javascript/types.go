package javascript

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// typeParams reads the type parameters of the current scope: each stands for its bound, or for its default.
func (s *walker) typeParams(n int32) {
	for c := range s.Children(n) {
		s.cur.add(s.Text(s.Field(c, "name")), boundTypeParam)
	}
	generic := false // where type arguments are kept
	if d := s.cur.decl; d != lang.File {
		decl := s.Declared(d)
		generic = decl.Kind == lang.Class && decl.Flags&lang.AliasType == 0
	}
	i := 0
	for c := range s.Children(n) {
		x := s.typ(s.Child(s.Field(c, "constraint"), 0))
		y := s.typ(s.Child(s.Field(c, "value"), 0))
		if x == lang.None {
			x = y
		}
		if generic && s.Is(c, "type_parameter") {
			x = s.TypeParam(s.B.Decl(s.cur.decl), i, x)
			i++
		}
		s.B.Bind(lang.Assign, s.cur.decl, "<"+s.Text(s.Field(c, "name"))+">", x, s.Line(c))
	}
}

func (s *walker) interfaceDecl(n int32) {
	body, name := s.Field(n, "body"), s.Text(s.Field(n, "name"))
	i := s.entity(n, n, name, lang.Class, lang.Interface|s.declFlags(name), body)
	s.bindAs(s.bound(name), name, i, n)
	c, old := s.open(i), s.this
	s.typeParams(s.Field(n, "type_parameters"))
	s.Declared(i).Bases = slices.DeleteFunc(s.typeArgs(s.First(n, "extends_type_clause", "extends_clause")), func(b int32) bool { return b == lang.None })
	s.this = &receiver{class: true, x: lang.None}
	calls := 0
	for c := range s.Children(body) {
		switch s.Kind(c) {
		case "method_signature":
			if name := s.key(s.Field(c, "name")); s.methodFlags(c)&lang.Property == 0 && !s.isSetter(c) && s.hasNextOverload(c, name) {
				s.overloadSignature(c, name)
				continue
			}
			flags := lang.Interface | s.methodFlags(c)
			if s.isSetter(c) {
				flags |= lang.Hidden
			}
			s.functionIn(c, c, s.key(s.Field(c, "name")), "", flags)
		case "property_signature":
			s.B.Bind(lang.Annotate, i, s.key(s.Field(c, "name")), s.typ(s.Field(c, "type")), s.Line(c))
		case "call_signature", "construct_signature":
			if calls++; calls <= maxSignatures {
				s.B.Bind(lang.Assign, i, callMethod, s.B.Decl(s.signature(c)), s.Line(c))
			}
		case "index_signature":
			s.typ(s.Field(c, "type"))
		}
	}
	s.this = old
	s.close(c)
}

const maxSignatures = 12 // ways to call one type that are followed; with more nothing would be known

// inferParams lets a function expression take its parameters' types from the type that is wanted where it stands, as if it
// were passed to a function with a parameter of that type.
func (s *walker) inferParams(typ, fn, line int32) {
	if typ == lang.None || s.Op(fn) != lang.OpDecl {
		return
	}
	params := s.B.Facts.Decls[s.B.Facts.Exprs[fn].Decl].Params
	if len(params) == 0 || params[0].Type != lang.None {
		return
	}
	at := s.B.Facts.Decls[s.B.Facts.Exprs[fn].Decl].Span
	d := lang.Decl{Kind: lang.Lambda, Parent: s.cur.decl, Span: at, NameLine: line, Body: at.End,
		Params: []lang.Param{{Name: "\x00", Type: typ, Def: lang.None}}}
	call := s.B.Call(s.B.Decl(s.B.Declare(d)), []lang.Arg{{X: fn}})
	s.B.Facts.Refs = append(s.B.Facts.Refs, lang.Ref{Kind: lang.Call, Scope: s.cur.decl, X: call, Decl: lang.None,
		Line: at.Line, Col: at.Col, EndLine: at.EndLine, EndCol: at.EndCol})
}

// callMethod is the name under which an interface keeps how it is called.
const callMethod = "()"

// signature reads a type of a function: parameters and what it returns.
func (s *walker) signature(n int32) int32 {
	i := s.entity(n, n, "", lang.Lambda, 0, -1)
	c := s.open(i)
	s.functionBody(n, i)
	s.close(c)
	return i
}

// aliasDecl reads "type A = ...".
func (s *walker) aliasDecl(n int32) {
	name := s.Text(s.Field(n, "name"))
	i := s.entity(n, n, name, lang.Class, lang.Interface|lang.AliasType|s.declFlags(name), s.Field(n, "value"))
	s.Declared(i).Signature = strings.TrimSpace(strings.TrimSuffix(s.Declared(i).Signature, "="))
	s.bindAs(s.bound(name), name, i, n)
	c := s.open(i)
	s.typeParams(s.Field(n, "type_parameters"))
	if x := s.typ(s.Field(n, "value")); x != lang.None {
		s.Declared(i).Bases = []int32{x}
	}
	s.close(c)
}

// typ gives the sketch of a type: the class whose instance is meant, a container of instances, or a function. What it
// mentions is mentioned.
func (s *walker) typ(n int32) int32 {
	switch s.Kind(n) {
	case "type_annotation", "parenthesized_type", "readonly_type", "optional_type", "rest_type", "constraint", "default_type":
		return s.typ(s.Child(n, 0))
	case "predefined_type":
		switch s.Text(n) {
		case "any", "unknown", "object":
			return lang.None
		}
		return s.External("")
	case "literal_type", "template_literal_type":
		for c := range s.Children(n) {
			s.typ(c)
		}
		return s.External("")
	case "type_identifier", "identifier":
		return s.typeName(n, s.Text(n))
	case "this_type":
		return s.thisValue()
	case "nested_type_identifier", "nested_identifier":
		left, right := s.Child(n, 0), s.Child(n, 1)
		x := s.B.Of(lang.OpAttr, s.Quiet(func() int32 { return s.typ(left) }), s.Text(right))
		if x == lang.None {
			return x
		}
		y := s.B.Of(lang.OpClass, x, "")
		s.refAt(lang.Use, right, y, x, lang.None)
		return y
	case "member_expression", "call_expression": // typeof a.b, import("x").T
		return s.visit(n)
	case "union_type", "intersection_type":
		var xs []int32
		for c := range s.Children(n) {
			if x := s.typ(c); x != lang.None && s.Op(x) != lang.OpExternal {
				xs = append(xs, x)
			}
		}
		return s.B.Any(xs...)
	case "array_type":
		return s.listOf(s.Instance(s.typ(s.Child(n, 0))))
	case "tuple_type":
		return s.tuple(n)
	case "function_type":
		return s.B.Decl(s.signature(n))
	case "constructor_type":
		i := s.entity(n, n, "", lang.Lambda, 0, -1)
		c := s.open(i)
		s.functionBody(n, i)
		s.B.Bind(lang.ReturnType, i, "", s.typ(s.Field(n, "type")), s.Line(n))
		s.close(c)
		return s.B.Decl(i)
	case "object_type", "interface_body":
		return s.objectType(n)
	case "type_query":
		x := s.Child(n, 0)
		if s.Is(x, "identifier") {
			return s.B.Of(lang.OpTypeOf, s.visit(x), "")
		}
		return s.B.Of(lang.OpTypeOf, s.typ(x), "")
	case "lookup_type":
		x := s.typ(s.Child(n, 0))
		i := s.Child(n, 1)
		s.typ(i)
		if k := s.constant(s.Child(i, 0)); k != "" {
			return s.B.Of(lang.OpAttr, s.Instance(x), k)
		}
		return s.B.Of(lang.OpElem, s.Instance(x), "")
	case "conditional_type":
		s.typ(s.Field(n, "left"))
		s.typ(s.Field(n, "right"))
		a := s.typ(s.Field(n, "consequence"))
		return s.B.Any(a, s.typ(s.Field(n, "alternative")))
	case "generic_type":
		return s.generic(n)
	case "type_predicate_annotation", "asserts_annotation", "type_predicate", "asserts":
		for c := range s.Children(n) {
			if s.Is(c, "type_predicate", "asserts") || s.FieldName(c) == "type" {
				s.typ(c)
			}
		}
		return s.External("")
	case "infer_type":
		s.cur.add(s.Text(s.Child(n, 0)), boundTypeParam)
	case "type_arguments", "type_parameters", "index_type_query", "mapped_type_clause":
		for c := range s.Children(n) {
			if s.FieldName(c) != "name" {
				s.typ(c)
			}
		}
	}
	return lang.None
}

func (s *walker) typeName(n int32, text string) int32 {
	c, name := s.find(text)
	if c == nil {
		return s.B.Name(lang.File, text)
	}
	x := s.B.Name(c.decl, name.name)
	if name.kind == boundTypeParam {
		return x
	}
	y := s.B.Of(lang.OpClass, x, "")
	if name.kind == boundEntity || name.kind == boundImport {
		s.ref(lang.Use, n, y, x, lang.None)
	}
	return y
}

// generic reads a type with type arguments; those of the language's own containers and wrappers say what is inside.
func (s *walker) generic(n int32) int32 {
	name, list := s.Field(n, "name"), s.Field(n, "type_arguments")
	args := s.typeArgs(list)
	if s.Is(name, "type_identifier") && !s.binds(s.Text(name)) {
		if x, ok := s.builtin(s.Text(name), args); ok {
			return x
		}
	}
	return s.apply(s.typ(name), args)
}

// typeArgs reads type arguments.
func (s *walker) typeArgs(n int32) []int32 { return core.Map(s.Parts(n), s.typ) }

func (s *walker) tuple(n int32) int32 {
	var args []lang.Arg
	for c := range s.Parts(n) {
		t := c
		if s.Is(c, "required_parameter", "optional_parameter") {
			t = s.Field(c, "type")
		}
		args = append(args, lang.Arg{X: s.Instance(s.typ(t)), Spread: s.Is(c, "rest_type")})
	}
	return s.B.Many(lang.OpTuple, args)
}

// objectType reads { a: A; f(): B }.
func (s *walker) objectType(n int32) int32 {
	var args []lang.Arg
	var calls []int32
	for c := range s.Children(n) {
		switch s.Kind(c) {
		case "property_signature":
			args = append(args, lang.Arg{Name: s.key(s.Field(c, "name")), X: s.Instance(s.typ(s.Field(c, "type")))})
		case "method_signature":
			args = append(args, lang.Arg{Name: s.key(s.Field(c, "name")), X: s.B.Decl(s.signature(c))})
		case "call_signature", "construct_signature":
			if len(calls) < maxSignatures {
				calls = append(calls, s.B.Decl(s.signature(c)))
			}
		case "index_signature":
			if m := s.First(c, "mapped_type_clause"); m >= 0 {
				s.cur.add(s.Text(s.Field(m, "name")), boundTypeParam)
				s.typ(m)
			}
			if x := s.Instance(s.typ(s.Field(c, "type"))); x != lang.None {
				args = append(args, lang.Arg{X: x})
			}
		}
	}
	if len(args) > 0 || len(calls) == 0 {
		calls = append(calls, s.B.Many(lang.OpDict, args))
	}
	return s.B.Any(calls...)
}
