package javascript

import "github.com/findspot/findspot/codegraph/treesitter/internal/core"

// findConstructors finds the functions that are used as classes: the file names their prototype.
func (s *syntax) findConstructors() {
	s.constructors = map[string]bool{}
	for n := range int32(len(s.Nodes)) {
		if s.isPrototype(n) {
			if name := s.dotted(s.Field(n, "object")); name != "" {
				s.constructors[name] = true
			}
		}
	}
}

// isConstructor tells whether a function makes objects: the file names its prototype, or it has a capital letter and sets members of
// what is made.
func (s *syntax) isConstructor(fn int32, name string) bool {
	if name == "" || s.Is(fn, "arrow_function", "generator_function", "generator_function_declaration", "function_signature", "method_definition") {
		return false
	}
	if s.constructors[name] {
		return true
	}
	return core.Capital(name) && s.setsThis(s.Field(fn, "body"))
}

func (s *syntax) setsThis(n int32) bool {
	for c := range s.Children(n) {
		switch s.Kind(c) {
		case "assignment_expression":
			if l := s.Field(c, "left"); s.Is(l, "member_expression") && s.Is(s.Field(l, "object"), "this") {
				return true
			}
		case "function_expression", "function", "function_declaration", "generator_function", "generator_function_declaration", "class",
			"class_declaration", "method_definition":
			continue
		}
		if s.setsThis(c) {
			return true
		}
	}
	return false
}
