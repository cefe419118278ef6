package markdown

import (
	"slices"

	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
)

// joinStacks puts the pieces of such lines together.
func (w *writer) joinStacks() {
	out := w.lines[:0]
	for i := range w.lines {
		m := w.lines[i]
		if n := len(out); n > 0 && m.kind == kindText && out[n-1].kind == kindText {
			a := out[n-1].l
			if from, ok := inline.IsStack(a, m.l); ok {
				out[n-1] = out[n-1].with(inline.Stack(a, m.l, from), m.text)
				continue
			}
			if out[n-1].stacked && inline.Follows(a, m.l) {
				l := *a
				l.Segs = slices.Concat(a.Segs, m.l.Segs)
				l.Box = l.Box.Union(m.l.Box)
				out[n-1] = out[n-1].with(&l, m.text)
				continue
			}
		}
		out = append(out, m)
	}
	w.lines = out
}

// with is a line with another one joined to it.
func (m mline) with(l *layout.Line, text string) mline {
	m.text += " " + text
	l.Text = m.text
	m.l, m.stacked = l, true
	return m
}
