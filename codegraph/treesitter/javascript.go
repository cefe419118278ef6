package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A script walks one tree of JavaScript or TypeScript.
type script struct {
	*tree
	b lang.Builder
}

func parseScript(name string) func(*tree) *lang.Facts {
	return func(t *tree) *lang.Facts {
		t.index()
		s := &script{tree: t}
		if len(t.rec) > 0 {
			s.all(0, lang.File)
		}
		s.b.Facts.Lang, s.b.Facts.Lines, s.b.Facts.Errors = name, t.lineCount(), t.errors
		return &s.b.Facts
	}
}

func (s *script) all(n, scope int32) {
	for c := range s.children(n) {
		s.visit(c, scope)
	}
}

func (s *script) line(n int32) int32 {
	l, _ := s.place(s.rec[n].start)
	return l
}

// visit records what a node does in a scope and gives the sketch of its value, or None.
func (s *script) visit(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch s.kind(n) {
	case "comment", "type_annotation", "type_arguments", "type_parameters", "regex":
	case "function_declaration", "generator_function_declaration", "function_signature":
		return s.b.Decl(s.function(n, n, s.text(s.field(n, "name")), "", scope, 0))
	case "class_declaration", "abstract_class_declaration":
		return s.b.Decl(s.class(n, n, s.text(s.field(n, "name")), scope, 0))
	case "class":
		name := s.text(s.field(n, "name"))
		if name == "" {
			name = "class"
		}
		return s.b.Decl(s.class(n, n, name, scope, lang.Hidden))
	case "interface_declaration":
		s.interfaceDecl(n, scope)
	case "enum_declaration":
		s.b.Declare(s.decl(n, n, s.text(s.field(n, "name")), lang.Class, scope, s.field(n, "body")))
		s.all(s.field(n, "body"), scope)
	case "type_alias_declaration":
		name := s.field(n, "name")
		s.b.Bind(lang.Assign, scope, s.text(name), s.typ(s.field(n, "value"), scope), s.line(n))
	case "variable_declarator":
		s.declarator(n, scope)
	case "import_statement":
		s.importStatement(n, scope)
	case "export_statement":
		s.exportStatement(n, scope)
	case "return_statement":
		x := s.visit(s.child(n, 0), scope)
		if scope != lang.File {
			s.b.Bind(lang.Return, scope, "", x, s.line(n))
		}
	case "yield_expression":
		x := s.visit(s.child(n, 0), scope)
		if scope != lang.File && x != lang.None {
			s.b.Bind(lang.Yield, scope, "", x, s.line(n))
		}
	case "for_in_statement":
		right := s.visit(s.field(n, "right"), scope)
		if strings.Contains(string(s.src[s.rec[s.field(n, "left")].end:s.rec[s.field(n, "right")].start]), "of") {
			right = s.b.Of(lang.OpElem, right, "")
		} else {
			right = lang.None
		}
		s.bind(s.field(n, "left"), right, scope)
		s.visit(s.field(n, "body"), scope)
	case "assignment_expression":
		return s.assign(n, scope)
	case "augmented_assignment_expression":
		x := s.visit(s.field(n, "right"), scope)
		s.bind(s.field(n, "left"), x, scope)
		return x
	case "identifier", "shorthand_property_identifier", "type_identifier":
		if name := s.text(n); name != "undefined" {
			return s.b.Name(scope, name)
		}
	case "this":
		return s.b.Leaf(lang.OpThis, scope, "")
	case "super":
		return s.b.Leaf(lang.OpSuper, scope, "")
	case "member_expression":
		return s.b.Of(lang.OpAttr, s.visit(s.field(n, "object"), scope), s.text(s.field(n, "property")))
	case "subscript_expression":
		x := s.visit(s.field(n, "object"), scope)
		i := s.field(n, "index")
		s.visit(i, scope)
		return s.b.Of(lang.OpIndex, x, s.constant(i))
	case "call_expression":
		return s.call(n, s.field(n, "function"), scope)
	case "new_expression":
		return s.call(n, s.field(n, "constructor"), scope)
	case "arrow_function", "function_expression", "function", "generator_function":
		return s.b.Decl(s.closure(n, scope))
	case "object":
		return s.object(n, "", scope)
	case "array":
		return s.b.Many(lang.OpList, s.args(n, scope))
	case "ternary_expression":
		s.visit(s.field(n, "condition"), scope)
		a := s.visit(s.field(n, "consequence"), scope)
		return s.b.Any(a, s.visit(s.field(n, "alternative"), scope))
	case "binary_expression":
		l, r := s.field(n, "left"), s.field(n, "right")
		a, b := s.visit(l, scope), s.visit(r, scope)
		if l >= 0 && r >= 0 {
			switch strings.TrimSpace(string(s.src[s.rec[l].end:s.rec[r].start])) {
			case "||", "??", "&&":
				return s.b.Any(a, b)
			}
		}
		return s.b.Leaf(lang.OpExternal, lang.File, "")
	case "parenthesized_expression", "await_expression", "non_null_expression", "satisfies_expression":
		x := lang.None
		for c := range s.children(n) {
			if y := s.visit(c, scope); x == lang.None {
				x = y
			}
		}
		return x
	case "sequence_expression":
		x := lang.None
		for c := range s.children(n) {
			x = s.visit(c, scope)
		}
		return x
	case "as_expression", "type_assertion":
		x, t := lang.None, lang.None
		for c := range s.children(n) {
			if isType(s.kind(c)) {
				t = s.b.Of(lang.OpInstance, s.typ(c, scope), "")
			} else {
				x = s.visit(c, scope)
			}
		}
		if t != lang.None {
			return t
		}
		return x
	case "jsx_opening_element", "jsx_self_closing_element":
		s.element(n, scope)
	case "string", "template_string":
		s.all(n, scope)
		return s.b.Leaf(lang.OpString, lang.File, s.constant(n))
	case "number", "true", "false":
		return s.b.Leaf(lang.OpExternal, lang.File, "")
	case "catch_clause":
		s.bind(s.field(n, "parameter"), lang.None, scope)
		s.visit(s.field(n, "body"), scope)
	default:
		s.all(n, scope)
	}
	return lang.None
}

func isType(kind string) bool {
	return strings.HasSuffix(kind, "_type") || kind == "type_identifier" || kind == "nested_type_identifier" || kind == "type_arguments"
}

func (s *script) constant(n int32) string {
	if n < 0 {
		return ""
	}
	switch s.kind(n) {
	case "number":
		return s.text(n)
	case "string":
		if t := s.text(n); len(t) >= 2 && len(t) < 200 {
			return t[1 : len(t)-1]
		}
	}
	return ""
}

func (s *script) declarator(n, scope int32) {
	name, value := s.field(n, "name"), s.field(n, "value")
	if name < 0 {
		return
	}
	if s.kind(name) == "identifier" && value >= 0 {
		switch s.kind(value) {
		case "arrow_function", "function_expression", "function", "generator_function":
			s.function(value, n, s.text(name), "", scope, 0)
			return
		case "class":
			s.class(value, n, s.text(name), scope, 0)
			return
		case "object":
			s.b.Bind(lang.Assign, scope, s.text(name), s.object(value, s.text(name), scope), s.line(n))
			return
		}
	}
	x := s.visit(value, scope)
	if t := s.field(n, "type"); t >= 0 && s.kind(name) == "identifier" {
		s.b.Bind(lang.Annotate, scope, s.text(name), s.typ(t, scope), s.line(n))
	}
	s.bind(name, x, scope)
}

// assign reads an assignment; a function or object set on a member gets that name.
func (s *script) assign(n, scope int32) int32 {
	left, right := s.field(n, "left"), s.field(n, "right")
	if left < 0 || right < 0 {
		s.all(n, scope)
		return lang.None
	}
	if s.kind(left) != "member_expression" {
		x := s.visit(right, scope)
		s.bind(left, x, scope)
		return x
	}
	path := s.text(left)
	target, name := s.text(s.field(left, "object")), s.text(s.field(left, "property"))
	var x int32
	switch s.kind(right) {
	case "arrow_function", "function_expression", "function", "generator_function":
		qualifier := target
		if target == "module" || target == "exports" || target == "module.exports" || strings.HasPrefix(target, "this") || strings.ContainsAny(target, " ([\n") {
			qualifier = ""
		}
		if path == "module.exports" {
			name = "exports"
			if f := s.field(right, "name"); f >= 0 {
				name = s.text(f)
			}
		}
		x = s.b.Decl(s.function(right, n, name, qualifier, scope, lang.Hidden))
	case "object":
		x = s.object(right, "", scope)
	default:
		x = s.visit(right, scope)
	}
	if x == lang.None {
		s.visit(s.field(left, "object"), scope)
		return x
	}
	switch {
	case path == "module.exports":
		s.b.Bind(lang.Assign, lang.File, "module.exports", x, s.line(n))
	case target == "exports" || target == "module.exports":
		s.b.Bind(lang.Assign, lang.File, "exports."+name, x, s.line(n))
	default:
		s.bind(left, x, scope)
	}
	return x
}

// bind gives a target a value.
func (s *script) bind(n, x, scope int32) {
	if n < 0 {
		return
	}
	switch s.kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		if x == lang.None {
			x = s.b.Leaf(lang.OpUnknown, lang.File, "")
		}
		s.b.Bind(lang.Assign, s.home(s.text(n), scope), s.text(n), x, s.line(n))
	case "member_expression":
		s.b.Set(lang.Assign, scope, s.visit(s.field(n, "object"), scope), s.text(s.field(n, "property")), x, s.line(n))
	case "subscript_expression":
		i := s.field(n, "index")
		s.visit(i, scope)
		s.b.Set(lang.Store, scope, s.visit(s.field(n, "object"), scope), s.constant(i), x, s.line(n))
	case "object_pattern":
		for c := range s.children(n) {
			switch s.kind(c) {
			case "shorthand_property_identifier_pattern":
				s.bind(c, s.b.Of(lang.OpAttr, x, s.text(c)), scope)
			case "pair_pattern":
				s.bind(s.field(c, "value"), s.b.Of(lang.OpAttr, x, s.key(s.field(c, "key"))), scope)
			case "object_assignment_pattern":
				l := s.field(c, "left")
				def := s.visit(s.field(c, "right"), scope)
				s.bind(l, s.b.Any(s.b.Of(lang.OpAttr, x, s.text(l)), def), scope)
			case "rest_pattern":
				s.bind(s.child(c, 0), x, scope)
			}
		}
	case "array_pattern":
		i := 0
		for c := range s.children(n) {
			s.bind(c, s.b.Of(lang.OpIndex, x, itoa(i)), scope)
			i++
		}
	case "assignment_pattern":
		def := s.visit(s.field(n, "right"), scope)
		s.bind(s.field(n, "left"), s.b.Any(x, def), scope)
	case "rest_pattern", "parenthesized_expression", "non_null_expression":
		s.bind(s.child(n, 0), x, scope)
	}
}

// home is the scope an assigned name belongs to: one around that binds it already, else the one given.
func (s *script) home(name string, scope int32) int32 {
	for at := scope; ; at = s.b.Facts.Decls[at].Parent {
		for i := len(s.b.Facts.Bindings) - 1; i >= 0 && i >= len(s.b.Facts.Bindings)-400; i-- {
			if b := &s.b.Facts.Bindings[i]; b.Scope == at && b.Name == name && b.Target == lang.None {
				return at
			}
		}
		if at == lang.File {
			return scope
		}
	}
}

func (s *script) key(n int32) string {
	if n < 0 {
		return ""
	}
	switch s.kind(n) {
	case "string":
		return s.constant(n)
	case "computed_property_name":
		return ""
	}
	return s.text(n)
}

// object reads an object literal; its methods are named after the variable that holds it.
func (s *script) object(n int32, name string, scope int32) int32 {
	var args []lang.Arg
	for c := range s.children(n) {
		switch s.kind(c) {
		case "pair":
			k, v := s.key(s.field(c, "key")), s.field(c, "value")
			x := lang.None
			if v >= 0 && k != "" {
				switch s.kind(v) {
				case "arrow_function", "function_expression", "function":
					x = s.b.Decl(s.function(v, c, k, name, scope, lang.Hidden))
				case "object":
					q := k
					if name != "" {
						q = name + "." + k
					}
					x = s.object(v, q, scope)
				}
			}
			if x == lang.None {
				x = s.visit(v, scope)
			}
			args = append(args, lang.Arg{Name: k, X: x})
		case "method_definition":
			k := s.key(s.field(c, "name"))
			args = append(args, lang.Arg{Name: k, X: s.b.Decl(s.function(c, c, k, name, scope, lang.Hidden))})
		case "shorthand_property_identifier":
			args = append(args, lang.Arg{Name: s.text(c), X: s.visit(c, scope)})
		case "spread_element":
			args = append(args, lang.Arg{X: s.visit(s.child(c, 0), scope), Spread: true})
		}
	}
	return s.b.Many(lang.OpDict, args)
}

func (s *script) args(n, scope int32) []lang.Arg {
	var args []lang.Arg
	for c := range s.children(n) {
		switch s.kind(c) {
		case "comment":
		case "spread_element":
			args = append(args, lang.Arg{X: s.visit(s.child(c, 0), scope), Spread: true})
		default:
			args = append(args, lang.Arg{X: s.visit(c, scope)})
		}
	}
	return args
}

func (s *script) call(n, fn, scope int32) int32 {
	list := s.field(n, "arguments")
	if fn >= 0 && list >= 0 && (s.text(fn) == "require" || s.kind(fn) == "import") {
		if spec := s.constant(s.child(list, 0)); spec != "" {
			s.b.Facts.Imports = append(s.b.Facts.Imports, lang.Import{Scope: scope, Module: spec, Line: s.line(n)})
			return s.b.Leaf(lang.OpModule, lang.File, spec)
		}
	}
	callee := s.visit(fn, scope)
	var args []lang.Arg
	if list >= 0 && s.kind(list) != "template_string" {
		args = s.args(list, scope)
	} else {
		s.visit(list, scope)
	}
	x := s.b.Call(callee, args)
	s.ref(lang.Call, fn, scope, x, callee, lang.None)
	return x
}

func (s *script) ref(kind lang.RefKind, fn, scope, x, callee, decl int32) {
	if fn < 0 || x == lang.None {
		return
	}
	at := fn
	if s.kind(fn) == "member_expression" {
		if p := s.field(fn, "property"); p >= 0 {
			at = p
		}
	}
	p := s.span(s.rec[at].start, s.rec[at].end)
	s.b.Facts.Refs = append(s.b.Facts.Refs, lang.Ref{Kind: kind, Scope: scope, X: x, Decl: decl, Name: s.b.LastName(callee),
		Line: p.Line, Col: p.Col, EndLine: p.EndLine, EndCol: p.EndCol})
}

// element reads the use of a component: <Name ...>.
func (s *script) element(n, scope int32) {
	name := s.field(n, "name")
	for c := range s.children(n) {
		if c != name {
			s.visit(c, scope)
		}
	}
	if name < 0 {
		return
	}
	if t := s.text(name); s.kind(name) == "identifier" && (t == "" || t[0] >= 'a' && t[0] <= 'z') {
		return // an element of the page
	}
	callee := s.visit(name, scope)
	if callee == lang.None {
		return
	}
	s.ref(lang.Call, name, scope, s.b.Call(callee, nil), callee, lang.None)
}
