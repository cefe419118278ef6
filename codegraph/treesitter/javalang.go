package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A java walks one tree of Java. Local variables and type parameters are looked up here, by the blocks they are declared
// in; all other names are left to the linker.
type java struct {
	*tree
	b        lang.Builder
	vars     []javaVar           // variables in sight, innermost last
	last     map[string]int      // by name: one more than the index of the innermost of vars, or 0
	types    []javaVar           // type parameters in sight, with their bounds
	classes  []javaClass         // around the place, innermost last
	result   int32               // type that the innermost method gives, or None
	outside  map[string]int32    // expressions of types that are not in any repository
	names    map[scopeName]int32 // expressions of names
	instOf   map[int32]int32     // expressions of instances, by that of their type
	hasLocal map[int32]bool      // functions that declare classes
}

// javaMark stands before the names of variables: they have a name space of their own beside methods and types (JLS 6.5).
const javaMark = "="

type scopeName struct {
	scope int32
	name  string
}

// A javaVar is a variable with the expression of its value. One that is a field is looked up by its name.
type javaVar struct {
	name   string
	x      int32
	field  bool
	hidden int // one more than the index of the variable of the same name that it hides, or 0
}

// A javaClass is a class around the place.
type javaClass struct {
	decl      int32
	super     int32 // expression of the superclass, or None
	anonymous int   // how many classes without name it holds so far
}

func parseJava(t *tree) *lang.Facts {
	t.index()
	j := &java{tree: t, last: map[string]int{}, outside: map[string]int32{}, names: map[scopeName]int32{}, instOf: map[int32]int32{}, hasLocal: map[int32]bool{}}
	if len(t.rec) > 0 {
		j.all(0, lang.File)
	}
	j.b.Facts.Lang, j.b.Facts.Lines, j.b.Facts.Errors = "java", t.lineCount(), t.errors
	return &j.b.Facts
}

func (j *java) all(n, scope int32) {
	for c := range j.children(n) {
		j.visit(c, scope)
	}
}

func (j *java) line(n int32) int32 {
	l, _ := j.place(j.rec[n].start)
	return l
}

// block visits the children of a node; what they declare is in sight until its end.
func (j *java) block(n, scope int32) {
	mark := len(j.vars)
	j.all(n, scope)
	j.leave(mark)
}

// declareVar brings a variable into sight.
func (j *java) declareVar(name string, x int32) {
	if name != "" && name != "_" {
		j.enter(javaVar{name: strings.Clone(name), x: x})
	}
}

func (j *java) enter(v javaVar) {
	v.hidden = j.last[v.name]
	j.vars = append(j.vars, v)
	j.last[v.name] = len(j.vars)
}

// leave takes all variables but the first n out of sight.
func (j *java) leave(n int) {
	for i := len(j.vars) - 1; i >= n; i-- {
		j.last[j.vars[i].name] = j.vars[i].hidden
	}
	j.vars = j.vars[:n]
}

// visit records what a node does in a scope and gives the sketch of its value, or None.
func (j *java) visit(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch k := j.kind(n); k {
	case "line_comment", "block_comment", "break_statement", "continue_statement", "module_declaration":
	case "package_declaration":
		j.b.Facts.Package = strings.Clone(j.dotted(j.first(n, "scoped_identifier", "identifier")))
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
	case "block", "constructor_body", "static_initializer", "switch_block", "for_statement", "catch_clause", "switch_rule", "while_statement":
		if k == "catch_clause" {
			j.catch(n, scope)
			break
		}
		j.block(n, scope)
	case "local_variable_declaration":
		j.locals(n, scope)
	case "enhanced_for_statement":
		mark := len(j.vars)
		x := j.visit(j.field(n, "value"), scope)
		j.visit(j.first(n, "modifiers"), scope)
		t := j.typ(j.field(n, "type"), scope)
		v := j.instance(t)
		if t == lang.None { // var
			v = j.b.Of(lang.OpIndex, x, lang.Values)
		}
		j.declareVar(j.text(j.field(n, "name")), v)
		j.visit(j.field(n, "body"), scope)
		j.leave(mark)
	case "try_with_resources_statement":
		mark := len(j.vars)
		j.visit(j.field(n, "resources"), scope)
		j.visit(j.field(n, "body"), scope)
		j.leave(mark)
		for c := range j.children(n) {
			if f := j.fieldName(c); f != "resources" && f != "body" {
				j.visit(c, scope)
			}
		}
	case "resource":
		if j.field(n, "name") < 0 {
			j.all(n, scope)
			break
		}
		x := j.visit(j.field(n, "value"), scope)
		t := j.typ(j.field(n, "type"), scope)
		if t != lang.None {
			x = j.instance(t)
		}
		j.declareVar(j.text(j.field(n, "name")), x)
	case "return_statement":
		x := j.visit(j.child(n, 0), scope)
		if scope == lang.File {
			break
		}
		if j.b.Facts.Decls[scope].Kind == lang.Lambda {
			j.b.Bind(lang.Return, scope, "", x, j.line(n))
		} else {
			j.given(j.result, x, scope, n)
		}
	case "labeled_statement":
		first := true
		for c := range j.children(n) {
			if !first || j.kind(c) != "identifier" {
				j.visit(c, scope)
			}
			first = false
		}
	case "expression_statement", "parenthesized_expression":
		x := lang.None
		for c := range j.children(n) {
			if y := j.visit(c, scope); x == lang.None {
				x = y
			}
		}
		return x
	case "switch_label":
		for c := range j.children(n) {
			if j.kind(c) != "identifier" { // constants of an enum, default
				j.visit(c, scope)
			}
		}
	case "type_pattern", "record_pattern_component":
		t := j.typ(j.child(n, 0), scope)
		name := j.child(n, 1)
		if name >= 0 {
			j.declareVar(j.text(name), j.instance(t))
		}
	case "record_pattern":
		if t := j.child(n, 0); t >= 0 && j.kind(t) != "record_pattern_body" {
			j.typ(t, scope)
		}
		j.visit(j.first(n, "record_pattern_body"), scope)
	default:
		return j.expr(n, k, scope)
	}
	return lang.None
}

// dotted gives the text of a qualified name without comments and spaces.
func (j *java) dotted(n int32) string {
	if n < 0 {
		return ""
	}
	if j.kind(n) == "scoped_identifier" {
		return j.dotted(j.field(n, "scope")) + "." + j.text(j.field(n, "name"))
	}
	return j.text(n)
}

// importDecl reads an import. What a static import names may be a method, a type or a field, so that it binds both names.
func (j *java) importDecl(n int32) {
	path := j.first(n, "scoped_identifier", "identifier")
	if path < 0 {
		return
	}
	name := j.dotted(path)
	m := lang.Import{Scope: lang.File, Line: j.line(n)}
	if j.first(n, "asterisk") >= 0 {
		m.Module, m.Name = strings.Clone(name), "*"
		j.b.Facts.Imports = append(j.b.Facts.Imports, m)
		return
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return // a class of the package without a name: Java allows no import of it
	}
	m.Module, m.Name = strings.Clone(name[:i]), strings.Clone(name[i+1:])
	m.Alias = m.Name
	j.b.Facts.Imports = append(j.b.Facts.Imports, m)
	if strings.Contains(string(j.before(n, path)), "static") {
		m.Name = javaMark + m.Name
		m.Alias = m.Name
		j.b.Facts.Imports = append(j.b.Facts.Imports, m)
	}
}

// locals reads the declaration of local variables.
func (j *java) locals(n, scope int32) {
	j.visit(j.first(n, "modifiers"), scope)
	t := j.typ(j.field(n, "type"), scope)
	for c := range j.children(n) {
		if j.kind(c) != "variable_declarator" {
			continue
		}
		name := j.text(j.field(c, "name"))
		at := len(j.vars)
		if t != lang.None {
			v := j.dimensions(t, c)
			j.declareVar(name, j.instance(v)) // in sight of its own initial value: a lambda may call itself
			j.given(v, j.visit(j.field(c, "value"), scope), scope, c)
			continue
		}
		x := j.visit(j.field(c, "value"), scope)
		j.leave(at)
		j.declareVar(name, x)
	}
}

// given records that a function is given where a type of one method is wanted.
func (j *java) given(t, x, scope, n int32) {
	if t == lang.None || x == lang.None {
		return
	}
	if e := j.b.Facts.Exprs[x]; e.Op == lang.OpAny {
		for _, a := range e.Args {
			j.given(t, a.X, scope, n)
		}
	} else if e.Op == lang.OpDecl && j.b.Facts.Decls[e.Decl].Kind == lang.Lambda {
		j.b.Facts.Bindings = append(j.b.Facts.Bindings, lang.Binding{Kind: lang.Conform, Scope: scope, Target: t, Value: x, Line: j.line(n)})
	}
}

func (j *java) catch(n, scope int32) {
	mark := len(j.vars)
	if p := j.first(n, "catch_formal_parameter"); p >= 0 {
		var xs []int32
		for c := range j.children(j.first(p, "catch_type")) {
			xs = append(xs, j.instance(j.typ(c, scope)))
		}
		j.declareVar(j.text(j.field(p, "name")), j.b.Any(xs...))
	}
	j.visit(j.field(n, "body"), scope)
	j.leave(mark)
}

// annotations visits the annotations among the children of a node.
func (j *java) annotations(n, scope int32) {
	for c := range j.children(n) {
		if k := j.kind(c); k == "marker_annotation" || k == "annotation" {
			j.annotation(c, scope)
		}
	}
}

func (j *java) annotation(n, scope int32) {
	if name := j.field(n, "name"); name >= 0 && !javaPlain[j.text(name)] {
		j.typ(name, scope)
	}
	for c := range j.children(j.field(n, "arguments")) {
		if j.kind(c) == "element_value_pair" {
			c = j.field(c, "value")
		}
		j.visit(c, scope)
	}
}

// ref adds a reference at a node.
func (j *java) ref(kind lang.RefKind, at, scope, x int32, name string) {
	if at < 0 || x == lang.None {
		return
	}
	s := j.span(j.rec[at].start, j.rec[at].end)
	j.b.Facts.Refs = append(j.b.Facts.Refs, lang.Ref{Kind: kind, Scope: scope, X: x, Decl: lang.None, Name: strings.Clone(name),
		Line: s.Line, Col: s.Col, EndLine: s.EndLine, EndCol: s.EndCol})
}
