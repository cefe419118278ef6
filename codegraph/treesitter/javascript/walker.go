package javascript

import (
	"bytes"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A walker turns the tree of one file of JavaScript or TypeScript into facts.
type walker struct {
	scopes
	this       *receiver
	overloads  map[sigKey][]int32
	results    map[int32]int32  // what functions say that they return, by declaration; one more than the expression
	exportsSet bool             // something is set on the exports of a CommonJS module
	named      map[int32]string // function expressions that a variable names through a wrapper or a choice
}

func parse(t *core.Tree, name string) *lang.Facts {
	t.IndexLines(t.Src)
	s := &walker{this: &receiver{x: lang.None}, named: map[int32]string{}, results: map[int32]int32{}, overloads: map[sigKey][]int32{}}
	s.Tree = t
	if len(t.Nodes) > 0 {
		s.findConstructors()
		s.open(lang.File)
		s.hoist(0)
		s.declare(0)
		s.all(0)
	}
	return s.Facts(name)
}

// keyOf gives the name of a property, and reads one that is computed.
func (s *walker) keyOf(n int32) string {
	if s.Is(n, "computed_property_name") {
		s.visit(s.Child(n, 0))
	}
	return s.key(n)
}

func (s *walker) all(n int32) {
	for c := range s.Children(n) {
		s.visit(c)
	}
}

// value is visit for a place where a member passes on what it holds: a method read there is mentioned.
func (s *walker) value(n int32) int32 {
	x := s.visit(n)
	if x != lang.None && s.Is(n, "member_expression", "subscript_expression") {
		s.ref(lang.Use, n, x, x, lang.None)
	}
	return x
}

// visit records what a node does and gives the sketch of its value, or None.
func (s *walker) visit(n int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch s.Kind(n) {
	case "comment", "regex", "empty_statement", "statement_identifier", "property_identifier", "jsx_closing_element":
	case "type_annotation", "type_arguments", "type_parameters":
		s.typ(n)
	case "function_declaration", "generator_function_declaration", "function_signature":
		return s.B.Decl(s.functionDecl(n))
	case "class_declaration", "abstract_class_declaration":
		return s.B.Decl(s.classDecl(n))
	case "class":
		name := s.Text(s.Field(n, "name"))
		if name == "" {
			name = "class"
		}
		return s.B.Decl(s.class(n, n, name, lang.Hidden))
	case "interface_declaration":
		s.interfaceDecl(n)
	case "enum_declaration":
		s.enumDecl(n)
	case "type_alias_declaration":
		s.aliasDecl(n)
	case "internal_module", "module":
		s.namespace(n)
	case "import_alias":
		if to := s.Child(n, 1); to >= 0 {
			s.B.Bind(lang.Assign, s.cur.decl, s.bound(s.Text(s.Child(n, 0))), s.typ(to), s.Line(n))
		}
	case "variable_declarator":
		s.declarator(n)
	case "import_statement":
		s.importStatement(n)
	case "export_statement":
		s.exportStatement(n)
	case "return_statement":
		x := s.value(s.Child(n, 0))
		if s.cur.decl != lang.File {
			s.inferParams(s.results[s.cur.decl]-1, x, s.Line(n))
			s.B.Bind(lang.Return, s.cur.decl, "", x, s.Line(n))
		}
	case "yield_expression":
		x := s.value(s.Child(n, 0))
		if s.cur.decl != lang.File && x != lang.None {
			if y := s.Child(n, 0); bytes.IndexByte(s.Before(n, y), '*') >= 0 {
				x = s.B.Of(lang.OpElem, x, "")
			}
			s.B.Bind(lang.Yield, s.cur.decl, "", x, s.Line(n))
		}
	case "throw_statement":
		s.value(s.Child(n, 0))
	case "statement_block", "switch_body", "for_statement":
		c := s.block(false)
		s.declare(n)
		s.all(n)
		s.close(c)
	case "switch_case", "switch_default", "try_statement", "else_clause", "finally_clause":
		c := s.block(true)
		s.all(n)
		s.close(c)
	case "if_statement":
		s.ifStatement(n)
	case "for_in_statement":
		s.forIn(n)
	case "catch_clause":
		c := s.block(true)
		s.declarePattern(c, s.Field(n, "parameter"), boundVariable)
		s.bind(s.Field(n, "parameter"), lang.None)
		s.visit(s.Field(n, "body"))
		s.close(c)
	case "assignment_expression", "augmented_assignment_expression":
		return s.assign(n)
	case "identifier", "shorthand_property_identifier":
		x := s.identifier(n)
		if _, name := s.find(s.Text(n)); x != lang.None && (name.kind == boundEntity || name.kind == boundImport) {
			s.ref(lang.Use, n, x, x, lang.None)
		}
		return x
	case "this":
		return s.thisValue()
	case "super":
		return s.B.Leaf(lang.OpSuper, s.cur.decl, "")
	case "member_expression":
		return s.memberOf(n)
	case "subscript_expression":
		x := s.visit(s.Field(n, "object"))
		i := s.Field(n, "index")
		s.value(i)
		return s.B.Of(lang.OpIndex, x, s.constant(i))
	case "call_expression":
		return s.call(n, s.Field(n, "function"))
	case "new_expression":
		return s.create(n)
	case "arrow_function", "function_expression", "function", "generator_function":
		return s.B.Decl(s.closure(n))
	case "object":
		return s.object(n, "", nil)
	case "array":
		return s.B.Many(lang.OpList, s.args(n))
	case "ternary_expression":
		c := s.block(true)
		cond := s.Field(n, "condition")
		s.visit(cond)
		s.narrow(cond)
		a := s.value(s.Field(n, "consequence"))
		s.close(c)
		return s.B.Any(a, s.value(s.Field(n, "alternative")))
	case "binary_expression":
		return s.binary(n)
	case "parenthesized_expression", "await_expression", "non_null_expression":
		return s.value(s.Child(n, 0))
	case "sequence_expression":
		x := lang.None
		for c := range s.Children(n) {
			x = s.value(c)
		}
		return x
	case "as_expression", "type_assertion", "satisfies_expression", "instantiation_expression":
		return s.cast(n)
	case "unary_expression", "update_expression":
		s.all(n)
		return s.External("")
	case "jsx_opening_element", "jsx_self_closing_element":
		s.element(n)
	case "jsx_expression":
		s.value(s.Child(n, 0))
	case "string", "template_string":
		s.all(n)
		return s.B.Leaf(lang.OpString, lang.File, s.constant(n))
	case "null", "property_signature", "method_signature", "call_signature", "construct_signature":
	case "number", "true", "false":
		return s.External("")
	default:
		s.all(n)
	}
	return lang.None
}

// cast reads "x as T", "<T>x" and "x satisfies T": the first two are T, unless T says nothing.
func (s *walker) cast(n int32) int32 {
	var x, t int32 = lang.None, lang.None
	i := 0
	assertion := s.Is(n, "type_assertion")
	for c := range s.Parts(n) {
		of := c
		if s.Is(c, "type_arguments") && assertion { // <T>x
			of = s.Child(c, 0)
		}
		if i == 0 != assertion {
			x = s.value(c)
		} else if y := s.typ(of); y != lang.None && s.Op(y) != lang.OpExternal {
			t = s.Instance(y)
		}
		i++
	}
	if t == lang.None || s.Is(n, "satisfies_expression", "instantiation_expression") {
		return x
	}
	return t
}

// identifier gives the sketch of a name that is read.
func (s *walker) identifier(n int32) int32 {
	name := s.Text(n)
	if name == "undefined" {
		return lang.None
	}
	return s.name(name)
}

func (s *walker) thisValue() int32 {
	t := s.this
	switch {
	case t.class:
		return s.B.Leaf(lang.OpThis, s.cur.decl, "")
	case t.lazy != "":
		t.used = true
		return s.B.Name(t.scope, t.lazy)
	case t.exp:
		return s.B.Name(lang.File, "module.exports")
	}
	return t.x
}

// memberOf gives the sketch of a.B.
func (s *walker) memberOf(n int32) int32 {
	obj, prop := s.Field(n, "object"), s.Field(n, "property")
	name := s.Text(prop)
	if s.isExports(obj) || s.Is(obj, "this") && s.this.exp {
		return s.B.Any(s.B.Name(lang.File, "exports."+name), s.B.Of(lang.OpAttr, s.B.Name(lang.File, "module.exports"), name))
	}
	if name == "exports" && s.Is(obj, "identifier") && s.Text(obj) == "module" {
		return s.B.Name(lang.File, "module.exports")
	}
	x := s.value(obj)
	if name == "prototype" {
		return s.Instance(x)
	}
	return s.B.Of(lang.OpAttr, x, name)
}

func (s *walker) binary(n int32) int32 {
	l, r := s.Field(n, "left"), s.Field(n, "right")
	switch s.Between(l, r) {
	case "||", "??":
		a := s.value(l)
		return s.B.Any(a, s.value(r))
	case "&&":
		c := s.block(true)
		s.value(l)
		s.narrow(l)
		x := s.value(r)
		s.close(c)
		return x
	case "instanceof":
		s.value(l)
		s.value(r)
	default:
		s.visit(l)
		s.visit(r)
	}
	return s.External("")
}

func (s *walker) ifStatement(n int32) {
	cond := s.Field(n, "condition")
	s.visit(cond)
	c := s.block(true)
	s.narrow(cond)
	s.visit(s.Field(n, "consequence"))
	s.close(c)
	s.visit(s.Field(n, "alternative"))
}

// narrow gives a variable that a condition finds to be an instance of a class that type, in the current block.
func (s *walker) narrow(cond int32) {
	for s.Is(cond, "parenthesized_expression") {
		cond = s.Child(cond, 0)
	}
	if !s.Is(cond, "binary_expression") {
		return
	}
	l, r := s.Field(cond, "left"), s.Field(cond, "right")
	switch s.Between(l, r) {
	case "&&":
		s.narrow(l)
		s.narrow(r)
	case "instanceof":
		if !s.Is(l, "identifier") || !s.Is(r, "identifier", "member_expression") {
			return
		}
		c, name := s.find(s.Text(l))
		if c == nil || name.kind != boundVariable {
			return
		}
		x := s.Instance(s.Quiet(func() int32 { return s.visit(r) })) // mentioned already
		if x == lang.None {
			return
		}
		delete(s.cur.names, s.Text(l))
		s.cur.add(s.Text(l), boundVariable)
		s.B.Bind(lang.Assign, s.cur.decl, s.cur.names[s.Text(l)].name, x, s.Line(cond))
	}
}

func (s *walker) forIn(n int32) {
	c := s.block(false)
	defer s.close(c)
	left, r := s.Field(n, "left"), s.Field(n, "right")
	right := s.visit(r)
	if s.Between(left, r) == "of" {
		right = s.B.Of(lang.OpElem, right, "")
	} else {
		right = s.External("")
	}
	if w := bytes.Fields(s.Before(n, left)); len(w) > 0 {
		if k := string(bytes.TrimLeft(w[len(w)-1], "(")); k == "const" || k == "let" || k == "using" {
			s.declarePattern(c, left, boundVariable)
		}
	}
	s.bind(left, right)
	s.visit(s.Field(n, "body"))
}

func (s *walker) declarator(n int32) {
	name, value := s.Field(n, "name"), s.Field(n, "value")
	t := s.Field(n, "type")
	if s.Is(name, "identifier") && value >= 0 {
		plain := s.Text(name)
		as := s.bound(plain)
		flags := s.conditional()
		if as != plain {
			flags |= lang.Hidden
		}
		v := s.unwrap(value)
		switch {
		case s.isFunction(v):
			want := s.typ(t)
			s.castTypes(value, v)
			d := s.function(v, n, plain, "", flags)
			s.inferParams(want, s.B.Decl(d), s.Line(n))
			s.bindAs(as, plain, d, n)
			return
		case s.Is(v, "class"):
			d := s.class(v, n, plain, flags)
			s.bindAs(as, plain, d, n)
			return
		case s.Is(v, "object"):
			s.castTypes(value, v)
			s.B.Bind(lang.Annotate, s.cur.decl, as, s.typ(t), s.Line(n))
			home, _ := s.find(plain)
			at := s.cur.decl
			if home != nil {
				at = home.decl
			}
			x := s.object(v, plain, &receiver{x: lang.None, lazy: as, scope: at})
			s.B.Bind(lang.Assign, at, as, x, s.Line(n))
			return
		}
		s.nameFunctions(v, plain)
	}
	x := s.value(value)
	if t >= 0 && s.Is(name, "identifier") {
		s.B.Bind(lang.Annotate, s.cur.decl, s.bound(s.Text(name)), s.typ(t), s.Line(n))
	} else if t >= 0 {
		if y := s.Instance(s.typ(t)); y != lang.None {
			x = y
		}
	}
	if value >= 0 || s.Is(name, "object_pattern", "array_pattern") {
		s.bind(name, x)
	}
}

// castTypes reads the types of the casts around a value whose inside is read elsewhere.
func (s *walker) castTypes(outer, inner int32) {
	for n := outer; n != inner && n >= 0; n = s.Child(n, 0) {
		if !s.Is(n, "parenthesized_expression") {
			s.typ(s.Child(n, 1))
		}
	}
}

// nameFunctions gives function expressions that a variable holds through a choice or a known wrapper its name.
func (s *walker) nameFunctions(v int32, name string) {
	for range 8 {
		v = s.unwrap(v)
		switch {
		case s.isFunction(v):
			s.named[v] = name
			return
		case s.Is(v, "ternary_expression"):
			s.nameFunctions(s.Field(v, "consequence"), name)
			v = s.Field(v, "alternative")
		case s.Is(v, "binary_expression", "assignment_expression"):
			v = s.Field(v, "right")
		default:
			v = s.wrapperArg(v)
		}
	}
}
