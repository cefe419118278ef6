package javascript

import "github.com/findspot/findspot/codegraph/lang"

func (s *scopes) importStatement(n int32) {
	src := s.constant(s.Field(n, "source"))
	base := lang.Import{Scope: s.cur.decl, Module: src, Line: s.Line(n)}
	add := func(name, alias string) {
		m := base
		m.Name, m.Alias = name, alias
		s.Import(m)
	}
	if r := s.First(n, "import_require_clause"); r >= 0 { // import x = require("y")
		base.Module = s.constant(s.Field(r, "source"))
		add("", "")
		name := s.Text(s.Child(r, 0))
		s.B.Bind(lang.Assign, s.cur.decl, s.bound(name), s.Module(base.Module), s.Line(n))
		return
	}
	if s.First(n, "import_clause") < 0 {
		add("", "")
	}
	s.importNames(n, add)
}

// importNames calls f for each name that the clause of an import statement binds; "*" is the whole module.
func (s *syntax) importNames(n int32, f func(name, alias string)) {
	for c := range s.Children(s.First(n, "import_clause")) {
		switch s.Kind(c) {
		case "identifier":
			f("default", s.Text(c))
		case "namespace_import":
			f("*", s.Text(s.Child(c, 0)))
		case "named_imports":
			for i := range s.Of(c, "import_specifier") {
				name := s.key(s.Field(i, "name"))
				alias := name
				if a := s.Field(i, "alias"); a >= 0 {
					alias = s.Text(a)
				}
				f(name, alias)
			}
		}
	}
}
