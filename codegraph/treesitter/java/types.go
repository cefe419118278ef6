package java

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// instance gives the expression of an instance of a type.
func (j *walker) instance(t int32) int32 {
	if j.Op(t) == lang.OpExternal {
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
		j.annotations(n, scope)
		return j.typ(j.Last(n), scope)
	case "wildcard":
		x := j.External("Object")
		j.annotations(n, scope)
		for _, c := range j.names(n) {
			if !j.Is(c, "super") {
				x = j.typ(c, scope)
			}
		}
		return x
	}
	return lang.None
}

// qualified reads a type a.B.C.D. Leading names in lower case may be a package.
func (j *walker) qualified(n, scope int32) int32 {
	j.annotations(n, scope)
	names := j.names(n)
	if len(names) < 2 {
		return j.typ(core.Nth(names, 0), scope)
	}
	outer, last := names[0], names[len(names)-1]
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
	switch j.Kind(n) {
	case "type_identifier", "identifier":
		if s := j.Text(n); s != "" && !core.Capital(s) {
			return s
		}
	case "scoped_type_identifier", "scoped_identifier", "field_access":
		if pkg, last := j.packageName(j.Child(n, 0)), j.packageName(j.Child(n, 1)); pkg != "" && last != "" {
			return pkg + "." + last
		}
	}
	return ""
}

// generic reads a type with type arguments.
func (j *walker) generic(n, scope int32) int32 {
	base, name := lang.None, ""
	var args []lang.Arg
	j.annotations(n, scope)
	for c := range j.Parts(n) {
		switch j.Kind(c) {
		case "marker_annotation", "annotation":
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
	return j.Apply(base, name, args)
}

// arrayOf gives the type of arrays of a type.
func (j *walker) arrayOf(t int32, depth int) int32 {
	for range min(depth, 8) {
		t = j.Apply(lang.None, lang.Array, core.Args(t))
	}
	return t
}

// depth counts the brackets of dimensions.
func (j *walker) depth(n int32) int { return strings.Count(j.Text(n), "[") }

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
				j.types = append(j.types, typeParam{name: name, x: j.External("'" + name)}) // a bound may mention it
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
