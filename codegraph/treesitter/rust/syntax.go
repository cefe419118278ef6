package rust

import (
	"bytes"
	"context"
	"strings"

	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A syntax is the tree under way: that of the file, or of a fragment of it. It reads what nodes say by themselves; places are
// those of the file.
type syntax struct {
	core.Sketch
	ctx    context.Context
	err    error // the context's, when it ended a parse
	budget int   // bytes of fragments that may still be parsed
	depth  int   // fragments within one another
}

// at is the byte at an offset, 0 behind the end.
func (p *syntax) at(off int32) byte {
	if off < 0 || int(off) >= len(p.Src) {
		return 0
	}
	return p.Src[off]
}

// lastName gives the node of the last name of a path.
func (p *syntax) lastName(n int32) int32 {
	for n >= 0 {
		next := int32(-1)
		switch p.Kind(n) {
		case "scoped_identifier", "scoped_type_identifier":
			next = p.Field(n, "name")
		case "generic_type", "generic_type_with_turbofish":
			next = p.Field(n, "type")
		case "generic_function":
			next = p.Field(n, "function")
		case "field_expression":
			next = p.Field(n, "field")
		}
		if next < 0 {
			return n
		}
		n = next
	}
	return n
}

func lastSegment(path string) string {
	if i := strings.LastIndex(path, "::"); i >= 0 {
		return strings.TrimSpace(path[i+2:])
	}
	return path
}

// typeParam gives the name of a type parameter in a list of such, or of type arguments; "" for others.
func (p *syntax) typeParam(n int32) string {
	if p.Is(n, "optional_type_parameter", "type_parameter") {
		n = p.Field(n, "name")
	}
	if p.Is(n, "constrained_type_parameter") {
		n = p.Field(n, "left")
	}
	if !p.Is(n, "type_identifier") {
		return ""
	}
	return p.Text(n)
}

// pattern tells whether tokens hold variables of a macro, so that they are no code of their own.
func (p *syntax) pattern(n int32) bool {
	return bytes.IndexByte(p.Src[p.Start(n):p.End(n)], '$') >= 0
}

// hasAttribute tells whether one of the attributes has a name, and gives it.
func (p *syntax) hasAttribute(attrs []int32, name string) (int32, bool) {
	for _, a := range attrs {
		a = p.First(a, "attribute")
		if p.Text(p.Child(a, 0)) == name {
			return a, true
		}
	}
	return -1, false
}

// signatureEnd gives where the part before the body ends.
func (p *syntax) signatureEnd(n int32) int32 {
	if b := p.Field(n, "body"); b >= 0 {
		return p.Start(b)
	}
	return p.End(n)
}

// typeLabel gives the name of a type for the ids of its methods.
func (p *syntax) typeLabel(n int32) string {
	for n >= 0 {
		next := int32(-1)
		switch p.Kind(n) {
		case "type_identifier", "primitive_type", "identifier":
			return p.Text(n)
		case "scoped_type_identifier", "generic_type":
			next = p.lastName(n)
		case "reference_type", "pointer_type":
			next = p.Field(n, "type")
		case "dynamic_type", "abstract_type":
			next = p.Field(n, "trait")
		case "array_type":
			return "[" + p.typeLabel(p.Field(n, "element")) + "]"
		case "tuple_type":
			return "tuple"
		case "unit_type":
			return "unit"
		case "function_type":
			return "fn"
		case "bracketed_type", "bounded_type", "higher_ranked_trait_bound":
			next = p.Child(n, 0)
		}
		n = next
	}
	return "impl"
}
