package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// expr records what an expression of kind k does and gives the sketch of its value, or None.
func (j *java) expr(n int32, k string, scope int32) int32 {
	switch k {
	case "identifier":
		return j.variable(j.text(n), scope)
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
		for c := range j.children(n) {
			if j.fieldName(c) == "type" {
				xs = append(xs, j.typ(c, scope))
			}
		}
		t := j.b.Any(xs...)
		x := j.visit(j.field(n, "value"), scope)
		j.given(t, x, scope, n)
		return j.instance(t)
	case "instanceof_expression":
		x := j.visit(j.field(n, "left"), scope)
		t := j.typ(j.field(n, "right"), scope)
		if name := j.field(n, "name"); name >= 0 {
			if t == lang.None {
				j.declareVar(j.text(name), x)
			} else {
				j.declareVar(j.text(name), j.instance(t))
			}
		}
		j.visit(j.field(n, "pattern"), scope)
		return j.external("boolean")
	case "array_access":
		x := j.visit(j.field(n, "array"), scope)
		j.visit(j.field(n, "index"), scope)
		return j.b.Of(lang.OpIndex, x, lang.Values)
	case "array_creation_expression":
		t := j.typ(j.field(n, "type"), scope)
		depth := 0
		for c := range j.children(n) {
			switch j.kind(c) {
			case "dimensions", "dimensions_expr":
				depth += max(1, j.depth(c)*b2i(j.kind(c) == "dimensions"))
				j.all(c, scope)
			case "array_initializer":
				j.all(c, scope)
			}
		}
		return j.instance(j.arrayOf(t, depth))
	case "assignment_expression":
		l := j.visit(j.field(n, "left"), scope)
		r := j.visit(j.field(n, "right"), scope)
		if l == lang.None {
			return r
		}
		j.given(l, r, scope, n)
		return l
	case "ternary_expression":
		j.visit(j.field(n, "condition"), scope)
		a := j.visit(j.field(n, "consequence"), scope)
		return j.b.Any(a, j.visit(j.field(n, "alternative"), scope))
	case "switch_expression":
		return j.switchValue(n, scope)
	case "binary_expression":
		return j.binary(n, scope)
	case "unary_expression":
		x := j.visit(j.field(n, "operand"), scope)
		if j.src[j.rec[n].start] == '!' {
			return j.external("boolean")
		}
		return x
	case "update_expression":
		return j.visit(j.child(n, 0), scope)
	case "class_literal":
		j.typ(j.child(n, 0), scope)
		return j.external("Class")
	case "string_literal":
		j.all(n, scope)
		return j.external("String")
	case "character_literal":
		return j.external("char")
	case "true", "false":
		return j.external("boolean")
	case "null_literal":
		return j.external("null")
	case "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal":
		if s := j.text(n); strings.HasSuffix(s, "l") || strings.HasSuffix(s, "L") {
			return j.external("long")
		}
		return j.external("int")
	case "decimal_floating_point_literal", "hex_floating_point_literal":
		if s := j.text(n); strings.HasSuffix(s, "f") || strings.HasSuffix(s, "F") {
			return j.external("float")
		}
		return j.external("double")
	default:
		j.all(n, scope)
	}
	return lang.None
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// this gives the receiver of the innermost class.
func (j *java) this() int32 {
	if len(j.classes) == 0 {
		return lang.None
	}
	k := scopeName{j.classes[len(j.classes)-1].decl, "\x00this"}
	x, ok := j.names[k]
	if !ok {
		x = j.instance(j.b.Decl(k.scope))
		j.names[k] = x
	}
	return x
}

// super gives the receiver, looked at as its superclass.
func (j *java) super() int32 {
	if len(j.classes) == 0 {
		return lang.None
	}
	if s := j.classes[len(j.classes)-1].super; s != lang.None {
		return j.instance(s)
	}
	return j.external("Object")
}

// local looks a variable up by the blocks around it.
func (j *java) local(name string) (javaVar, bool) {
	if i := j.last[name]; i > 0 {
		return j.vars[i-1], true
	}
	return javaVar{}, false
}

func (j *java) variable(name string, scope int32) int32 {
	if v, ok := j.local(name); ok && !v.field {
		return v.x
	}
	return j.name(j.home(scope), javaMark+name)
}

// qualifier visits what stands before a dot. A name there is a variable, a type or a package, in this order (JLS 6.5.2).
func (j *java) qualifier(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch j.kind(n) {
	case "identifier":
		name := j.text(n)
		if v, ok := j.local(name); ok {
			if v.field {
				return j.name(j.home(scope), javaMark+name)
			}
			return v.x
		}
		x := j.name(j.home(scope), name)
		if !upperStart(name) {
			return j.b.Any(j.name(j.home(scope), javaMark+name), x)
		}
		if !javaPlain[name] {
			j.ref(lang.Use, n, scope, x, name)
		}
		return j.b.Any(j.name(j.home(scope), javaMark+name), x)
	case "field_access":
		return j.fieldAccess(n, scope, true)
	}
	return j.visit(n, scope)
}

// fieldAccess reads a.b; as a qualifier it may also be a nested type, or a type of a package.
func (j *java) fieldAccess(n, scope int32, qualifier bool) int32 {
	object, field := j.field(n, "object"), j.field(n, "field")
	if field < 0 {
		return j.visit(object, scope)
	}
	if j.kind(field) == "this" { // Outer.this
		return j.instance(j.typ(object, scope))
	}
	name := j.text(field)
	if pkg := j.packageName(object); pkg != "" && qualifier {
		first, _, _ := strings.Cut(pkg, ".")
		if _, ok := j.local(first); !ok {
			if !upperStart(name) {
				return lang.None // a longer name of a package, or a field of an inherited one
			}
			t := j.b.Of(lang.OpAttr, j.module(pkg), name)
			j.ref(lang.Use, field, scope, t, name)
			return j.b.Any(j.b.Of(lang.OpAttr, j.variables(object, scope), javaMark+name), t)
		}
	}
	x := j.qualifier(object, scope)
	if x == lang.None && j.packageName(object) != "" {
		x = j.variables(object, scope)
	}
	v := j.b.Of(lang.OpAttr, x, javaMark+name)
	if qualifier && upperStart(name) {
		t := j.b.Of(lang.OpAttr, x, name)
		if k := j.kind(object); k == "identifier" || k == "field_access" {
			j.ref(lang.Use, field, scope, t, name)
		}
		return j.b.Any(v, t)
	}
	return v
}

// variables reads a qualified name as a variable and its fields.
func (j *java) variables(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	if j.kind(n) == "field_access" {
		return j.b.Of(lang.OpAttr, j.variables(j.field(n, "object"), scope), javaMark+j.text(j.field(n, "field")))
	}
	return j.variable(j.text(n), scope)
}

// args visits arguments.
func (j *java) args(n, scope int32) []lang.Arg {
	var args []lang.Arg
	for c := range j.children(n) {
		if k := j.kind(c); k != "line_comment" && k != "block_comment" {
			args = append(args, lang.Arg{X: j.visit(c, scope)})
		}
	}
	return args
}

func (j *java) call(n, scope int32) int32 {
	at := j.field(n, "name")
	name := j.text(at)
	object := j.field(n, "object")
	var callee int32
	switch {
	case object < 0:
		callee = j.name(j.home(scope), name)
	case j.first(n, "super") >= 0 && j.kind(object) != "super": // Outer.super.m(), Interface.super.m()
		t := j.typ(object, scope)
		if last := j.text(object); t != lang.None {
			for i := len(j.classes) - 2; i >= 0; i-- {
				if c := j.classes[i]; j.b.Facts.Decls[c.decl].Name == last && c.super != lang.None {
					t = c.super
				}
			}
		}
		callee = j.b.Of(lang.OpAttr, j.instance(t), name)
	default:
		x := j.qualifier(object, scope)
		if x == lang.None && j.kind(object) == "field_access" {
			x = j.variables(object, scope)
		}
		callee = j.b.Of(lang.OpAttr, x, name)
	}
	for t := range j.children(j.field(n, "type_arguments")) {
		j.typ(t, scope)
	}
	x := j.b.Call(callee, j.args(j.field(n, "arguments"), scope))
	j.ref(lang.Call, at, scope, x, name)
	return x
}

// creation reads new T(...), with a body: an anonymous class.
func (j *java) creation(n, scope int32) int32 {
	typ := j.field(n, "type")
	if typ < 0 {
		j.all(n, scope)
		return lang.None
	}
	var t int32
	if first := j.child(n, 0); first >= 0 && j.rec[first].start < j.rec[typ].start && isJavaExpr(j.kind(first)) { // outer.new Inner()
		outer := j.visit(first, scope)
		at := typ
		if j.kind(at) == "generic_type" {
			at = j.child(at, 0)
		}
		t = j.b.Of(lang.OpAttr, outer, j.text(at))
	} else {
		t = j.createdType(typ, scope)
	}
	list := j.field(n, "arguments")
	args := j.args(list, scope)
	at := j.lastName(typ)
	name := j.text(at)
	body := j.first(n, "class_body")
	j.ref(lang.Call, at, scope, j.b.Call(t, args), name)
	if body >= 0 {
		return j.instance(j.b.Decl(j.anonymous(n, body, t, scope, name)))
	}
	return j.instance(t)
}

func isJavaExpr(kind string) bool {
	switch kind {
	case "line_comment", "block_comment", "type_arguments", "marker_annotation", "annotation":
		return false
	}
	return true
}

// createdType reads the type behind new: it is called, so that its last name makes no reference of its own.
func (j *java) createdType(typ, scope int32) int32 {
	refs := len(j.b.Facts.Refs)
	t := j.typ(typ, scope)
	at := j.lastName(typ)
	if at < 0 {
		return t
	}
	line, col := j.place(j.rec[at].start)
	for i := refs; i < len(j.b.Facts.Refs); i++ {
		if r := j.b.Facts.Refs[i]; r.Kind == lang.Use && r.Line == line && r.Col == col {
			j.b.Facts.Refs = append(j.b.Facts.Refs[:i], j.b.Facts.Refs[i+1:]...)
			break
		}
	}
	return t
}

// lastName gives the node of the last name of a type.
func (j *java) lastName(n int32) int32 {
	for n >= 0 {
		switch j.kind(n) {
		case "generic_type", "annotated_type":
			next := int32(-1)
			for c := range j.children(n) {
				if isJavaExpr(j.kind(c)) {
					next = c
				}
			}
			n = next
		case "scoped_type_identifier":
			last := int32(-1)
			for c := range j.children(n) {
				if isJavaExpr(j.kind(c)) {
					last = c
				}
			}
			n = last
		default:
			return n
		}
	}
	return n
}

func (j *java) constructorCall(n, scope int32) {
	j.visit(j.field(n, "object"), scope)
	args := j.args(j.field(n, "arguments"), scope)
	at := j.field(n, "constructor")
	if at < 0 || len(j.classes) == 0 {
		return
	}
	c := j.classes[len(j.classes)-1]
	callee := c.super
	if j.kind(at) == "this" {
		callee = j.b.Decl(c.decl)
	}
	if callee != lang.None {
		j.ref(lang.Call, at, scope, j.b.Call(callee, args), j.text(at))
	}
}

// methodRef reads a::b; it is a mention of the method, and of the class for a::new.
func (j *java) methodRef(n, scope int32) int32 {
	var first, last int32 = -1, -1
	for c := range j.children(n) {
		switch j.kind(c) {
		case "line_comment", "block_comment", "type_arguments":
		default:
			if first < 0 {
				first = c
			} else {
				last = c
			}
		}
	}
	if first < 0 {
		return lang.None
	}
	var x int32
	switch j.kind(first) {
	case "array_type":
		t := j.typ(first, scope)
		r := j.rec[n]
		d := j.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: j.span(r.start, r.end), NameLine: j.line(n),
			Params: []lang.Param{{Type: j.external("int"), Def: lang.None}}})
		j.b.Bind(lang.ReturnType, d, "", t, j.line(n))
		return j.b.Decl(d)
	case "generic_type", "scoped_type_identifier", "type_identifier", "annotated_type":
		x = j.typ(first, scope)
	default:
		x = j.qualifier(first, scope)
	}
	if last >= 0 && j.kind(last) == "identifier" {
		name := j.text(last)
		x = j.b.Of(lang.OpAttr, x, name)
		j.ref(lang.Use, last, scope, x, name)
		return x
	}
	return x
}

// lambda declares a function without name.
func (j *java) lambda(n, scope int32) int32 {
	r := j.rec[n]
	d := j.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: j.span(r.start, r.end), NameLine: j.line(n)})
	mark := len(j.vars)
	var params []lang.Param
	infer := func(c int32) {
		name := j.text(c)
		params = append(params, lang.Param{Name: javaMark + name, Type: lang.None, Def: lang.None})
		j.declareVar(name, j.name(d, javaMark+name))
	}
	if p := j.field(n, "parameters"); p >= 0 {
		switch j.kind(p) {
		case "identifier":
			infer(p)
		case "inferred_parameters":
			for c := range j.children(p) {
				if j.kind(c) == "identifier" {
					infer(c)
				}
			}
		default:
			for c := range j.children(p) {
				q, name, t := j.param(c, d)
				switch {
				case name == "":
					continue
				case t == lang.None: // var
					q.Name = javaMark + name
					j.declareVar(name, j.name(d, q.Name))
				case q.Kind == lang.Rest:
					j.declareVar(name, j.instance(j.arrayOf(t, 1)))
				default:
					j.declareVar(name, j.instance(t))
				}
				params = append(params, q)
			}
		}
	}
	j.b.Facts.Decls[d].Params = params
	if body := j.field(n, "body"); body >= 0 {
		if j.kind(body) == "block" {
			j.visit(body, d)
		} else {
			j.b.Bind(lang.Return, d, "", j.visit(body, d), j.line(n))
		}
	}
	j.leave(mark)
	return j.b.Decl(d)
}

// switchValue reads a switch; its value is one of those behind its arrows.
func (j *java) switchValue(n, scope int32) int32 {
	j.visit(j.field(n, "condition"), scope)
	mark := len(j.vars)
	var xs []int32
	for rule := range j.children(j.field(n, "body")) {
		if j.kind(rule) != "switch_rule" {
			j.visit(rule, scope)
			continue
		}
		inner := len(j.vars)
		for c := range j.children(rule) {
			x := j.visit(c, scope)
			if j.kind(c) == "expression_statement" && len(xs) < 8 {
				xs = append(xs, x)
			}
		}
		j.leave(inner)
	}
	j.leave(mark)
	return j.b.Any(xs...)
}

var javaRank = map[string]int{"byte": 1, "short": 1, "char": 1, "int": 1, "Byte": 1, "Short": 1, "Character": 1, "Integer": 1, "long": 2, "Long": 2,
	"float": 3, "Float": 3, "double": 4, "Double": 4}

var javaPromoted = [...]string{"", "int", "long", "float", "double"}

// binary reads an operator; its type decides among overloads (JLS 4.2, 5.6, 15.18.1).
func (j *java) binary(n, scope int32) int32 {
	l, r := j.field(n, "left"), j.field(n, "right")
	a, b := j.visit(l, scope), j.visit(r, scope)
	if l < 0 || r < 0 {
		return lang.None
	}
	switch op := strings.TrimSpace(string(j.src[j.rec[l].end:j.rec[r].start])); op {
	case "&&", "||", "==", "!=", "<", ">", "<=", ">=":
		return j.external("boolean")
	case "<<", ">>", ">>>":
		return a
	default:
		x, y := j.outsideType(a), j.outsideType(b)
		if op == "+" && (x == "String" || y == "String") {
			return j.external("String")
		}
		if x == "boolean" && y == "boolean" {
			return j.external("boolean")
		}
		if p, q := javaRank[x], javaRank[y]; p > 0 && q > 0 {
			return j.external(javaPromoted[max(p, q)])
		}
	}
	return j.external("")
}

// outsideType gives the name of the type of an expression that is known to be in no repository.
func (j *java) outsideType(x int32) string {
	if x == lang.None {
		return ""
	}
	e := &j.b.Facts.Exprs[x]
	if e.Op == lang.OpInstance {
		e = &j.b.Facts.Exprs[e.X]
	}
	if e.Op == lang.OpExternal || e.Op == lang.OpName && e.Name == "String" {
		return e.Name
	}
	return ""
}
