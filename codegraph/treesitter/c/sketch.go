package c

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A sketch builds the sketches of values and types, and records references. It knows nothing of scopes.
type sketch struct {
	syntax
	altEnd []int32 // by alternative of the preprocessor: the greatest end so far
}

// isExternal tells whether an expression is one of those.
func (w *sketch) isExternal(x int32) bool {
	return w.Op(x) == lang.OpExternal
}

// isNumber tells whether a type of C++ is a number, or a pointer to numbers.
func (w *sketch) isNumber(x int32) bool {
	if !w.cpp || !w.isExternal(x) {
		return false
	}
	_, ok := library.Wider[w.B.Facts.Exprs[x].Name]
	return ok
}

// pointerTo gives the type of a declarator from the type before it: pointers and arrays have no operators but the language's.
func (w *sketch) pointerTo(x int32, v declarator) int32 {
	if x == lang.None || !v.star && !v.array {
		return x
	}
	if w.isExternal(x) {
		return w.External(w.B.Facts.Exprs[x].Name + strings.Repeat("*", min(max(v.stars, 1), 4)))
	}
	if !w.cpp {
		return x
	}
	return w.B.Of(lang.OpPointer, x, "")
}

// constQualified gives the sketch of a type as what may not be changed, where declaration n says so of what the type names.
func (w *sketch) constQualified(n, x int32) int32 {
	if !w.cpp || x == lang.None || !w.isConst(n) {
		return x
	}
	if !w.isExternal(x) {
		return w.B.Of(lang.OpConst, x, "")
	}
	if name := w.B.Facts.Exprs[x].Name; strings.HasSuffix(name, "*") {
		x = w.External(lang.ConstType + name)
	}
	return x
}

// namespaceName gives the sketch of a namespace's name.
func (w *sketch) namespaceName(n, scope int32) int32 {
	x := lang.None
	for i, p := range strings.Split(w.Text(n), "::") {
		if p = strings.TrimSpace(p); p == "" || i > 50 {
			continue
		}
		if x == lang.None {
			x = w.B.Name(scope, p)
		} else {
			x = w.B.Of(lang.OpAttr, x, p)
		}
	}
	return x
}

// owner gives the expression of the class that a qualified name says.
func (w *sketch) owner(n, scope int32) int32 {
	x := lang.None
	first := true
	for w.Kind(n) == "qualified_identifier" {
		sc := w.Field(n, "scope")
		if sc >= 0 {
			if w.Kind(sc) == "template_type" {
				sc = w.Field(sc, "name")
			}
			if first {
				x = w.B.Name(scope, w.Text(sc))
				w.use(sc, scope, x)
			} else {
				x = w.B.Of(lang.OpAttr, x, w.Text(sc))
			}
		}
		first = false
		n = w.Field(n, "name")
	}
	return x
}

// constructs tells whether a type may be a class of the repository.
func (w *sketch) constructs(x int32) bool {
	switch w.Op(x) {
	case lang.OpName, lang.OpAttr, lang.OpElse, lang.OpDecl:
		return true
	}
	return false
}

// mayBeFunction tells whether a value may be one that its target's type does not tell: a function, above all.
func (w *sketch) mayBeFunction(x int32) bool {
	switch w.Op(x) {
	case lang.OpName, lang.OpDecl, lang.OpAny, lang.OpElse:
		return true
	case lang.OpPointer:
		return w.mayBeFunction(w.B.Facts.Exprs[x].X)
	case lang.OpAttr:
		return w.cpp || w.Op(w.B.Facts.Exprs[x].X) == lang.OpName
	}
	return false
}

// isMacroFunction tells whether what looks like a function without a type is a macro that makes one: TEST(a, b) {}.
func (w *sketch) isMacroFunction(name string, fn, scope int32) bool {
	if w.In(scope, lang.Class) {
		return isMacroName(name) && w.Declared(scope).Name != name
	}
	for c := range w.Of(w.Field(fn, "parameters"), "parameter_declaration") {
		if w.Field(c, "declarator") >= 0 {
			return false
		}
	}
	return isMacroName(name)
}

// ownerOf gives the function whose variable a name is: for one that a lambda takes, the function around it.
func (w *sketch) ownerOf(name string, scope int32) int32 {
	for s := scope; s != lang.File; s = w.Declared(s).Parent {
		d := w.Declared(s)
		for i := range d.Params {
			if d.Params[i].Name == name {
				return s
			}
		}
		if d.Kind == lang.Function {
			return s
		}
	}
	return scope
}

// conditional tells whether an offset stands under a condition of the preprocessor.
func (w *sketch) conditional(at int32) lang.DeclFlag {
	i, ok := slices.BinarySearchFunc(w.s.conditional, at, func(r byteRange, at int32) int { return cmp.Compare(r.start, at) })
	if !ok {
		i--
	}
	if i >= 0 && w.altEnd[i] > at {
		return lang.Conditional
	}
	return 0
}

// use adds a mention.
func (w *sketch) use(at, scope, x int32) { w.Ref(lang.Use, at, scope, x, w.B.LastName(x)) }

// bindUnknown binds a name to something unknown, so that it is not looked for outside.
func (w *sketch) bindUnknown(name string, scope, line int32) {
	w.B.Bind(lang.Assign, scope, name, w.Unknown(), line)
}
