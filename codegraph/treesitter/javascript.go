package treesitter

import (
	"bytes"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A script walks one tree of JavaScript or TypeScript.
type script struct {
	*tree
	b       lang.Builder
	cur     *jsScope
	this    *jsThis
	makers  map[string]bool // functions that make objects: their prototype is spoken of
	sigs    map[sigKey][]int32
	results map[int32]int32  // what functions say that they return, by declaration; one more than the expression
	offers  bool             // something is set on the exports of a CommonJS module
	named   map[int32]string // function expressions that a variable names through a wrapper or a choice
}

func parseScript(name string) func(*tree) *lang.Facts {
	return func(t *tree) *lang.Facts {
		t.index()
		s := &script{tree: t, this: &jsThis{x: lang.None}, named: map[int32]string{}, results: map[int32]int32{}}
		if len(t.rec) > 0 {
			s.findMakers()
			s.open(lang.File)
			s.hoist(0)
			s.declare(0)
			s.all(0)
		}
		s.b.Facts.Lang, s.b.Facts.Lines, s.b.Facts.Errors = name, t.lineCount(), t.errors
		return &s.b.Facts
	}
}

func (s *script) all(n int32) {
	for c := range s.children(n) {
		s.visit(c)
	}
}

func (s *script) line(n int32) int32 {
	l, _ := s.place(s.rec[n].start)
	return l
}

func (s *script) external() int32 { return s.b.Leaf(lang.OpExternal, lang.File, "") }
func (s *script) unknown() int32  { return s.b.Leaf(lang.OpUnknown, lang.File, "") }

// is tells whether n is of one of the kinds.
func (s *script) is(n int32, kinds ...string) bool {
	if n < 0 {
		return false
	}
	k := s.kind(n)
	for _, w := range kinds {
		if k == w {
			return true
		}
	}
	return false
}

func (s *script) isFunction(n int32) bool {
	return s.is(n, "arrow_function", "function_expression", "function", "generator_function")
}

// strip takes parentheses and casts that keep a value away.
func (s *script) strip(n int32) int32 {
	for n >= 0 && s.is(n, "parenthesized_expression", "satisfies_expression", "as_expression", "non_null_expression") {
		n = s.child(n, 0)
	}
	return n
}

// value is visit for a place where a member passes on what it holds: a method read there is mentioned.
func (s *script) value(n int32) int32 {
	x := s.visit(n)
	if x != lang.None && s.is(n, "member_expression", "subscript_expression") {
		s.ref(lang.Use, n, x, x, lang.None)
	}
	return x
}

// visit records what a node does and gives the sketch of its value, or None.
func (s *script) visit(n int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch s.kind(n) {
	case "comment", "regex", "empty_statement", "statement_identifier", "property_identifier", "jsx_closing_element":
	case "type_annotation", "type_arguments", "type_parameters":
		s.typ(n)
	case "function_declaration", "generator_function_declaration", "function_signature":
		return s.b.Decl(s.functionDecl(n))
	case "class_declaration", "abstract_class_declaration":
		return s.b.Decl(s.classDecl(n))
	case "class":
		name := s.text(s.field(n, "name"))
		if name == "" {
			name = "class"
		}
		return s.b.Decl(s.class(n, n, name, lang.Hidden))
	case "interface_declaration":
		s.interfaceDecl(n)
	case "enum_declaration":
		s.enumDecl(n)
	case "type_alias_declaration":
		s.aliasDecl(n)
	case "internal_module", "module":
		s.namespace(n)
	case "import_alias":
		if to := s.child(n, 1); to >= 0 {
			s.b.Bind(lang.Assign, s.cur.decl, s.bound(s.text(s.child(n, 0))), s.typ(to), s.line(n))
		}
	case "variable_declarator":
		s.declarator(n)
	case "import_statement":
		s.importStatement(n)
	case "export_statement":
		s.exportStatement(n)
	case "return_statement":
		x := s.value(s.child(n, 0))
		if s.cur.decl != lang.File {
			s.expect(s.results[s.cur.decl]-1, x, s.line(n))
			s.b.Bind(lang.Return, s.cur.decl, "", x, s.line(n))
		}
	case "yield_expression":
		x := s.value(s.child(n, 0))
		if s.cur.decl != lang.File && x != lang.None {
			if y := s.child(n, 0); bytes.IndexByte(s.before(n, y), '*') >= 0 {
				x = s.b.Of(lang.OpElem, x, "")
			}
			s.b.Bind(lang.Yield, s.cur.decl, "", x, s.line(n))
		}
	case "throw_statement":
		s.value(s.child(n, 0))
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
		s.addPattern(c, s.field(n, "parameter"), jsVariable)
		s.bind(s.field(n, "parameter"), lang.None)
		s.visit(s.field(n, "body"))
		s.close(c)
	case "assignment_expression", "augmented_assignment_expression":
		return s.assign(n)
	case "identifier", "shorthand_property_identifier":
		x := s.identifier(n)
		if _, name := s.find(s.text(n)); x != lang.None && (name.kind == jsEntity || name.kind == jsImported) {
			s.ref(lang.Use, n, x, x, lang.None)
		}
		return x
	case "this":
		return s.thisValue()
	case "super":
		return s.b.Leaf(lang.OpSuper, s.cur.decl, "")
	case "member_expression":
		return s.memberOf(n)
	case "subscript_expression":
		x := s.visit(s.field(n, "object"))
		i := s.field(n, "index")
		s.value(i)
		return s.b.Of(lang.OpIndex, x, s.constant(i))
	case "call_expression":
		return s.call(n, s.field(n, "function"))
	case "new_expression":
		return s.create(n)
	case "arrow_function", "function_expression", "function", "generator_function":
		return s.b.Decl(s.closure(n))
	case "object":
		return s.object(n, "", nil)
	case "array":
		return s.b.Many(lang.OpList, s.args(n))
	case "ternary_expression":
		c := s.block(true)
		cond := s.field(n, "condition")
		s.visit(cond)
		s.narrow(cond)
		a := s.value(s.field(n, "consequence"))
		s.close(c)
		return s.b.Any(a, s.value(s.field(n, "alternative")))
	case "binary_expression":
		return s.binary(n)
	case "parenthesized_expression", "await_expression", "non_null_expression":
		return s.value(s.child(n, 0))
	case "sequence_expression":
		x := lang.None
		for c := range s.children(n) {
			x = s.value(c)
		}
		return x
	case "as_expression", "type_assertion", "satisfies_expression", "instantiation_expression":
		return s.cast(n)
	case "unary_expression", "update_expression":
		s.all(n)
		return s.external()
	case "jsx_opening_element", "jsx_self_closing_element":
		s.element(n)
	case "jsx_expression":
		s.value(s.child(n, 0))
	case "string", "template_string":
		s.all(n)
		return s.b.Leaf(lang.OpString, lang.File, s.constant(n))
	case "null":
	case "number", "true", "false":
		return s.external()
	case "property_signature", "method_signature", "call_signature", "construct_signature":
	default:
		s.all(n)
	}
	return lang.None
}

// cast reads "x as T", "<T>x" and "x satisfies T": the first two are T, unless T says nothing.
func (s *script) cast(n int32) int32 {
	var x, t int32 = lang.None, lang.None
	i := 0
	assertion := s.is(n, "type_assertion")
	for c := range s.children(n) {
		if s.is(c, "comment") {
			continue
		}
		of := c
		if s.is(c, "type_arguments") && assertion { // <T>x
			of = s.child(c, 0)
		}
		if i == 0 != assertion {
			x = s.value(c)
		} else if y := s.typ(of); y != lang.None && s.b.Facts.Exprs[y].Op != lang.OpExternal {
			t = s.b.Of(lang.OpInstance, y, "")
		}
		i++
	}
	if t == lang.None || s.is(n, "satisfies_expression", "instantiation_expression") {
		return x
	}
	return t
}

// identifier gives the sketch of a name that is read.
func (s *script) identifier(n int32) int32 {
	name := s.text(n)
	if name == "undefined" {
		return lang.None
	}
	return s.name(name)
}

// bound is the name in the facts of a name that a declaration in the current scope gives.
func (s *script) bound(name string) string {
	_, n := s.find(name)
	return n.name
}

func (s *script) thisValue() int32 {
	t := s.this
	switch {
	case t.class:
		return s.b.Leaf(lang.OpThis, s.cur.decl, "")
	case t.lazy != "":
		t.used = true
		return s.b.Name(t.scope, t.lazy)
	case t.exp:
		return s.b.Name(lang.File, "module.exports")
	}
	return t.x
}

// memberOf gives the sketch of a.b.
func (s *script) memberOf(n int32) int32 {
	obj, prop := s.field(n, "object"), s.field(n, "property")
	name := s.text(prop)
	if s.isExports(obj) || s.is(obj, "this") && s.this.exp {
		return s.b.Any(s.b.Name(lang.File, "exports."+name), s.b.Of(lang.OpAttr, s.b.Name(lang.File, "module.exports"), name))
	}
	if name == "exports" && s.is(obj, "identifier") && s.text(obj) == "module" {
		return s.b.Name(lang.File, "module.exports")
	}
	x := s.value(obj)
	if name == "prototype" {
		return s.b.Of(lang.OpInstance, x, "")
	}
	return s.b.Of(lang.OpAttr, x, name)
}

// isExports tells whether n is the exports of a CommonJS module: exports or module.exports.
func (s *script) isExports(n int32) bool {
	if s.is(n, "identifier") {
		if s.text(n) != "exports" {
			return false
		}
		c, _ := s.find("exports")
		return c == nil
	}
	return s.is(n, "member_expression") && s.is(s.field(n, "object"), "identifier") && s.text(s.field(n, "object")) == "module" &&
		s.text(s.field(n, "property")) == "exports"
}

func (s *script) binary(n int32) int32 {
	l, r := s.field(n, "left"), s.field(n, "right")
	if l < 0 || r < 0 {
		s.all(n)
		return s.external()
	}
	switch strings.TrimSpace(string(s.src[s.rec[l].end:s.rec[r].start])) {
	case "||", "??":
		a := s.value(l)
		return s.b.Any(a, s.value(r))
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
	return s.external()
}

func (s *script) ifStatement(n int32) {
	cond := s.field(n, "condition")
	s.visit(cond)
	c := s.block(true)
	s.narrow(cond)
	s.visit(s.field(n, "consequence"))
	s.close(c)
	s.visit(s.field(n, "alternative"))
}

// narrow gives a variable that a condition finds to be an instance of a class that type, in the current block.
func (s *script) narrow(cond int32) {
	for cond >= 0 && s.is(cond, "parenthesized_expression") {
		cond = s.child(cond, 0)
	}
	if !s.is(cond, "binary_expression") {
		return
	}
	l, r := s.field(cond, "left"), s.field(cond, "right")
	if l < 0 || r < 0 {
		return
	}
	switch strings.TrimSpace(string(s.src[s.rec[l].end:s.rec[r].start])) {
	case "&&":
		s.narrow(l)
		s.narrow(r)
	case "instanceof":
		if !s.is(l, "identifier") || !s.is(r, "identifier", "member_expression") {
			return
		}
		c, name := s.find(s.text(l))
		if c == nil || name.kind != jsVariable {
			return
		}
		refs := len(s.b.Facts.Refs)
		x := s.b.Of(lang.OpInstance, s.visit(r), "")
		s.b.Facts.Refs = s.b.Facts.Refs[:refs] // mentioned already
		if x == lang.None {
			return
		}
		delete(s.cur.names, s.text(l))
		s.cur.add(s.text(l), jsVariable)
		s.b.Bind(lang.Assign, s.cur.decl, s.cur.names[s.text(l)].name, x, s.line(cond))
	}
}

func (s *script) forIn(n int32) {
	c := s.block(false)
	defer s.close(c)
	left, r := s.field(n, "left"), s.field(n, "right")
	right := s.visit(r)
	if left < 0 || r < 0 {
		s.all(n)
		return
	}
	if strings.TrimSpace(string(s.src[s.rec[left].end:s.rec[r].start])) == "of" {
		right = s.b.Of(lang.OpElem, right, "")
	} else {
		right = s.external()
	}
	if w := bytes.Fields(s.before(n, left)); len(w) > 0 {
		if k := string(bytes.TrimLeft(w[len(w)-1], "(")); k == "const" || k == "let" || k == "using" {
			s.addPattern(c, left, jsVariable)
		}
	}
	s.bind(left, right)
	s.visit(s.field(n, "body"))
}

func (s *script) constant(n int32) string {
	if n < 0 {
		return ""
	}
	switch s.kind(n) {
	case "number":
		return s.text(n)
	case "string":
		if r := s.rec[n]; r.end-r.start >= 2 && r.end-r.start < 200 {
			return string(s.src[r.start+1 : r.end-1])
		}
	}
	return ""
}

// key gives the name of a property; a computed one that is a plain path keeps its brackets.
func (s *script) key(n int32) string {
	if n < 0 {
		return ""
	}
	switch s.kind(n) {
	case "string":
		return s.constant(n)
	case "computed_property_name":
		c := s.child(n, 0)
		switch {
		case s.is(c, "string"):
			return s.constant(c)
		case s.is(c, "member_expression", "identifier") && s.rec[c].end-s.rec[c].start < 80:
			return "[" + s.text(c) + "]"
		}
		return ""
	}
	return s.text(n)
}

// wrappers give back what they are given, as far as calls go.
var wrappers = set("memo forwardRef observer useCallback debounce throttle memoize once lazy asyncHandler catchAsync")

func (s *script) declarator(n int32) {
	name, value := s.field(n, "name"), s.field(n, "value")
	if name < 0 {
		return
	}
	t := s.field(n, "type")
	if s.is(name, "identifier") && value >= 0 {
		plain := s.text(name)
		as := s.bound(plain)
		flags := s.conditional()
		if as != plain {
			flags |= lang.Hidden
		}
		v := s.strip(value)
		switch {
		case s.isFunction(v):
			want := s.typ(t)
			s.wrap(value, v)
			d := s.function(v, n, plain, "", flags)
			s.expect(want, s.b.Decl(d), s.line(n))
			if as != plain {
				s.b.Bind(lang.Assign, s.cur.decl, as, s.b.Decl(d), s.line(n))
			}
			return
		case s.is(v, "class"):
			d := s.class(v, n, plain, flags)
			if as != plain {
				s.b.Bind(lang.Assign, s.cur.decl, as, s.b.Decl(d), s.line(n))
			}
			return
		case s.is(v, "object"):
			s.wrap(value, v)
			if t >= 0 {
				s.b.Bind(lang.Annotate, s.cur.decl, as, s.typ(t), s.line(n))
			}
			home, _ := s.find(plain)
			at := s.cur.decl
			if home != nil {
				at = home.decl
			}
			x := s.object(v, plain, &jsThis{x: lang.None, lazy: as, scope: at})
			s.b.Bind(lang.Assign, at, as, x, s.line(n))
			return
		}
		s.nameFunctions(v, plain)
	}
	x := s.value(value)
	if t >= 0 && s.is(name, "identifier") {
		s.b.Bind(lang.Annotate, s.cur.decl, s.bound(s.text(name)), s.typ(t), s.line(n))
	} else if t >= 0 {
		if y := s.b.Of(lang.OpInstance, s.typ(t), ""); y != lang.None {
			x = y
		}
	}
	if value >= 0 || s.is(name, "object_pattern", "array_pattern") {
		s.bind(name, x)
	}
}

// wrap reads the types of the casts around a value whose inside is read elsewhere.
func (s *script) wrap(outer, inner int32) {
	for n := outer; n != inner && n >= 0; n = s.child(n, 0) {
		if !s.is(n, "parenthesized_expression") {
			s.typ(s.child(n, 1))
		}
	}
}

// wrapped gives what a call of one of the wrappers is given, or -1.
func (s *script) wrapped(v int32) int32 {
	if !s.is(v, "call_expression") {
		return -1
	}
	fn := s.field(v, "function")
	if s.is(fn, "member_expression") {
		fn = s.field(fn, "property")
	}
	if fn < 0 || s.rec[fn].end-s.rec[fn].start > 40 || !wrappers[s.text(fn)] {
		return -1
	}
	return s.child(s.field(v, "arguments"), 0)
}

// nameFunctions gives function expressions that a variable holds through a choice or a known wrapper its name.
func (s *script) nameFunctions(v int32, name string) {
	for range 8 {
		v = s.strip(v)
		switch {
		case s.isFunction(v):
			s.named[v] = name
			return
		case s.is(v, "ternary_expression"):
			s.nameFunctions(s.field(v, "consequence"), name)
			v = s.field(v, "alternative")
		case s.is(v, "binary_expression"):
			v = s.field(v, "right")
		case s.is(v, "assignment_expression"):
			v = s.field(v, "right")
		case s.is(v, "call_expression"):
			if v = s.wrapped(v); v < 0 {
				return
			}
		default:
			return
		}
	}
}
