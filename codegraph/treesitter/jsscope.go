package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A jsScope is one lexical scope: the file, a function, a class with type parameters, or a block. The linker knows only the
// scopes of declarations; a name of a block that is taken already in its function gets a name nobody can write.
type jsScope struct {
	parent *jsScope
	decl   int32 // the declaration that holds its names in the facts
	names  map[string]jsName
	fn     *jsScope            // the scope of decl itself
	taken  map[string]struct{} // on the scope of a declaration: names in use there, those of blocks included
	cond   bool                // what is in it may not run
	merged map[string]bool     // names that several declarations give together
	seen   map[string]bool     // names declared so far by a function (false) or another declaration (true)
}

// A jsName is a name of a scope.
type jsName struct {
	name string // in the facts
	kind jsNameKind
}

type jsNameKind uint8

const (
	jsVariable  jsNameKind = iota // a plain variable or parameter: mentioning it makes no reference
	jsEntity                      // a function, class, namespace, type
	jsImported                    // an imported name, or one taken out of a required module
	jsModule                      // a whole imported module
	jsTypeParam                   // a type parameter
)

// A jsThis is what "this" stands for.
type jsThis struct {
	class bool  // the receiver of the method around
	x     int32 // else an expression, or None
	exp   bool  // the exports of a CommonJS module
	lazy  string
	scope int32
	used  bool // the lazy name must be bound
}

func (s *script) open(decl int32) *jsScope {
	c := &jsScope{parent: s.cur, decl: decl, names: map[string]jsName{}, taken: map[string]struct{}{}}
	c.fn = c
	s.cur = c
	return c
}

// block opens the scope of a block.
func (s *script) block(cond bool) *jsScope {
	c := &jsScope{parent: s.cur, decl: s.cur.decl, fn: s.cur.fn, cond: cond}
	s.cur = c
	return c
}

func (s *script) close(c *jsScope) { s.cur = c.parent }

// add puts a name into a scope. In a block it gets another name when its function has it already.
func (c *jsScope) add(name string, kind jsNameKind) {
	if name == "" {
		return
	}
	if have, ok := c.names[name]; ok {
		if kind > have.kind && kind != jsTypeParam {
			have.kind = kind
			c.names[name] = have
		}
		return
	}
	if c.names == nil {
		c.names = map[string]jsName{}
	}
	as := name
	if kind == jsTypeParam {
		as = "<" + name + ">"
	} else if _, ok := c.fn.taken[as]; ok {
		as = name + "\x00" + itoa(len(c.fn.taken))
	}
	c.fn.taken[as] = struct{}{}
	c.names[name] = jsName{as, kind}
}

// merge notes a declaration of a name, to find those that stand for one thing together: interfaces of one name, a class and
// its interface, a function and its namespace. Functions of one name are overloads or replace one another.
func (c *jsScope) merge(name string, joins bool) {
	if c.seen == nil {
		c.seen, c.merged = map[string]bool{}, map[string]bool{}
	}
	before, ok := c.seen[name]
	if ok && (before || joins) {
		c.merged[name] = true
	}
	c.seen[name] = before || joins
}

// find gives the scope that binds a name, and what it is there; nil when no scope of the file does.
func (s *script) find(name string) (*jsScope, jsName) {
	for c := s.cur; c != nil; c = c.parent {
		if n, ok := c.names[name]; ok {
			return c, n
		}
	}
	return nil, jsName{name: name}
}

// name gives the sketch of a name.
func (s *script) name(name string) int32 {
	c, n := s.find(name)
	if c == nil {
		return s.b.Name(lang.File, name)
	}
	return s.b.Name(c.decl, n.name)
}

// conditional tells whether what is declared here is one of several alternatives.
func (s *script) conditional() lang.DeclFlag {
	for c := s.cur; c != nil && c != c.fn; c = c.parent {
		if c.cond {
			return lang.Conditional
		}
	}
	return 0
}

// hoist adds the names that "var" and functions within blocks give to the function around. Functions and classes inside
// have their own.
func (s *script) hoist(n int32) {
	for c := range s.children(n) {
		switch s.kind(c) {
		case "variable_declaration":
			for d := range s.children(c) {
				if s.kind(d) == "variable_declarator" {
					s.addDeclarator(s.cur.fn, d)
				}
			}
			s.hoist(c)
		case "function_declaration", "generator_function_declaration":
			s.cur.fn.add(s.text(s.field(c, "name")), jsEntity)
		case "for_in_statement":
			if k := s.before(c, s.field(c, "left")); strings.HasSuffix(strings.TrimSpace(string(k)), "var") {
				s.addPattern(s.cur.fn, s.field(c, "left"), jsVariable)
			}
			s.hoist(c)
		case "arrow_function", "function_expression", "function", "generator_function", "class", "class_declaration",
			"abstract_class_declaration", "method_definition", "internal_module", "module", "interface_declaration":
		default:
			s.hoist(c)
		}
	}
}

// declare adds the names that the statements directly in n give to the current scope.
func (s *script) declare(n int32) {
	for c := range s.children(n) {
		s.declareOne(c)
	}
}

func (s *script) declareOne(c int32) {
	switch s.kind(c) {
	case "export_statement", "ambient_declaration", "expression_statement", "switch_case", "switch_default":
		if k := s.kind(c); k == "expression_statement" && s.first(c, "internal_module") < 0 {
			return
		} else if k == "ambient_declaration" && s.first(c, "statement_block") >= 0 { // declare global
			s.declare(s.first(c, "statement_block"))
			return
		}
		s.declare(c)
	case "lexical_declaration":
		for d := range s.children(c) {
			if s.kind(d) == "variable_declarator" {
				s.addDeclarator(s.cur, d)
			}
		}
	case "function_signature", "function_declaration", "generator_function_declaration":
		if s.cur == s.cur.fn { // those of blocks are hoisted
			s.cur.add(s.text(s.field(c, "name")), jsEntity)
			s.cur.merge(s.text(s.field(c, "name")), false)
		}
	case "class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration", "type_alias_declaration":
		s.cur.add(s.text(s.field(c, "name")), jsEntity)
		s.cur.merge(s.text(s.field(c, "name")), true)
	case "internal_module":
		name := s.field(c, "name")
		for name >= 0 && s.kind(name) == "nested_identifier" {
			name = s.child(name, 0)
		}
		s.cur.add(s.text(name), jsEntity)
		s.cur.merge(s.text(name), true)
	case "import_alias":
		s.cur.add(s.text(s.child(c, 0)), jsImported)
	case "import_statement":
		s.addImports(c)
	}
}

func (s *script) addImports(n int32) {
	if r := s.first(n, "import_require_clause"); r >= 0 {
		s.cur.add(s.text(s.child(r, 0)), jsImported)
		return
	}
	for c := range s.children(s.first(n, "import_clause")) {
		switch s.kind(c) {
		case "identifier":
			s.cur.add(s.text(c), jsImported)
		case "namespace_import":
			s.cur.add(s.text(s.child(c, 0)), jsModule)
		case "named_imports":
			for i := range s.children(c) {
				if s.kind(i) != "import_specifier" {
					continue
				}
				name := s.field(i, "alias")
				if name < 0 {
					name = s.field(i, "name")
				}
				s.cur.add(s.key(name), jsImported)
			}
		}
	}
}

func (s *script) addDeclarator(c *jsScope, d int32) {
	kind := jsVariable
	if v := s.field(d, "value"); v >= 0 {
		switch s.kind(v) {
		case "arrow_function", "function_expression", "function", "generator_function", "class":
			kind = jsEntity
		default:
			if s.requires(v) {
				kind = jsImported
			} else if w := s.wrapped(v); w >= 0 && s.isFunction(s.strip(w)) {
				kind = jsEntity
			}
		}
	}
	s.addPattern(c, s.field(d, "name"), kind)
}

// requires tells whether a value is require("x"), or a member of it.
func (s *script) requires(v int32) bool {
	for range 4 {
		switch s.kind(v) {
		case "member_expression":
			v = s.field(v, "object")
		case "await_expression", "parenthesized_expression":
			v = s.child(v, 0)
		case "call_expression":
			fn := s.field(v, "function")
			if fn < 0 {
				return false
			}
			if k := s.kind(fn); k == "import" || k == "identifier" {
				return k == "import" || s.text(fn) == "require"
			}
			return false
		default:
			return false
		}
		if v < 0 {
			return false
		}
	}
	return false
}

// addPattern adds the names of a pattern.
func (s *script) addPattern(c *jsScope, n int32, kind jsNameKind) {
	if n < 0 {
		return
	}
	switch s.kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		c.add(s.text(n), kind)
	case "object_pattern", "array_pattern":
		for e := range s.children(n) {
			s.addPattern(c, e, kind)
		}
	case "pair_pattern":
		s.addPattern(c, s.field(n, "value"), kind)
	case "object_assignment_pattern", "assignment_pattern":
		s.addPattern(c, s.field(n, "left"), kind)
	case "rest_pattern":
		s.addPattern(c, s.child(n, 0), kind)
	case "required_parameter", "optional_parameter":
		p := s.field(n, "pattern")
		if p < 0 {
			p = s.child(n, 0)
		}
		s.addPattern(c, p, kind)
	}
}
