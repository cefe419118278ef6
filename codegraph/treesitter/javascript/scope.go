package javascript

import (
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A scope is one lexical scope: the file, a function, a class with type parameters, or a block. The linker knows only the
// scopes of declarations; a name of a block that is taken already in its function gets a name nobody can write.
type scope struct {
	parent *scope
	decl   int32 // the declaration that holds its names in the facts
	names  map[string]binding
	fn     *scope              // the scope of decl itself
	taken  map[string]struct{} // on the scope of a declaration: names in use there, those of blocks included
	cond   bool                // what is in it may not run
	merged map[string]bool     // names that several declarations give together
	seen   map[string]bool     // names declared so far by a function (false) or another declaration (true)
}

// A binding is a name of a scope.
type binding struct {
	name string // in the facts
	kind bindingKind
}

type bindingKind uint8

const (
	boundVariable  bindingKind = iota // a plain variable or parameter: mentioning it makes no reference
	boundEntity                       // a function, class, namespace, type
	boundImport                       // an imported name, or one taken out of a required module
	boundModule                       // a whole imported module
	boundTypeParam                    // a type parameter
)

// A receiver is what "this" stands for.
type receiver struct {
	class bool  // the receiver of the method around
	x     int32 // else an expression, or None
	exp   bool  // the exports of a CommonJS module
	lazy  string
	scope int32
	used  bool // the lazy name must be bound
}

// A scopes is the scopes of a file, with the names that each binds.
type scopes struct {
	sketch
	cur *scope // the innermost at the place
}

func (s *scopes) open(decl int32) *scope {
	c := &scope{parent: s.cur, decl: decl, names: map[string]binding{}, taken: map[string]struct{}{}}
	c.fn = c
	s.cur = c
	return c
}

// block opens the scope of a block.
func (s *scopes) block(cond bool) *scope {
	c := &scope{parent: s.cur, decl: s.cur.decl, fn: s.cur.fn, cond: cond}
	s.cur = c
	return c
}

func (s *scopes) close(c *scope) { s.cur = c.parent }

// add puts a name into a scope. In a block it gets another name when its function has it already.
func (c *scope) add(name string, kind bindingKind) {
	if name == "" {
		return
	}
	if have, ok := c.names[name]; ok {
		if kind > have.kind && kind != boundTypeParam {
			have.kind = kind
			c.names[name] = have
		}
		return
	}
	if c.names == nil {
		c.names = map[string]binding{}
	}
	as := name
	if kind == boundTypeParam {
		as = "<" + name + ">"
	} else if _, ok := c.fn.taken[as]; ok {
		as = name + "\x00" + strconv.Itoa(len(c.fn.taken))
	}
	c.fn.taken[as] = struct{}{}
	c.names[name] = binding{as, kind}
}

// merge notes a declaration of a name, to find those that stand for one thing together: interfaces of one name, a class and
// its interface, a function and its namespace. Functions of one name are overloads or replace one another.
func (c *scope) merge(name string, joins bool) {
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
func (s *scopes) find(name string) (*scope, binding) {
	for c := s.cur; c != nil; c = c.parent {
		if n, ok := c.names[name]; ok {
			return c, n
		}
	}
	return nil, binding{name: name}
}

// name gives the sketch of a name.
func (s *scopes) name(name string) int32 {
	c, n := s.find(name)
	if c == nil {
		return s.B.Name(lang.File, name)
	}
	return s.B.Name(c.decl, n.name)
}

// conditional tells whether what is declared here is one of several alternatives.
func (s *scopes) conditional() lang.DeclFlag {
	for c := s.cur; c != nil && c != c.fn; c = c.parent {
		if c.cond {
			return lang.Conditional
		}
	}
	return 0
}

// hoist adds the names that "var" and functions within blocks give to the function around. Functions and classes inside
// have their own.
func (s *scopes) hoist(n int32) {
	for c := range s.Children(n) {
		switch s.Kind(c) {
		case "variable_declaration":
			for d := range s.Of(c, "variable_declarator") {
				s.declareVariable(s.cur.fn, d)
			}
			s.hoist(c)
		case "function_declaration", "generator_function_declaration":
			s.cur.fn.add(s.Text(s.Field(c, "name")), boundEntity)
		case "for_in_statement":
			if k := s.Before(c, s.Field(c, "left")); strings.HasSuffix(strings.TrimSpace(string(k)), "var") {
				s.declarePattern(s.cur.fn, s.Field(c, "left"), boundVariable)
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
func (s *scopes) declare(n int32) {
	for c := range s.Children(n) {
		s.declareStatement(c)
	}
}

func (s *scopes) declareStatement(c int32) {
	switch s.Kind(c) {
	case "export_statement", "ambient_declaration", "expression_statement", "switch_case", "switch_default":
		if k := s.Kind(c); k == "expression_statement" && s.First(c, "internal_module") < 0 {
			return
		} else if k == "ambient_declaration" && s.First(c, "statement_block") >= 0 { // declare global
			s.declare(s.First(c, "statement_block"))
			return
		}
		s.declare(c)
	case "lexical_declaration":
		for d := range s.Of(c, "variable_declarator") {
			s.declareVariable(s.cur, d)
		}
	case "function_signature", "function_declaration", "generator_function_declaration":
		if s.cur == s.cur.fn { // those of blocks are hoisted
			s.cur.add(s.Text(s.Field(c, "name")), boundEntity)
			s.cur.merge(s.Text(s.Field(c, "name")), false)
		}
	case "class_declaration", "abstract_class_declaration", "interface_declaration", "enum_declaration", "type_alias_declaration":
		s.cur.add(s.Text(s.Field(c, "name")), boundEntity)
		s.cur.merge(s.Text(s.Field(c, "name")), true)
	case "internal_module":
		name := s.Field(c, "name")
		for s.Is(name, "nested_identifier") {
			name = s.Child(name, 0)
		}
		s.cur.add(s.Text(name), boundEntity)
		s.cur.merge(s.Text(name), true)
	case "import_alias":
		s.cur.add(s.Text(s.Child(c, 0)), boundImport)
	case "import_statement":
		s.declareImports(c)
	}
}

func (s *scopes) declareImports(n int32) {
	if r := s.First(n, "import_require_clause"); r >= 0 {
		s.cur.add(s.Text(s.Child(r, 0)), boundImport)
		return
	}
	s.importNames(n, func(name, alias string) {
		kind := boundImport
		if name == "*" {
			kind = boundModule
		}
		s.cur.add(alias, kind)
	})
}

func (s *scopes) declareVariable(c *scope, d int32) {
	kind := boundVariable
	if v := s.Field(d, "value"); s.isFunction(v) || s.Is(v, "class") || s.isFunction(s.unwrap(s.wrapperArg(v))) {
		kind = boundEntity
	} else if s.requires(v) {
		kind = boundImport
	}
	s.declarePattern(c, s.Field(d, "name"), kind)
}

// declarePattern adds the names of a pattern.
func (s *scopes) declarePattern(c *scope, n int32, kind bindingKind) {
	switch s.Kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		c.add(s.Text(n), kind)
	case "object_pattern", "array_pattern":
		for e := range s.Children(n) {
			s.declarePattern(c, e, kind)
		}
	case "pair_pattern":
		s.declarePattern(c, s.Field(n, "value"), kind)
	case "object_assignment_pattern", "assignment_pattern":
		s.declarePattern(c, s.Field(n, "left"), kind)
	case "rest_pattern":
		s.declarePattern(c, s.Child(n, 0), kind)
	case "required_parameter", "optional_parameter":
		s.declarePattern(c, s.Field(n, "pattern"), kind)
	}
}

// bound is the name in the facts of a name that a declaration in the current scope gives.
func (s *scopes) bound(name string) string {
	_, n := s.find(name)
	return n.name
}

// binds tells whether a scope of the file binds a name.
func (s *scopes) binds(name string) bool {
	c, _ := s.find(name)
	return c != nil
}

// isExports tells whether n is the exports of a CommonJS module: exports or module.exports.
func (s *scopes) isExports(n int32) bool {
	if s.Is(n, "identifier") {
		return s.Text(n) == "exports" && !s.binds("exports")
	}
	return s.Is(n, "member_expression") && s.Is(s.Field(n, "object"), "identifier") && s.Text(s.Field(n, "object")) == "module" &&
		s.Text(s.Field(n, "property")) == "exports"
}
