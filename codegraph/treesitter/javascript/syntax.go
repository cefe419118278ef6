package javascript

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A syntax reads what the nodes of a tree say by themselves.
type syntax struct {
	core.Sketch
	constructors map[string]bool // functions that make objects: the file names their prototype
}

func (s *syntax) isFunction(n int32) bool {
	return s.Is(n, "arrow_function", "function_expression", "function", "generator_function")
}

// unwrap takes parentheses and casts that keep a value away.
func (s *syntax) unwrap(n int32) int32 {
	for s.Is(n, "parenthesized_expression", "satisfies_expression", "as_expression", "non_null_expression") {
		n = s.Child(n, 0)
	}
	return n
}

// wrappers give back what they are given, as far as calls go.
var wrappers = core.Words("memo forwardRef observer useCallback debounce throttle memoize once lazy asyncHandler catchAsync")

// wrapperArg gives what a call of one of the wrappers is given, or -1.
func (s *syntax) wrapperArg(v int32) int32 {
	if !s.Is(v, "call_expression") {
		return -1
	}
	fn := s.Field(v, "function")
	if s.Is(fn, "member_expression") {
		fn = s.Field(fn, "property")
	}
	if fn < 0 || s.End(fn)-s.Start(fn) > 40 || !wrappers[s.Text(fn)] {
		return -1
	}
	return s.Child(s.Field(v, "arguments"), 0)
}

// requires tells whether a value is require("x"), or a member of it.
func (s *syntax) requires(v int32) bool {
	for range 4 {
		switch s.Kind(v) {
		case "member_expression":
			v = s.Field(v, "object")
		case "await_expression", "parenthesized_expression":
			v = s.Child(v, 0)
		case "call_expression":
			fn := s.Field(v, "function")
			return s.Is(fn, "import") || s.Is(fn, "identifier") && s.Text(fn) == "require"
		default:
			return false
		}
	}
	return false
}

func (s *syntax) constant(n int32) string {
	switch s.Kind(n) {
	case "number":
		return s.Text(n)
	case "string":
		if r := s.Nodes[n]; r.End-r.Start >= 2 && r.End-r.Start < 200 {
			return string(s.Src[r.Start+1 : r.End-1])
		}
	}
	return ""
}

// key gives the name of a property; a computed one that is a plain path keeps its brackets.
func (s *syntax) key(n int32) string {
	switch s.Kind(n) {
	case "string":
		return s.constant(n)
	case "computed_property_name":
		c := s.Child(n, 0)
		switch {
		case s.Is(c, "string"):
			return s.constant(c)
		case s.Is(c, "member_expression", "identifier") && s.End(c)-s.Start(c) < 80:
			return "[" + s.Text(c) + "]"
		}
		return ""
	}
	return s.Text(n)
}

// isPrototype tells whether n is the prototype of something: F.prototype.
func (s *syntax) isPrototype(n int32) bool {
	return s.Is(n, "member_expression") && s.Text(s.Field(n, "property")) == "prototype"
}

// dotted gives a plain path of names such as a.B.c, and "" for anything else.
func (s *syntax) dotted(n int32) string {
	if n < 0 || s.End(n)-s.Start(n) > 120 {
		return ""
	}
	t := s.Text(n)
	if strings.ContainsAny(t, " ([\n\t\"'`?!/") {
		return ""
	}
	return t
}

// isSetter tells whether a method is written "set x(v)".
func (s *syntax) isSetter(c int32) bool {
	w := strings.Fields(string(s.Before(c, s.Field(c, "name"))))
	return len(w) > 0 && w[len(w)-1] == "set"
}

// methodFlags reads the words before a method's name.
func (s *syntax) methodFlags(c int32) lang.DeclFlag {
	var flags lang.DeclFlag
	for _, w := range strings.Fields(string(s.Before(c, s.Field(c, "name")))) {
		switch strings.TrimSuffix(w, "*") {
		case "static":
			flags |= lang.Static
		case "get":
			flags |= lang.Property
		}
	}
	return flags
}

// hasNextOverload tells whether the declaration after the signature n is of the same name: the last one stands for all.
func (s *syntax) hasNextOverload(n int32, name string) bool {
	for next := s.Next(n); int(next) < len(s.Nodes); next = s.Next(next) {
		if s.Is(next, "comment") {
			continue
		}
		if s.Is(next, "export_statement", "ambient_declaration") {
			next++
		}
		return int(next) < len(s.Nodes) && name != "" && s.key(s.Field(next, "name")) == name &&
			s.Is(next, "function_signature", "function_declaration", "generator_function_declaration", "method_signature", "method_definition",
				"abstract_method_signature") && (!s.Is(next, "method_definition", "method_signature") || !s.isSetter(next))
	}
	return false
}
