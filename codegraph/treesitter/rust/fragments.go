package rust

import (
	"bytes"
	"slices"

	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// patternTree parses "value, pattern" as a match with one arm, and gives how much stands before the text.
func (p *syntax) patternTree(text []byte) (*core.Tree, int32) {
	depth := 0
	for i, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"':
			return nil, 0
		case ',':
			if depth > 0 {
				continue
			}
			const before = "fn a(){match "
			in := slices.Clone(text)
			in[i] = '{'
			in = bytes.TrimRight(in, " \n\t,")
			if t := p.parse(before, in, "=>{}}}"); t != nil && t.Errors == 0 {
				return t, int32(len(before))
			}
			return nil, 0
		}
	}
	return nil, 0
}

// parse parses a part of the file on its own. There is no tree when it costs too much.
func (p *syntax) parse(before string, text []byte, after string) *core.Tree {
	if p.budget -= len(text) + 32; p.budget < 0 || p.depth >= maxMacroDepth || p.err != nil {
		return nil
	}
	src := make([]byte, 0, len(before)+len(text)+len(after))
	src = append(append(append(src, before...), text...), after...)
	t, err := p.Grammar.Parse(p.ctx, src)
	if err != nil {
		p.err = p.ctx.Err() // a part that is nested too deep is read as tokens
		return nil
	}
	return t
}

// within walks another tree whose offsets differ by shift from those of the tree under way.
func (p *syntax) within(t *core.Tree, shift int32, f func()) {
	old := p.Tree
	t.PartOf(old, shift)
	p.Tree = t
	p.depth++
	f()
	p.depth--
	p.Tree = old
}
