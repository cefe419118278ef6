package javascript

// findConstructors finds the functions that are used as classes: the file names their prototype.
func (s *syntax) findConstructors() {
	s.constructors = map[string]bool{}
	for n := range s.Nodes {
		if s.Is(int32(n), "member_expression") {
			if p := s.Field(int32(n), "property"); p >= 0 && string(s.Src[s.Start(p):s.End(p)]) == "prototype" {
				if name := s.dotted(s.Field(int32(n), "object")); name != "" {
					s.constructors[name] = true
				}
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
	return name[0] >= 'A' && name[0] <= 'Z' && s.setsThis(s.Field(fn, "body"))
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
