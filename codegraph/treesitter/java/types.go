package java

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// instance gives the expression of an instance of a type.
func (j *walker) instance(t int32) int32 {
	if t == lang.None || j.Op(t) == lang.OpExternal {
		return t
	}
	return j.Instance(t)
}

// home gives the innermost scope around a place where names may be bound that the linker looks up: a class, the file, or a
// function with classes of its own.
func (j *walker) home(scope int32) int32 {
	for scope != lang.File && j.Declared(scope).Kind != lang.Class && !j.hasLocal[scope] {
		scope = j.Declared(scope).Parent
	}
	return scope
}

// typeName gives the expression of a type by its simple name; it makes a reference at node at.
func (j *walker) typeName(at, scope int32, name string) int32 {
	for i := len(j.types) - 1; i >= 0; i-- {
		if j.types[i].name == name {
			return j.types[i].x
		}
	}
	x := j.B.Name(j.home(scope), name)
	if !plainTypes[name] {
		j.Ref(lang.Use, at, scope, x, name)
	}
	return x
}

// typ gives the sketch of a type, None for var; types mentioned in it make references.
func (j *walker) typ(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch j.Kind(n) {
	case "integral_type", "floating_point_type", "boolean_type", "void_type":
		return j.External(j.Text(n))
	case "type_identifier", "identifier":
		name := j.Text(n)
		if name == "var" {
			return lang.None
		}
		return j.typeName(n, scope, name)
	case "scoped_type_identifier", "scoped_identifier", "field_access":
		return j.qualified(n, scope)
	case "generic_type":
		return j.generic(n, scope)
	case "array_type":
		return j.arrayOf(j.typ(j.Field(n, "element"), scope), j.depth(j.Field(n, "dimensions")))
	case "annotated_type":
		x := lang.None
		for c := range j.Children(n) {
			if k := j.Kind(c); k == "marker_annotation" || k == "annotation" {
				j.annotation(c, scope)
			} else {
				x = j.typ(c, scope)
			}
		}
		return x
	case "wildcard":
		x := j.External("Object")
		for c := range j.Children(n) {
			switch j.Kind(c) {
			case "marker_annotation", "annotation":
				j.annotation(c, scope)
			case "super":
			default:
				x = j.typ(c, scope)
			}
		}
		return x
	}
	return lang.None
}

// qualified reads a type a.B.C.D. Leading names in lower case may be a package.
func (j *walker) qualified(n, scope int32) int32 {
	var outer, last int32 = -1, -1
	for c := range j.Children(n) {
		switch j.Kind(c) {
		case "marker_annotation", "annotation":
			j.annotation(c, scope)
		case "line_comment", "block_comment", "type_arguments":
		default:
			if outer < 0 {
				outer = c
			} else {
				last = c
			}
		}
	}
	if last < 0 {
		return j.typ(outer, scope)
	}
	name := j.Text(last)
	var x int32
	if pkg := j.packageName(outer); pkg != "" {
		x = j.B.Of(lang.OpAttr, j.Module(pkg), name)
		if !strings.Contains(pkg, ".") { // or a class whose name begins in lower case
			x = j.B.Any(x, j.B.Of(lang.OpAttr, j.B.Name(j.home(scope), pkg), name))
		}
	} else {
		x = j.B.Of(lang.OpAttr, j.typ(outer, scope), name)
	}
	j.Ref(lang.Use, last, scope, x, name)
	return x
}

// packageName gives the text of a qualified name when it can be that of a package: every part begins in lower case, as
// Java's conventions want it (JLS 6.1).
func (j *walker) packageName(n int32) string {
	if n < 0 {
		return ""
	}
	switch j.Kind(n) {
	case "type_identifier", "identifier":
		if s := j.Text(n); s != "" && !core.Capital(s) {
			return s
		}
	case "scoped_type_identifier", "scoped_identifier", "field_access":
		a, b := j.Child(n, 0), j.Child(n, 1)
		if a < 0 || b < 0 {
			return ""
		}
		if pkg, last := j.packageName(a), j.packageName(b); pkg != "" && last != "" {
			return pkg + "." + last
		}
	}
	return ""
}

// generic reads a type with type arguments.
func (j *walker) generic(n, scope int32) int32 {
	base, name := lang.None, ""
	var args []lang.Arg
	for c := range j.Children(n) {
		switch j.Kind(c) {
		case "marker_annotation", "annotation":
			j.annotation(c, scope)
		case "line_comment", "block_comment":
		case "type_arguments":
			for a := range j.Parts(c) {
				args = append(args, lang.Arg{X: j.typ(a, scope)})
			}
		default:
			base = j.typ(c, scope)
			name = j.Text(c)
			name = name[strings.LastIndexByte(name, '.')+1:]
		}
	}
	return j.apply(base, name, args)
}

func (j *walker) apply(base int32, name string, args []lang.Arg) int32 {
	return j.B.Expr(lang.Expr{Op: lang.OpApply, X: base, Scope: lang.File, Name: strings.Clone(name), Args: args})
}

// arrayOf gives the type of arrays of a type.
func (j *walker) arrayOf(t int32, depth int) int32 {
	for range min(depth, 8) {
		t = j.apply(lang.None, lang.Array, []lang.Arg{{X: t}})
	}
	return t
}

// depth counts the brackets of dimensions.
func (j *walker) depth(n int32) int {
	if n < 0 {
		return 0
	}
	return strings.Count(j.Text(n), "[")
}

// dimensions gives the type of a declarator whose name is followed by brackets.
func (j *walker) dimensions(t, n int32) int32 { return j.arrayOf(t, j.depth(j.Field(n, "dimensions"))) }

// typeParams brings type parameters into scope.
func (j *walker) typeParams(n, scope int32) {
	i := 0
	for p := range j.Of(n, "type_parameter") {
		name, bounds := "", []int32(nil)
		for c := range j.Children(p) {
			switch j.Kind(c) {
			case "type_identifier", "identifier":
				name = j.Text(c)
				j.types = append(j.types, variable{name: name, x: j.External("'" + name)}) // a bound may mention it
			case "type_bound":
				for t := range j.Children(c) {
					bounds = append(bounds, j.typ(t, scope))
				}
			case "marker_annotation", "annotation":
				j.annotation(c, scope)
			}
		}
		x := j.B.Any(bounds...)
		if j.In(scope, lang.Class) && name != "" {
			if x == lang.None {
				x = j.types[len(j.types)-1].x
			}
			x = j.TypeParam(j.B.Decl(scope), i, x)
			i++
		}
		if x != lang.None && name != "" {
			j.types[len(j.types)-1].x = x
		}
	}
}
