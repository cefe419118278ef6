package c

import (
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// typ gives the sketch of a type: the class whose instance is meant, or a container. Pointers and references are what
// they point to. It mentions the classes it names, and declares those that are written out.
func (w *walker) typ(n, scope int32) int32 { return w.typeWithHint(n, scope, "") }

func (w *walker) typeWithHint(n, scope int32, hint string) int32 {
	if n < 0 || w.depth > 300 {
		return lang.None
	}
	w.depth++
	defer func() { w.depth-- }()
	switch w.Kind(n) {
	case "primitive_type", "sized_type_specifier":
		return w.External(canonicalType(w.Text(n)))
	case "type_identifier", "namespace_identifier", "identifier", "statement_identifier", "field_identifier":
		name := w.Text(n)
		if name == "auto" || name == "" {
			return lang.None
		}
		in := scope
		if !w.cpp {
			in = lang.File // members and variables do not hide tags
		}
		x := w.B.Name(in, name)
		if templates[name] == 0 {
			w.use(n, scope, x)
		}
		return x
	case "qualified_identifier":
		x := w.name(n, scope)
		if op := w.Op(x); op == lang.OpName || op == lang.OpAttr {
			w.use(n, scope, x)
		}
		return x
	case "template_type":
		return w.generic(n, w.typ(w.Field(n, "name"), scope), scope)
	case "struct_specifier", "class_specifier", "union_specifier", "enum_specifier":
		if w.Field(n, "body") >= 0 {
			return w.class(n, n, scope, hint)
		}
		return w.typ(w.Field(n, "name"), scope)
	case "type_descriptor":
		x := w.typ(w.Field(n, "type"), scope)
		if d := w.Field(n, "declarator"); d >= 0 {
			w.signature(d, scope)
			v := w.declarator(d)
			if v.fn >= 0 || v.call {
				return lang.None
			}
			x = w.constQualified(n, w.pointerTo(x, v))
		}
		return x
	case "dependent_type", "parameter_pack_expansion", "template_argument_list":
		return w.typ(w.Child(n, 0), scope)
	case "decltype":
		if w.Next(n) > n+1 {
			return w.visit(n+1, scope)
		}
	case "macro_type_specifier":
		return w.typ(w.Field(n, "type"), scope)
	}
	return lang.None
}

// What a template of the standard library holds.
const (
	holdsOne = 1 + iota // elements of its first argument
	holdsPairs
	isPair
	isTuple
	isEither
	isFunction
)

// templates are the templates of the standard library, and of some well-known ones, by what they hold.
var templates = core.Kinds(map[int]string{
	holdsOne: `unique_ptr shared_ptr weak_ptr optional atomic reference_wrapper auto_ptr scoped_refptr scoped_ptr intrusive_ptr ComPtr not_null
vector list deque set unordered_set multiset unordered_multiset array span queue stack priority_queue forward_list initializer_list
valarray future shared_future promise flat_set flat_hash_set InlinedVector inlined_vector small_vector SmallVector ArrayRef expected`,
	holdsPairs: "map unordered_map multimap unordered_multimap flat_map flat_hash_map btree_map node_hash_map DenseMap",
	isPair:     "pair",
	isTuple:    "tuple",
	isEither:   "variant",
	isFunction: "function move_only_function function_ref",
})

// generic gives a type with arguments. A template of this repository comes before one of the same name outside.
func (w *walker) generic(n, base, scope int32) int32 {
	name := w.lastName(n)
	var args []int32
	for c := range w.Children(w.Field(n, "arguments")) {
		switch w.Kind(c) {
		case "type_descriptor", "parameter_pack_expansion":
			args = append(args, w.typ(c, scope))
		default:
			w.visit(c, scope)
			args = append(args, lang.None)
		}
	}
	kind := templates[name]
	if kind == 0 {
		return base
	}
	inst := func(i int) int32 { return w.Instance(core.Nth(args, i)) }
	box := lang.None
	switch kind {
	case holdsOne:
		if x := inst(0); x != lang.None {
			box = w.List(lang.OpDict, x)
		}
	case isPair:
		box = w.B.Many(lang.OpDict, []lang.Arg{{Name: "first", X: inst(0)}, {Name: "second", X: inst(1)}})
	case holdsPairs:
		pair := w.B.Many(lang.OpDict, []lang.Arg{{Name: "first", X: inst(0)}, {Name: "second", X: inst(1)}})
		box = w.List(lang.OpDict, w.B.Any(inst(1), pair))
	case isTuple:
		box = w.List(lang.OpList, core.Map(slices.Values(args), w.Instance)...)
	case isEither:
		box = w.List(lang.OpDict, w.B.Any(core.Map(slices.Values(args), w.Instance)...))
	case isFunction:
		return lang.None // which function, the values say
	}
	if box == lang.None {
		return base
	}
	if base == lang.None {
		return box
	}
	return w.Else(base, box)
}

// name gives the sketch of a name, qualified or not. It makes no mention.
func (w *walker) name(n, scope int32) int32 {
	x, first := lang.None, true
	for w.Kind(n) == "qualified_identifier" {
		if sc := w.Field(n, "scope"); sc >= 0 {
			part := sc
			if w.Kind(sc) == "template_type" {
				part = w.Field(sc, "name")
				for c := range w.Children(w.Field(sc, "arguments")) {
					w.typ(c, scope)
				}
			}
			switch {
			case w.Kind(sc) == "decltype" || w.Kind(sc) == "dependent_name":
				x = w.Unknown()
			case first:
				x = w.qualifier(w.Text(part), scope)
			default:
				x = w.B.Of(lang.OpAttr, x, w.Text(part))
			}
			if first && w.Kind(sc) == "template_type" {
				w.use(part, scope, x)
			}
			first = false
		} else if first {
			scope, first = lang.File, false // ::name
			next := w.Field(n, "name")
			if next >= 0 && w.Kind(next) != "qualified_identifier" {
				return w.B.Name(lang.File, w.lastName(next))
			}
			if next >= 0 {
				n = next
				first = true
				continue
			}
		}
		n = w.Field(n, "name")
	}
	last := w.lastName(n)
	if last == "" {
		return lang.None
	}
	switch w.Kind(n) {
	case "template_type", "template_function", "template_method":
		if x != lang.None {
			x = w.B.Of(lang.OpAttr, x, last)
		} else {
			x = w.B.Name(scope, last)
		}
		if w.Kind(n) == "template_type" {
			return w.generic(n, x, scope)
		}
		for c := range w.Children(w.Field(n, "arguments")) {
			if w.Kind(c) == "type_descriptor" {
				w.typ(c, scope)
			} else {
				w.visit(c, scope)
			}
		}
		return x
	case "pointer_type_declarator", "pointer_declarator":
		return lang.None
	}
	if x != lang.None {
		return w.B.Of(lang.OpAttr, x, last)
	}
	if first {
		return w.nameOf(last, scope)
	}
	return w.B.Name(scope, last)
}
