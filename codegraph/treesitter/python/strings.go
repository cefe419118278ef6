package python

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A text that is put together while a program runs is sketched as what is known of it: its beginning and its end, with a byte 0
// for what stands between. Only such texts are kept that may be the name of a member.

const minKnown = 2 // letters that must be known of a text: others would fit too much

// isText tells a value that is a text.
func (p *sketch) isText(x int32) bool {
	return p.Op(x) == lang.OpString
}

// stringOf gives a text, or what is known of it; "" when that is nothing.
func (p *sketch) stringOf(x int32) string {
	if x = p.held(x); !p.isText(x) {
		return ""
	}
	return p.B.Facts.Exprs[x].Name
}

// partialText gives the sketch of a text with this beginning and end.
func (p *sketch) partialText(before, after string) int32 {
	name := ""
	if len(before)+len(after) >= minKnown && len(before)+len(after) <= 80 && isIdent(before) && isIdent(after) {
		name = before + "\x00" + after
	}
	return p.B.Leaf(lang.OpString, lang.File, name)
}

func isIdent(s string) bool {
	for i := range len(s) {
		if !core.IsWord(s[i]) {
			return false
		}
	}
	return true
}

// formatted gives what is known of a text with holes from one place to another.
func (p *sketch) formatted(s string, from, to int) int32 {
	if from < 0 || to < from || to > len(s) {
		return p.B.Leaf(lang.OpString, lang.File, "")
	}
	return p.partialText(s[:from], s[to:])
}

// joined gives what an operator makes of texts of which one at least is known.
func (p *sketch) joined(sign, a, b string) int32 {
	switch sign {
	case "+":
		before, _, _ := strings.Cut(a, "\x00")
		after := b[strings.IndexByte(b, 0)+1:]
		return p.partialText(before, after)
	case "%":
		if end := max(strings.LastIndexByte(a, '%'), strings.LastIndexByte(a, ')')); !strings.Contains(a, "\x00") {
			return p.formatted(a, strings.IndexByte(a, '%'), end+len("%s"))
		}
	}
	return p.External("")
}

// textOf gives the sketch of a text as it is written.
func (p *sketch) textOf(n int32) int32 {
	if s := p.constant(n); s != "" || p.Kind(n) != "string" {
		return p.B.Leaf(lang.OpString, lang.File, s)
	}
	holes := slices.Collect(p.Of(n, "interpolation"))
	if len(holes) == 0 {
		return p.B.Leaf(lang.OpString, lang.File, "")
	}
	s := p.Text(n)
	at := p.Start(n)
	before := strings.TrimLeft(s[:p.Start(holes[0])-at], "rRbBuUfF")
	after := s[p.End(holes[len(holes)-1])-at:]
	return p.partialText(strings.Trim(before, `"'`), strings.Trim(after, `"'`))
}

// methodOfText gives what a method makes of a text, where something is known of that, or None.
func (p *sketch) methodOfText(s, name string) int32 {
	before, after, open := strings.Cut(s, "\x00")
	switch {
	case s == "":
	case name == "format" && !open:
		return p.formatted(s, strings.IndexByte(s, '{'), strings.LastIndexByte(s, '}')+1)
	case !open:
	case name == "lower":
		return p.partialText(strings.ToLower(before), strings.ToLower(after))
	case name == "upper":
		return p.partialText(strings.ToUpper(before), strings.ToUpper(after))
	case name == "replace", name == "strip":
		return p.partialText(before, after)
	}
	return lang.None
}
