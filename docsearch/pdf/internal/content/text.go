package content

import (
	"bytes"
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
)

func (in *interp) move(x, y float64) {
	in.tlm.Shift(x, y)
	in.tm = in.tlm
}

func (in *interp) kern(v float64) {
	if in.st.font != nil && in.st.font.Vertical {
		in.tm.Shift(0, v)
		return
	}
	in.tm.Shift(v*in.st.tz, 0)
}

// show emits the glyphs of a string (ISO 32000-1, 9.4.4).
func (in *interp) show(s []byte) {
	st := &in.st
	ft := st.font
	if ft == nil || in.off > 0 {
		return
	}
	trm := geometry.Matrix{st.size * st.tz, 0, 0, st.size, 0, st.rise}.Mul(in.tm).Mul(st.ctm)
	if !trm.Finite() {
		return
	}
	size := trm.Expansion() * ft.Em
	dirx, diry := trm[0], trm[1]
	if ft.Vertical {
		dirx, diry = -trm[2], -trm[3]
	}
	norm := math.Hypot(dirx, diry)
	if norm < 1e-9 {
		norm = 1
	}
	if st.size < 0 && !ft.Vertical { // a negative size mirrors twice with a negative matrix: keep what is shown
		norm = math.Abs(norm)
	}
	pageBox := geometry.NewRect(-2, -2, in.out.Width+2, in.out.Height+2)
	// What the clipping path cuts away entirely is not on the page. Text that is never painted, as that of OCR, is not clipped.
	clipped := st.mode != 3 && (st.clip.X0 > 0 || st.clip.Y0 > 0 || st.clip.X1 < in.out.Width || st.clip.Y1 < in.out.Height)
	g := Glyph{Dx: dirx / norm, Dy: diry / norm, Size: size, Font: ft, Vertical: ft.Vertical}
	// A step moves the text matrix and with it trm; of both only the last two elements change, so only these are computed.
	riseX, riseY := 0*in.tm[0]+st.rise*in.tm[2], 0*in.tm[1]+st.rise*in.tm[3]
	k := 0
	for len(s) > 0 {
		c, n, ch := ft.Next(s)
		s = s[n:]
		var tx, ty float64
		w := ch.Width
		if ft.Vertical {
			ty = -st.size + st.tc
			if n == 1 && c == 32 {
				ty += st.tw
			}
		} else {
			tx = w*st.size + st.tc
			if n == 1 && c == 32 {
				tx += st.tw
			}
			tx *= st.tz
		}
		if ch.Text != "" {
			if ft.Vertical {
				m := geometry.Matrix{1, 0, 0, 1, -w / 2, 0}.Mul(trm)
				g.X, g.Y = m.Apply(0, 0)
				g.EndX, g.EndY = m.Apply(0, -1)
			} else {
				g.X, g.Y = trm[4], trm[5]
				g.EndX, g.EndY = trm.Apply(w, 0)
			}
			if (pageBox.Has(g.X, g.Y) || pageBox.Has(g.EndX, g.EndY) || pageBox.Has((g.X+g.EndX)/2, (g.Y+g.EndY)/2-size/3)) &&
				!(clipped && st.clip.Misses(g.Box())) {
				g.Text, g.Begins = ch.Text, in.newObject
				in.out.Glyphs = append(in.out.Glyphs, g)
				in.newObject = false
			}
		}
		in.tm.Shift(tx, ty)
		if st.size != 0 {
			x, y := riseX+in.tm[4], riseY+in.tm[5]
			trm[4], trm[5] = x*st.ctm[0]+y*st.ctm[2]+st.ctm[4], x*st.ctm[1]+y*st.ctm[3]+st.ctm[5]
		}
		if k++; k&0x3FFF == 0 && in.ctx.Err() != nil || in.ops+k > MaxOperators || len(in.out.Glyphs) > maxPageGlyphs {
			break
		}
	}
	in.ops += k
}

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
