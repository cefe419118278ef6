package python

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// annotation gives the sketch of an annotation: the class whose instance is meant, or a container of instances. Names in it are
// mentions.
func (p *walker) annotation(n, scope int32) int32 {
	switch p.Kind(n) {
	case "type", "parenthesized_expression", "expression_statement":
		return p.annotation(p.Child(n, 0), scope)
	case "identifier":
		if name := p.Text(n); name == "Self" {
			return p.B.Leaf(lang.OpThis, scope, "")
		} else if !plainTypes[name] {
			x := p.B.Name(scope, name)
			p.mention(n, x, scope)
			return x
		}
	case "attribute":
		o := p.Field(n, "object")
		if plainTypes[p.Text(p.Field(n, "attribute"))] {
			return lang.None
		}
		x := p.B.Of(lang.OpAttr, p.annotation(o, scope), p.Text(p.Field(n, "attribute")))
		p.mention(n, x, scope)
		return x
	case "string":
		return p.quotedAnnotation(n, scope)
	case "binary_operator", "union_type":
		return p.B.Any(core.Map(p.Children(n), func(c int32) int32 { return p.annotation(c, scope) })...)
	case "list", "tuple": // of Callable
		for c := range p.Children(n) {
			p.annotation(c, scope)
		}
	case "member_type":
		x := p.annotation(p.Child(n, 0), scope)
		return p.B.Of(lang.OpAttr, x, p.Text(p.Child(n, 1)))
	case "generic_type", "subscript":
		base := p.Child(n, 0)
		var args []int32
		for c := range p.Children(n) {
			if c == base {
				continue
			}
			if p.Kind(c) == "type_parameter" {
				args = slices.AppendSeq(args, p.Children(c))
			} else {
				args = append(args, c)
			}
		}
		name := p.Text(base)
		if last := name[strings.LastIndexByte(name, '.')+1:]; last == "Literal" || last == "Annotated" && len(args) > 1 {
			args = args[:min(1, strings.Count(last, "Annotated"))] // the others are values
		}
		list := core.Map(slices.Values(args), func(c int32) int32 { return p.annotation(c, scope) })
		if x, ok := p.genericType(name, list); ok {
			return x
		}
		return p.annotation(base, scope)
	}
	return lang.None
}

// quotedAnnotation reads an annotation that is written as a string.
func (p *walker) quotedAnnotation(n, scope int32) int32 {
	from := p.First(n, "string_content")
	if from < 0 || p.End(from)-p.Start(from) > 400 {
		return lang.None
	}
	t := typeReader{p: p, scope: scope, at: p.Start(from), end: p.End(from)}
	return t.union()
}

// A typeReader reads a type from the source: names with dots, brackets and bars.
type typeReader struct {
	p              *walker
	scope, at, end int32
	depth          int
}

func (t *typeReader) peek() byte {
	for t.at < t.end && strings.IndexByte(" \t\r\n\"'\\", t.p.Src[t.at]) >= 0 {
		t.at++
	}
	if t.at < t.end {
		return t.p.Src[t.at]
	}
	return 0
}

func (t *typeReader) union() int32 {
	var xs []int32
	for {
		xs = append(xs, t.one())
		if t.peek() != '|' {
			return t.p.B.Any(xs...)
		}
		t.at++
	}
}

// list reads types up to a closing bracket.
func (t *typeReader) list() []int32 {
	var out []int32
	for {
		switch t.peek() {
		case 0:
			return out
		case ']', ')':
			t.at++
			return out
		case ',':
			t.at++
		default:
			before := t.at
			out = append(out, t.union())
			if t.at == before {
				t.at++ // a character that begins no type
			}
		}
	}
}

func (t *typeReader) one() int32 {
	if t.depth++; t.depth > 20 {
		t.at = t.end
		return lang.None
	}
	defer func() { t.depth-- }()
	if c := t.peek(); c == '[' || c == '(' {
		t.at++
		t.list()
		return lang.None
	}
	start, x, name := t.at, lang.None, ""
	for t.at < t.end {
		from := t.at
		for t.at < t.end && core.IsWord(t.p.Src[t.at]) {
			t.at++
		}
		if name = string(t.p.Src[from:t.at]); name == "" {
			return lang.None
		}
		switch {
		case plainTypes[name]:
			x = lang.None
		case from != start:
			x = t.p.B.Of(lang.OpAttr, x, name)
		case name == "Self":
			x = t.p.B.Leaf(lang.OpThis, t.scope, "")
		default:
			x = t.p.B.Name(t.scope, name)
		}
		if x != lang.None {
			t.p.refAt(lang.Use, from, t.at, t.scope, x, x, lang.None)
		}
		if t.at >= t.end || t.p.Src[t.at] != '.' {
			break
		}
		t.at++
	}
	if t.peek() == '[' {
		t.at++
		if args := t.list(); generics[name] {
			x, _ = t.p.genericType(name, args)
		}
	}
	return x
}
