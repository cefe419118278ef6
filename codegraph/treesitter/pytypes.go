package treesitter

import (
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

func itoa(i int) string { return strconv.Itoa(i) }

// typ gives the sketch of an annotation: the class whose instance is meant, or a container of instances. It makes no
// references.
func (p *python) typ(n, scope int32) int32 {
	if n < 0 {
		return lang.None
	}
	switch p.kind(n) {
	case "type", "parenthesized_expression", "expression_statement":
		return p.typ(p.child(n, 0), scope)
	case "identifier":
		if name := p.text(n); name == "Self" {
			return p.b.Leaf(lang.OpThis, scope, "")
		} else if !plainTypes[name] {
			return p.b.Name(scope, name)
		}
	case "attribute":
		return p.b.Of(lang.OpAttr, p.typ(p.field(n, "object"), scope), p.text(p.field(n, "attribute")))
	case "string":
		return p.typeName(p.constant(n), scope)
	case "binary_operator", "union_type":
		var xs []int32
		for c := range p.children(n) {
			xs = append(xs, p.typ(c, scope))
		}
		return p.b.Any(xs...)
	case "generic_type", "subscript":
		base := p.child(n, 0)
		var args []int32
		for c := range p.children(n) {
			if c == base {
				continue
			}
			if p.kind(c) == "type_parameter" {
				for a := range p.children(c) {
					args = append(args, a)
				}
			} else {
				args = append(args, c)
			}
		}
		return p.generic(base, args, scope)
	}
	return lang.None
}

var plainTypes = map[string]bool{"None": true, "Any": true, "object": true}

func (p *python) generic(base int32, args []int32, scope int32) int32 {
	name := p.text(base)
	name = name[strings.LastIndexByte(name, '.')+1:]
	arg := func(i int) int32 {
		if i < len(args) {
			return p.typ(args[i], scope)
		}
		return lang.None
	}
	switch name {
	case "Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "Awaitable", "ContextManager":
		return arg(0)
	case "Union":
		var xs []int32
		for i := range args {
			xs = append(xs, arg(i))
		}
		return p.b.Any(xs...)
	case "List", "list", "Sequence", "MutableSequence", "Iterable", "Iterator", "Set", "set", "FrozenSet", "frozenset", "Collection",
		"Deque", "deque", "Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator":
		if x := arg(0); x != lang.None {
			return p.b.Many(lang.OpDict, []lang.Arg{{X: p.b.Of(lang.OpInstance, x, "")}})
		}
		return lang.None
	case "Tuple", "tuple":
		var list []lang.Arg
		for i := range args {
			list = append(list, lang.Arg{X: p.b.Of(lang.OpInstance, arg(i), "")})
		}
		return p.b.Many(lang.OpList, list)
	case "Dict", "dict", "Mapping", "MutableMapping", "DefaultDict", "OrderedDict", "defaultdict":
		if x := arg(1); x != lang.None {
			return p.b.Many(lang.OpDict, []lang.Arg{{X: p.b.Of(lang.OpInstance, x, "")}})
		}
		return lang.None
	case "Type", "type", "Callable", "Literal", "TypeVar":
		return lang.None
	}
	return p.typ(base, scope)
}

// typeName reads an annotation written as a string when it is a plain or dotted name.
func (p *python) typeName(s string, scope int32) int32 {
	s = strings.TrimSpace(s)
	if in, ok := strings.CutPrefix(s, "Optional["); ok {
		s = strings.TrimSuffix(in, "]")
	}
	if a, b, ok := strings.Cut(s, "|"); ok {
		return p.b.Any(p.typeName(a, scope), p.typeName(b, scope))
	}
	x := lang.None
	for i, part := range strings.Split(s, ".") {
		if part == "" || strings.ContainsAny(part, " []()'\"|,") || plainTypes[part] {
			return lang.None
		}
		if i == 0 {
			x = p.b.Name(scope, part)
		} else {
			x = p.b.Of(lang.OpAttr, x, part)
		}
	}
	return x
}
