package pdf

import "github.com/findspot/findspot/docsearch"

type view struct{}

func newView(c *canvas, segs []segment, lines []line) *view { return &view{} }
func (v *view) tables() []docsearch.Table                   { return []docsearch.Table{} }
func (v *view) figures() []docsearch.Figure                 { return []docsearch.Figure{} }
func (v *view) markdown() string                            { return "" }
