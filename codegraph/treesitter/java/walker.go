package java

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A walker turns the tree of one file into facts. Local variables and type parameters are looked up here, by the blocks they are declared
// in; all other names are left to the linker.
type walker struct {
	core.Sketch
	vars     core.Names[variable] // in scope
	types    []typeParam          // in scope, innermost last
	classes  []enclosing          // around the place, innermost last
	result   int32                // type that the innermost method gives, or None
	hasLocal map[int32]bool       // functions that declare classes
}

// varMark stands before the names of variables: they have a name space of their own beside methods and types (JLS 6.5).
const varMark = "="

// A variable has the expression of its value, unless it is a field, which is looked up by its name.
type variable struct {
	x     int32
	field bool
}

// A typeParam is a type parameter with its bound.
type typeParam struct {
	name string
	x    int32
}

// An enclosing is a class around the place.
type enclosing struct {
	decl      int32
	super     int32 // expression of the superclass, or None
	anonymous int   // how many classes without name it holds so far
}

func parse(t *core.Tree) *lang.Facts {
	t.IndexLines(t.Src)
	j := &walker{Sketch: core.Sketch{Tree: t}, hasLocal: map[int32]bool{}}
	if len(t.Nodes) > 0 {
		j.all(0, lang.File)
	}
	return j.Facts("java")
}

func (j *walker) all(n, scope int32) {
	for c := range j.Children(n) {
		j.visit(c, scope)
	}
}

// block visits the children of a node; what they declare is in sight until its end.
func (j *walker) block(n, scope int32) {
	mark := j.vars.Len()
	j.all(n, scope)
	j.vars.Leave(mark)
}

// declareVar brings a variable into scope.
func (j *walker) declareVar(name string, x int32) {
	if name != "" && name != "_" {
		j.vars.Add(name, variable{x: x})
	}
}

// visit records what a node does in a scope and gives the sketch of its value, or None.
func (j *walker) visit(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch k := j.Kind(n); k {
	case "line_comment", "block_comment", "break_statement", "continue_statement", "module_declaration":
	case "package_declaration":
		j.B.Facts.Package = strings.Clone(j.dotted(j.First(n, "scoped_identifier", "identifier")))
		j.annotations(n, scope)
	case "import_declaration":
		j.importDecl(n)
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "annotation_type_declaration":
		j.class(n, scope)
	case "method_declaration", "constructor_declaration", "compact_constructor_declaration", "annotation_type_element_declaration":
		j.method(n, scope)
	case "field_declaration", "constant_declaration":
		j.fields(n, scope)
	case "enum_constant":
		j.enumConstant(n, scope)
	case "modifiers":
		j.annotations(n, scope)
	case "marker_annotation", "annotation":
		j.annotation(n, scope)
	case "block", "constructor_body", "static_initializer", "switch_block", "for_statement", "switch_rule", "while_statement":
		j.block(n, scope)
	case "catch_clause":
		j.catch(n, scope)
	case "local_variable_declaration":
		j.locals(n, scope)
	case "enhanced_for_statement":
		mark := j.vars.Len()
		x := j.visit(j.Field(n, "value"), scope)
		j.visit(j.First(n, "modifiers"), scope)
		t := j.typ(j.Field(n, "type"), scope)
		v := j.instance(t)
		if t == lang.None { // var
			v = j.B.Of(lang.OpIndex, x, lang.Values)
		}
		j.declareVar(j.Text(j.Field(n, "name")), v)
		j.visit(j.Field(n, "body"), scope)
		j.vars.Leave(mark)
	case "try_with_resources_statement":
		mark := j.vars.Len()
		j.visit(j.Field(n, "resources"), scope)
		j.visit(j.Field(n, "body"), scope)
		j.vars.Leave(mark)
		for c := range j.Children(n) {
			if f := j.FieldName(c); f != "resources" && f != "body" {
				j.visit(c, scope)
			}
		}
	case "resource":
		if j.Field(n, "name") < 0 {
			j.all(n, scope)
			break
		}
		x := j.visit(j.Field(n, "value"), scope)
		if t := j.typ(j.Field(n, "type"), scope); t != lang.None {
			x = j.instance(t)
		}
		j.declareVar(j.Text(j.Field(n, "name")), x)
	case "return_statement":
		x := j.visit(j.Child(n, 0), scope)
		if scope == lang.File {
			break
		}
		if j.Declared(scope).Kind == lang.Lambda {
			j.B.Bind(lang.Return, scope, "", x, j.Line(n))
		} else {
			j.conform(j.result, x, scope, n)
		}
	case "labeled_statement":
		for c := range j.Children(n) {
			if c > n+1 || j.Kind(c) != "identifier" {
				j.visit(c, scope)
			}
		}
	case "expression_statement", "parenthesized_expression":
		x := lang.None
		for c := range j.Children(n) {
			if y := j.visit(c, scope); x == lang.None {
				x = y
			}
		}
		return x
	case "switch_label":
		for c := range j.Children(n) {
			if j.Kind(c) != "identifier" { // constants of an enum, default
				j.visit(c, scope)
			}
		}
	case "type_pattern", "record_pattern_component":
		t := j.typ(j.Child(n, 0), scope)
		if name := j.Child(n, 1); name >= 0 {
			j.declareVar(j.Text(name), j.instance(t))
		}
	case "record_pattern":
		if t := j.Child(n, 0); t >= 0 && j.Kind(t) != "record_pattern_body" {
			j.typ(t, scope)
		}
		j.visit(j.First(n, "record_pattern_body"), scope)
	default:
		return j.expr(n, k, scope)
	}
	return lang.None
}

// dotted gives the text of a qualified name without comments and spaces.
func (j *walker) dotted(n int32) string {
	if j.Is(n, "scoped_identifier") {
		return j.dotted(j.Field(n, "scope")) + "." + j.Text(j.Field(n, "name"))
	}
	return j.Text(n)
}

// importDecl reads an import. What a static import names may be a method, a type or a field, so that it binds both names.
func (j *walker) importDecl(n int32) {
	path := j.First(n, "scoped_identifier", "identifier")
	if path < 0 {
		return
	}
	name := j.dotted(path)
	m := lang.Import{Scope: lang.File, Line: j.Line(n)}
	if j.First(n, "asterisk") >= 0 {
		m.Module, m.Name = strings.Clone(name), "*"
		j.Import(m)
		return
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return // a class of the package without a name: Java allows no import of it
	}
	m.Module, m.Name = strings.Clone(name[:i]), strings.Clone(name[i+1:])
	m.Alias = m.Name
	j.Import(m)
	if strings.Contains(string(j.Before(n, path)), "static") {
		m.Name = varMark + m.Name
		m.Alias = m.Name
		j.Import(m)
	}
}

// locals reads the declaration of local variables.
func (j *walker) locals(n, scope int32) {
	j.visit(j.First(n, "modifiers"), scope)
	t := j.typ(j.Field(n, "type"), scope)
	for c := range j.Of(n, "variable_declarator") {
		name := j.Text(j.Field(c, "name"))
		at := j.vars.Len()
		if t != lang.None {
			v := j.dimensions(t, c)
			j.declareVar(name, j.instance(v)) // in sight of its own initial value: a lambda may call itself
			j.conform(v, j.visit(j.Field(c, "value"), scope), scope, c)
			continue
		}
		x := j.visit(j.Field(c, "value"), scope)
		j.vars.Leave(at)
		j.declareVar(name, x)
	}
}

// conform records that a function is given where a type of one method is wanted.
func (j *walker) conform(t, x, scope, n int32) {
	if t == lang.None || x == lang.None {
		return
	}
	if e := j.B.Facts.Exprs[x]; e.Op == lang.OpAny {
		for _, a := range e.Args {
			j.conform(t, a.X, scope, n)
		}
	} else if e.Op == lang.OpDecl && j.B.Facts.Decls[e.Decl].Kind == lang.Lambda {
		j.B.Facts.Bindings = append(j.B.Facts.Bindings, lang.Binding{Kind: lang.Conform, Scope: scope, Target: t, Value: x, Line: j.Line(n)})
	}
}

func (j *walker) catch(n, scope int32) {
	mark := j.vars.Len()
	if p := j.First(n, "catch_formal_parameter"); p >= 0 {
		var xs []int32
		for c := range j.Children(j.First(p, "catch_type")) {
			xs = append(xs, j.instance(j.typ(c, scope)))
		}
		j.declareVar(j.Text(j.Field(p, "name")), j.B.Any(xs...))
	}
	j.visit(j.Field(n, "body"), scope)
	j.vars.Leave(mark)
}

// annotations visits the annotations among the children of a node.
func (j *walker) annotations(n, scope int32) {
	for c := range j.Of(n, "marker_annotation", "annotation") {
		j.annotation(c, scope)
	}
}

func (j *walker) annotation(n, scope int32) {
	if name := j.Field(n, "name"); name >= 0 && !plainTypes[j.Text(name)] {
		j.typ(name, scope)
	}
	for c := range j.Children(j.Field(n, "arguments")) {
		if j.Kind(c) == "element_value_pair" {
			c = j.Field(c, "value")
		}
		j.visit(c, scope)
	}
}
