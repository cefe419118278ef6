package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A syntax reads what the nodes of a tree say by themselves.
type syntax struct{ core.Sketch }

// constant gives the text of a constant key, "" when it is none.
func (p *syntax) constant(n int32) string {
	switch p.Kind(n) {
	case "integer":
		return p.Text(n)
	case "unary_operator":
		if s := p.Text(n); strings.HasPrefix(s, "-") && strings.Trim(s[1:], "0123456789") == "" {
			return s
		}
	case "string":
		if p.First(n, "interpolation") >= 0 {
			return ""
		}
		s := strings.TrimLeft(p.Text(n), "rRbBuUfF")
		for _, q := range []string{`"""`, "'''", `"`, "'"} {
			if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
				if s = s[len(q) : len(s)-len(q)]; len(s) > 80 {
					return ""
				}
				if strings.Trim(s, "-0123456789") == "" && s != "" { // d["1"] is not d[1]
					return "'" + s
				}
				return s
			}
		}
	}
	return ""
}

// bounds gives the ends of a slice; the second is -1 for one that goes on to an end that is not known, the first then too.
func (p *syntax) bounds(n int32) (from, to int) {
	if p.End(n)-p.Start(n) > 40 {
		return -1, -1
	}
	parts := [2]string{"0", ""}
	at := 0
	for _, word := range strings.SplitAfter(p.Text(n), ":") {
		s, more := strings.CutSuffix(word, ":")
		if s = strings.TrimSpace(s); s != "" && at < 2 {
			parts[at] = s
		}
		if more {
			at++
		}
	}
	a, err := strconv.Atoi(parts[0])
	b, err2 := strconv.Atoi(parts[1])
	if err != nil || err2 != nil || at != 1 || b == 0 {
		return -1, -1
	}
	return a, b
}

// path gives the text of a name, or of a name with attributes, "" for others.
func (p *syntax) path(n int32) string {
	switch p.Kind(n) {
	case "identifier":
		return p.Text(n)
	case "parenthesized_expression":
		return p.path(p.Child(n, 0))
	case "attribute", "subscript":
		out := ""
		for range 8 {
			switch p.Kind(n) {
			case "identifier":
				return p.Text(n) + out
			case "attribute":
				out = "." + p.Text(p.Field(n, "attribute")) + out
				n = p.Field(n, "object")
			case "subscript":
				key := p.constant(p.Field(n, "subscript"))
				if key == "" {
					return ""
				}
				out = ".[" + key + "]" + out
				n = p.Field(n, "value")
			default:
				return ""
			}
		}
	}
	return ""
}

// keyword gives the value of a named argument, or -1.
func (p *syntax) keyword(list int32, name string) int32 {
	for c := range p.Children(list) {
		if p.Kind(c) == "keyword_argument" && p.Text(p.Field(c, "name")) == name {
			return p.Field(c, "value")
		}
	}
	return -1
}

// isType tells whether an expression on the right of an assignment is a type that a variable gives a name.
func (p *syntax) isType(n int32) bool {
	if p.Kind(n) != "subscript" {
		return false
	}
	name := p.Text(p.Field(n, "value"))
	return generics[name[strings.LastIndexByte(name, '.')+1:]]
}

// isAnd tells an "and" from an "or".
func (p *syntax) isAnd(left, right int32) bool {
	words := strings.FieldsFunc(p.Between(left, right), func(r rune) bool { return strings.ContainsRune(" \t\r\n()\\", r) })
	return slices.Contains(words, "and")
}

func (p *syntax) aliasTarget(n int32) int32 {
	t := p.Field(n, "alias")
	if p.Kind(t) == "as_pattern_target" {
		t = p.Child(t, 0)
	}
	return t
}

// terminates tells whether a block never comes to its end.
func (p *syntax) terminates(n int32) bool {
	switch last := p.Last(n); p.Kind(last) {
	case "return_statement", "raise_statement", "continue_statement", "break_statement":
		return true
	case "block":
		return p.terminates(last)
	}
	return false
}

// header gives the signature of a definition and where it ends.
func (p *syntax) header(n int32) (string, int32) {
	end := p.Start(n)
	for _, f := range []string{"name", "type_parameters", "parameters", "superclasses", "return_type"} {
		if c := p.Field(n, f); c >= 0 {
			end = max(end, p.End(c))
		}
	}
	sig := lang.OneLine(string(p.Src[p.Start(n):end]))
	for end < p.End(n) && p.Src[end] != '\n' {
		if end++; p.Src[end-1] == ':' {
			break
		}
	}
	return sig, end
}
