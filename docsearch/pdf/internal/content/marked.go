package content

import (
	"bytes"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
)

// A mark is an open marked-content sequence.
type mark struct {
	hidden bool
	actual *string
	start  int // first glyph
}

func (in *interp) beginMarked(args []lexer.Operand, res cos.Dict) {
	m := mark{start: len(in.out.Glyphs)}
	if n := len(args); n >= 2 {
		tag, props := string(args[n-2].Bytes), args[n-1]
		switch props.Kind {
		case lexer.Name:
			o := in.f.Dict(res["Properties"])[string(props.Bytes)]
			if tag == "OC" {
				m.hidden = in.hidden(o)
			} else if d := in.f.Dict(o); d != nil {
				if a := in.f.Resolve(d["ActualText"]); a != nil {
					s := encoding.TextString(in.f.Str(a))
					m.actual = &s
				}
			}
		case lexer.DictOpen:
			if a, ok := props.Get("ActualText"); ok && a.Kind == lexer.String {
				s := encoding.TextString(a.Bytes)
				m.actual = &s
			}
		}
	}
	if m.hidden {
		in.off++
	}
	if len(in.marks) < 4096 {
		in.marks = append(in.marks, m)
	}
}

func (in *interp) endMarked() {
	n := len(in.marks)
	if n == 0 {
		return
	}
	m := in.marks[n-1]
	in.marks = in.marks[:n-1]
	if m.hidden {
		in.off--
	}
	if m.actual == nil || m.start >= len(in.out.Glyphs) {
		return
	}
	// The replacement stands where the first glyph was; the others keep their places and say nothing.
	gs := in.out.Glyphs[m.start:]
	in.ops += len(gs)
	var have bytes.Buffer
	for i := range gs {
		have.WriteString(gs[i].Text)
	}
	if have.String() == *m.actual {
		return
	}
	gs[0].Text = *m.actual
	for i := 1; i < len(gs); i++ {
		gs[i].Text = ""
	}
	if gs[0].Y == gs[len(gs)-1].Y || gs[0].X == gs[len(gs)-1].X { // one run: one wide glyph
		gs[0].EndX, gs[0].EndY = gs[len(gs)-1].EndX, gs[len(gs)-1].EndY
		in.out.Glyphs = in.out.Glyphs[:m.start+1]
	}
}

// hidden is that of the file; what it costs counts.
func (in *interp) hidden(o cos.Object) bool {
	if len(in.layers) > 0 {
		in.ops += len(in.f.Array(in.f.Dict(o)["OCGs"]))
	}
	return in.layers.Hidden(in.f, o)
}
