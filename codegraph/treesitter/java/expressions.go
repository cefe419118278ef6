package java

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// expr records what an expression of kind k does and gives the sketch of its value, or None.
func (j *walker) expr(n int32, k string, scope int32) int32 {
	switch k {
	case "identifier":
		return j.variable(j.Text(n), scope)
	case "this":
		return j.this()
	case "super":
		return j.super()
	case "field_access":
		return j.fieldAccess(n, scope, false)
	case "method_invocation":
		return j.call(n, scope)
	case "object_creation_expression":
		return j.creation(n, scope)
	case "explicit_constructor_invocation":
		j.constructorCall(n, scope)
	case "method_reference":
		return j.methodRef(n, scope)
	case "lambda_expression":
		return j.lambda(n, scope)
	case "cast_expression":
		var xs []int32
		for c := range j.Children(n) {
			if j.FieldName(c) == "type" {
				xs = append(xs, j.typ(c, scope))
			}
		}
		t := j.B.Any(xs...)
		x := j.visit(j.Field(n, "value"), scope)
		j.conform(t, x, scope, n)
		return j.instance(t)
	case "instanceof_expression":
		j.visit(j.Field(n, "left"), scope)
		t := j.typ(j.Field(n, "right"), scope)
		if name := j.Field(n, "name"); name >= 0 {
			j.declareVar(j.Text(name), j.instance(t))
		}
		j.visit(j.Field(n, "pattern"), scope)
		return j.External("boolean")
	case "array_access":
		x := j.visit(j.Field(n, "array"), scope)
		j.visit(j.Field(n, "index"), scope)
		return j.B.Of(lang.OpIndex, x, lang.Values)
	case "array_creation_expression":
		t := j.typ(j.Field(n, "type"), scope)
		depth := 0
		for c := range j.Of(n, "dimensions", "dimensions_expr", "array_initializer") {
			switch j.Kind(c) {
			case "dimensions":
				depth += j.depth(c)
			case "dimensions_expr":
				depth++
			}
			j.all(c, scope)
		}
		return j.instance(j.arrayOf(t, depth))
	case "assignment_expression":
		l := j.visit(j.Field(n, "left"), scope)
		r := j.visit(j.Field(n, "right"), scope)
		j.conform(l, r, scope, n)
		if l == lang.None {
			return r
		}
		return l
	case "ternary_expression":
		j.visit(j.Field(n, "condition"), scope)
		a := j.visit(j.Field(n, "consequence"), scope)
		return j.B.Any(a, j.visit(j.Field(n, "alternative"), scope))
	case "switch_expression":
		return j.switchValue(n, scope)
	case "binary_expression":
		return j.binary(n, scope)
	case "unary_expression":
		x := j.visit(j.Field(n, "operand"), scope)
		if j.Src[j.Start(n)] == '!' {
			return j.External("boolean")
		}
		return x
	case "update_expression":
		return j.visit(j.Child(n, 0), scope)
	case "class_literal":
		j.typ(j.Child(n, 0), scope)
		return j.External("Class")
	case "string_literal":
		j.all(n, scope)
		return j.External("String")
	case "character_literal":
		return j.External("char")
	case "true", "false":
		return j.External("boolean")
	case "null_literal":
		return j.External("null")
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal":
		if s := j.Text(n); strings.HasSuffix(s, "l") || strings.HasSuffix(s, "L") {
			return j.External("long")
		}
		return j.External("int")
	case "decimal_floating_point_literal", "hex_floating_point_literal":
		if s := j.Text(n); strings.HasSuffix(s, "f") || strings.HasSuffix(s, "F") {
			return j.External("float")
		}
		return j.External("double")
	default:
		j.all(n, scope)
	}
	return lang.None
}

// this gives the receiver of the innermost class.
func (j *walker) this() int32 {
	if len(j.classes) == 0 {
		return lang.None
	}
	return j.instance(j.B.Decl(j.classes[len(j.classes)-1].decl))
}

// super gives the receiver, looked at as its superclass.
func (j *walker) super() int32 {
	if len(j.classes) == 0 {
		return lang.None
	}
	if s := j.classes[len(j.classes)-1].super; s != lang.None {
		return j.instance(s)
	}
	return j.External("Object")
}

func (j *walker) variable(name string, scope int32) int32 {
	if v := j.vars.Find(name); v != nil && !v.field {
		return v.x
	}
	return j.B.Name(j.home(scope), varMark+name)
}

// qualifier visits what stands before a dot. A name there is a variable, a type or a package, in this order (JLS 6.5.2).
func (j *walker) qualifier(n, scope int32) int32 {
	switch j.Kind(n) {
	case "identifier":
		name := j.Text(n)
		if j.vars.Find(name) != nil {
			return j.variable(name, scope)
		}
		x := j.B.Name(j.home(scope), name)
		if core.Capital(name) && !plainTypes[name] {
			j.Ref(lang.Use, n, scope, x, name)
		}
		return j.B.Any(j.B.Name(j.home(scope), varMark+name), x)
	case "field_access":
		return j.fieldAccess(n, scope, true)
	}
	return j.visit(n, scope)
}

// fieldAccess reads a.b; as a qualifier it may also be a nested type, or a type of a package.
func (j *walker) fieldAccess(n, scope int32, qualifier bool) int32 {
	object, field := j.Field(n, "object"), j.Field(n, "field")
	if field < 0 {
		return j.visit(object, scope)
	}
	if j.Kind(field) == "this" { // Outer.this
		return j.instance(j.typ(object, scope))
	}
	name := j.Text(field)
	if pkg := j.packageName(object); pkg != "" && qualifier {
		first, _, _ := strings.Cut(pkg, ".")
		if j.vars.Find(first) == nil {
			if !core.Capital(name) {
				return lang.None // a longer name of a package, or a field of an inherited one
			}
			t := j.B.Of(lang.OpAttr, j.Module(pkg), name)
			j.Ref(lang.Use, field, scope, t, name)
			return j.B.Any(j.B.Of(lang.OpAttr, j.variables(object, scope), varMark+name), t)
		}
	}
	x := j.qualifier(object, scope)
	if x == lang.None && j.packageName(object) != "" {
		x = j.variables(object, scope)
	}
	v := j.B.Of(lang.OpAttr, x, varMark+name)
	if qualifier && core.Capital(name) {
		t := j.B.Of(lang.OpAttr, x, name)
		if k := j.Kind(object); k == "identifier" || k == "field_access" {
			j.Ref(lang.Use, field, scope, t, name)
		}
		return j.B.Any(v, t)
	}
	return v
}

// variables reads a qualified name as a variable and its fields.
func (j *walker) variables(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	if j.Is(n, "field_access") {
		return j.B.Of(lang.OpAttr, j.variables(j.Field(n, "object"), scope), varMark+j.Text(j.Field(n, "field")))
	}
	return j.variable(j.Text(n), scope)
}

// args visits arguments.
func (j *walker) args(n, scope int32) []lang.Arg {
	var args []lang.Arg
	for c := range j.Parts(n) {
		args = append(args, lang.Arg{X: j.visit(c, scope)})
	}
	return args
}

func (j *walker) call(n, scope int32) int32 {
	at := j.Field(n, "name")
	name := j.Text(at)
	object := j.Field(n, "object")
	var callee int32
	switch {
	case object < 0:
		callee = j.B.Name(j.home(scope), name)
	case j.First(n, "super") >= 0 && j.Kind(object) != "super": // Outer.super.m(), Interface.super.m()
		t := j.typ(object, scope)
		if last := j.Text(object); t != lang.None {
			for i := len(j.classes) - 2; i >= 0; i-- {
				if c := j.classes[i]; j.B.Facts.Decls[c.decl].Name == last && c.super != lang.None {
					t = c.super
				}
			}
		}
		callee = j.B.Of(lang.OpAttr, j.instance(t), name)
	default:
		x := j.qualifier(object, scope)
		if x == lang.None && j.Kind(object) == "field_access" {
			x = j.variables(object, scope)
		}
		callee = j.B.Of(lang.OpAttr, x, name)
	}
	for t := range j.Children(j.Field(n, "type_arguments")) {
		j.typ(t, scope)
	}
	x := j.B.Call(callee, j.args(j.Field(n, "arguments"), scope))
	j.Ref(lang.Call, at, scope, x, name)
	return x
}

// creation reads new T(...), with a body: an anonymous class.
func (j *walker) creation(n, scope int32) int32 {
	typ := j.Field(n, "type")
	if typ < 0 {
		j.all(n, scope)
		return lang.None
	}
	var t int32
	if first := j.Child(n, 0); first >= 0 && j.Start(first) < j.Start(typ) && !j.Is(first, "line_comment", "block_comment", "type_arguments", "marker_annotation", "annotation") { // outer.new Inner()
		outer := j.visit(first, scope)
		at := typ
		if j.Kind(at) == "generic_type" {
			at = j.Child(at, 0)
		}
		t = j.B.Of(lang.OpAttr, outer, j.Text(at))
	} else {
		t = j.createdType(typ, scope)
	}
	list := j.Field(n, "arguments")
	args := j.args(list, scope)
	at := j.lastName(typ)
	name := j.Text(at)
	body := j.First(n, "class_body")
	j.Ref(lang.Call, at, scope, j.B.Call(t, args), name)
	if body >= 0 {
		return j.instance(j.B.Decl(j.anonymous(n, body, t, scope, name)))
	}
	return j.instance(t)
}

// createdType reads the type behind new: it is called, so that its last name makes no reference of its own.
func (j *walker) createdType(typ, scope int32) int32 {
	refs := len(j.B.Facts.Refs)
	t := j.typ(typ, scope)
	at := j.lastName(typ)
	if at < 0 {
		return t
	}
	line, col := j.Place(j.Start(at))
	for i := refs; i < len(j.B.Facts.Refs); i++ {
		if r := j.B.Facts.Refs[i]; r.Kind == lang.Use && r.Line == line && r.Col == col {
			j.B.Facts.Refs = append(j.B.Facts.Refs[:i], j.B.Facts.Refs[i+1:]...)
			break
		}
	}
	return t
}

// names gives the parts of a type or a method reference but for its type arguments and annotations.
func (j *walker) names(n int32) []int32 {
	var out []int32
	for c := range j.Parts(n) {
		if !j.Is(c, "type_arguments", "marker_annotation", "annotation") {
			out = append(out, c)
		}
	}
	return out
}

// lastName gives the node of the last name of a type.
func (j *walker) lastName(n int32) int32 {
	for j.Is(n, "generic_type", "annotated_type", "scoped_type_identifier") {
		names := j.names(n)
		if len(names) == 0 {
			return -1
		}
		n = names[len(names)-1]
	}
	return n
}

func (j *walker) constructorCall(n, scope int32) {
	j.visit(j.Field(n, "object"), scope)
	args := j.args(j.Field(n, "arguments"), scope)
	at := j.Field(n, "constructor")
	if at < 0 || len(j.classes) == 0 {
		return
	}
	c := j.classes[len(j.classes)-1]
	callee := c.super
	if j.Kind(at) == "this" {
		callee = j.B.Decl(c.decl)
	}
	if callee != lang.None {
		j.Ref(lang.Call, at, scope, j.B.Call(callee, args), j.Text(at))
	}
}

// methodRef reads a::b; it is a mention of the method, and of the class for a::new.
func (j *walker) methodRef(n, scope int32) int32 {
	names := j.names(n)
	if len(names) == 0 {
		return lang.None
	}
	first, last := names[0], names[len(names)-1]
	var x int32
	switch j.Kind(first) {
	case "array_type":
		t := j.typ(first, scope)
		r := j.Nodes[n]
		d := j.B.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: j.Span(r.Start, r.End), NameLine: j.Line(n),
			Params: []lang.Param{{Type: j.External("int"), Def: lang.None}}})
		j.B.Bind(lang.ReturnType, d, "", t, j.Line(n))
		return j.B.Decl(d)
	case "generic_type", "scoped_type_identifier", "type_identifier", "annotated_type":
		x = j.typ(first, scope)
	default:
		x = j.qualifier(first, scope)
	}
	if last != first && j.Kind(last) == "identifier" {
		name := j.Text(last)
		x = j.B.Of(lang.OpAttr, x, name)
		j.Ref(lang.Use, last, scope, x, name)
	}
	return x
}

// lambda declares a function without name.
func (j *walker) lambda(n, scope int32) int32 {
	r := j.Nodes[n]
	d := j.B.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: j.Span(r.Start, r.End), NameLine: j.Line(n)})
	mark := j.vars.Len()
	var params []lang.Param
	infer := func(c int32) {
		name := j.Text(c)
		params = append(params, lang.Param{Name: varMark + name, Type: lang.None, Def: lang.None})
		j.declareVar(name, j.B.Name(d, varMark+name))
	}
	switch p := j.Field(n, "parameters"); j.Kind(p) {
	case "identifier":
		infer(p)
	case "inferred_parameters":
		for c := range j.Of(p, "identifier") {
			infer(c)
		}
	default:
		for c := range j.Children(p) {
			q, name, t := j.param(c, d)
			if name == "" {
				continue
			}
			x := j.instance(t)
			if t == lang.None { // var
				q.Name = varMark + name
				x = j.B.Name(d, q.Name)
			}
			j.declareVar(name, x)
			params = append(params, q)
		}
	}
	j.Declared(d).Params = params
	if body := j.Field(n, "body"); body >= 0 {
		if j.Kind(body) == "block" {
			j.visit(body, d)
		} else {
			j.B.Bind(lang.Return, d, "", j.visit(body, d), j.Line(n))
		}
	}
	j.vars.Leave(mark)
	return j.B.Decl(d)
}

// switchValue reads a switch; its value is one of those behind its arrows.
func (j *walker) switchValue(n, scope int32) int32 {
	j.visit(j.Field(n, "condition"), scope)
	mark := j.vars.Len()
	var xs []int32
	for rule := range j.Children(j.Field(n, "body")) {
		if j.Kind(rule) != "switch_rule" {
			j.visit(rule, scope)
			continue
		}
		inner := j.vars.Len()
		for c := range j.Children(rule) {
			x := j.visit(c, scope)
			if j.Kind(c) == "expression_statement" && len(xs) < 8 {
				xs = append(xs, x)
			}
		}
		j.vars.Leave(inner)
	}
	j.vars.Leave(mark)
	return j.B.Any(xs...)
}

var numericRank = map[string]int{"byte": 1, "short": 1, "char": 1, "int": 1, "Byte": 1, "Short": 1, "Character": 1, "Integer": 1, "long": 2, "Long": 2,
	"float": 3, "Float": 3, "double": 4, "Double": 4}

var promoted = [...]string{"", "int", "long", "float", "double"}

// binary reads an operator; its type decides among overloads (JLS 4.2, 5.6, 15.18.1).
func (j *walker) binary(n, scope int32) int32 {
	l, r := j.Field(n, "left"), j.Field(n, "right")
	a, b := j.visit(l, scope), j.visit(r, scope)
	switch op := j.Between(l, r); op {
	case "":
		return lang.None
	case "&&", "||", "==", "!=", "<", ">", "<=", ">=":
		return j.External("boolean")
	case "<<", ">>", ">>>":
		return a
	default:
		x, y := j.outsideType(a), j.outsideType(b)
		if op == "+" && (x == "String" || y == "String") {
			return j.External("String")
		}
		if x == "boolean" && y == "boolean" {
			return j.External("boolean")
		}
		if p, q := numericRank[x], numericRank[y]; p > 0 && q > 0 {
			return j.External(promoted[max(p, q)])
		}
	}
	return j.External("")
}

// outsideType gives the name of the type of an expression that is known to be in no repository.
func (j *walker) outsideType(x int32) string {
	if j.Op(x) == lang.OpInstance {
		x = j.B.Facts.Exprs[x].X
	}
	if op := j.Op(x); op == lang.OpExternal || op == lang.OpName && j.B.Facts.Exprs[x].Name == "String" {
		return j.B.Facts.Exprs[x].Name
	}
	return ""
}
