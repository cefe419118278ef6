package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
	"github.com/findspot/findspot/internal/errs"
)

// A glyph is one character shown on a page. Points are on the page as shown.
type glyph struct {
	text     string
	x, y     float64 // where it starts, on the baseline
	ex, ey   float64 // where it ends
	dx, dy   float64 // unit vector of the writing direction
	size     float64 // height of an em
	font     *font.Font
	vertical bool
	object   bool // the first glyph after a text object began
	field    bool // of a form field
}

// A canvas is what the content of one page puts on it.
type canvas struct {
	w, h   float64
	glyphs []glyph
	images []picture
	rules  []rule
	fills  []fill
	diag   []geometry.Rect // boxes of curves and oblique strokes
}

// textState and the rest of what q and Q save.
type state struct {
	ctm       geometry.Matrix
	font      *font.Font
	size      float64
	tc, tw    float64
	tz        float64
	tl, rise  float64
	mode      int
	fill      [3]float64
	stroke    [3]float64
	lineWidth float64
	clip      geometry.Rect // box of the clipping path, on the page
	fillTint  bool          // the colour space counts ink, not light
	lineTint  bool
}

// interp runs content streams.
type interp struct {
	ctx       context.Context
	f         *cos.Reader
	fonts     *font.Loader
	layers    catalog.Layers
	out       *canvas
	st        state
	stack     []state
	tm, tlm   geometry.Matrix
	newObject bool
	ops       int // operators run and characters shown
	check     int // the context is looked at when ops comes to this
	spent     int // of ops, counted against the budget of the document
	words     int // operands met
	bytes     int
	forms     []int // object numbers of the forms being run
	marks     []mark
	off       int // depth of hidden optional content
	node      *catalog.Page
	outer     []cos.Dict // resources of the page and the nodes above it, read when a name is not found
	path      path
	lexed     lexer.Memory    // of the last stream, for the next
	args      []lexer.Operand // likewise
	err       error           // why it stopped before the end
	fault     error           // the first damage met; the rest of the page was read
}

// A mark is an open marked-content sequence.
type mark struct {
	hidden bool
	actual *string
	start  int // first glyph
}

func newInterp(ctx context.Context, f *file, p *catalog.Page, mem *scratch) *interp {
	m, w, h := p.ToPage()
	mem.canvas.w, mem.canvas.h = w, h
	r := f.Reader.With(ctx)
	in := &interp{
		ctx: ctx, f: r, fonts: &font.Loader{Reader: r, Set: f.fonts}, layers: f.layers, node: p, out: &mem.canvas, tm: geometry.Identity, tlm: geometry.Identity, stack: mem.stack[:0], path: mem.path, lexed: mem.lexed, args: mem.args,
	}
	in.st = state{ctm: m, tz: 1, lineWidth: 1, clip: geometry.NewRect(0, 0, w, h)}
	return in
}

// page runs the content and the annotations of a page.
func (in *interp) page(p *catalog.Page) error {
	data, err := pageContents(in.f, p.Dict["Contents"])
	if errors.Is(err, budget.ErrSpent) {
		in.err = budget.ErrSpent
		return budget.ErrSpent
	}
	if err != nil {
		in.fault = err
	}
	base := in.st
	if n := min(len(data)/5, keptGlyphs/4); cap(in.out.glyphs) < n { // a page has one in four to eight bytes
		in.out.glyphs = make([]glyph, 0, n)
	}
	in.run(data, p.Resources)
	if in.err == nil {
		in.st, in.stack, in.marks, in.off = base, in.stack[:0], nil, 0
		in.annotations(p)
	}
	return in.err
}

// pageContents joins the content streams of a page; a break between two is white space.
func pageContents(f *cos.Reader, o cos.Object) ([]byte, error) {
	a := f.Array(o)
	if a == nil {
		if o == nil || f.Resolve(o) == nil {
			return nil, nil
		}
		data, err := f.Stream(o)
		if err != nil {
			err = fmt.Errorf("content stream: %w", err)
		}
		return data, err
	}
	var out []byte
	var fault error
	for i, s := range a {
		if f.Resolve(s) == nil {
			continue
		}
		data, err := f.Stream(s)
		if errors.Is(err, budget.ErrSpent) || f.Context.Err() != nil {
			return nil, err
		}
		if err != nil && fault == nil {
			fault = fmt.Errorf("content stream %d: %w", i+1, err)
		}
		if len(out)+len(data)+1 > maxPageBytes { // before both are copied
			return append(out, data[:maxPageBytes-len(out)]...), fmt.Errorf("%w: content of over %d bytes", errs.TooLarge, maxPageBytes)
		}
		out = append(append(out, data...), '\n')
	}
	return out, fault
}

const maxOperands = 512

// run interprets one content stream.
func (in *interp) run(data []byte, res cos.Dict) {
	if in.bytes += len(data); in.bytes > maxPageBytes {
		in.err = fmt.Errorf("%w: content of over %d bytes", errs.TooLarge, maxPageBytes)
		return
	}
	l := &lexer.Lexer{Input: data}
	l.Memory, in.lexed = in.lexed, lexer.Memory{} // a form within gets memory of its own
	args := in.args
	if in.args = nil; args == nil {
		args = make([]lexer.Operand, 0, 16)
	}
	defer func() {
		l.Release()
		in.lexed, in.args = l.Memory, args[:0]
	}()
	for in.err == nil {
		t := l.Next()
		switch t.Kind {
		case lexer.EOF:
			return
		case lexer.ArrayClose, lexer.DictClose:
			continue
		case lexer.Keyword:
		default:
			if in.words++; in.words&4095 == 0 {
				if in.err = in.ctx.Err(); in.err == nil {
					in.err = in.f.Budget.Spend(4096 * budget.CostOperator / 4)
				}
				if in.err != nil {
					return
				}
			}
			if len(args) == maxOperands { // no operator takes so many: the last ones count
				args = append(args[:0], args[maxOperands/2:]...)
			}
			if t.Kind == lexer.ArrayOpen || t.Kind == lexer.DictOpen {
				args = append(args, l.Value(t, 0))
			} else {
				args = append(args, lexer.Operand{Kind: t.Kind, Num: t.Num, Bytes: t.Bytes})
			}
			continue
		}
		op := string(t.Bytes)
		if in.ops++; in.ops >= in.check && !in.bounded("content stream at byte", t.Pos) {
			return
		}
		if op == "BI" {
			in.inlineImage(l, res)
		} else {
			in.operator(op, args, res)
		}
		args = args[:0]
		l.Release()
	}
}

// bounded looks at the context and at what the page and the document have cost. Where that is too much, it notes the error
// and returns false.
func (in *interp) bounded(where string, at int) bool {
	in.check = in.ops + 1024
	if in.err = in.ctx.Err(); in.err == nil {
		in.err = in.f.Budget.Spend(budget.CostOperator * int64(in.ops-in.spent))
		in.spent = in.ops
	}
	switch {
	case in.err != nil:
	case in.ops > maxOperators || len(in.out.glyphs) > maxPageGlyphs:
		in.err = fmt.Errorf("%w: %s %d: over %d operators and characters, or %d characters on the page", errs.TooLarge, where, at, maxOperators, maxPageGlyphs)
	case in.fonts.Bytes > font.MaxPageBytes:
		in.err = fmt.Errorf("%w: %s %d: fonts of over %d bytes", errs.TooLarge, where, at, font.MaxPageBytes)
	}
	return in.err == nil
}

// n returns the i-th of the last want operands as a number.
func arg(args []lexer.Operand, want, i int) float64 {
	k := len(args) - want + i
	if k < 0 || k >= len(args) || args[k].Kind != lexer.Number {
		return 0
	}
	return args[k].Num
}

func lastName(args []lexer.Operand) string {
	for i := len(args) - 1; i >= 0; i-- {
		if args[i].Kind == lexer.Name {
			return string(args[i].Bytes)
		}
	}
	return ""
}

func (in *interp) operator(op string, args []lexer.Operand, res cos.Dict) {
	st := &in.st
	switch op {
	case "q":
		if len(in.stack) < 1024 {
			in.stack = append(in.stack, *st)
		}
	case "Q":
		if n := len(in.stack); n > 0 {
			*st = in.stack[n-1]
			in.stack = in.stack[:n-1]
		}
	case "cm":
		if len(args) >= 6 {
			if m := argMatrix(args).Mul(st.ctm); m.Finite() {
				st.ctm = m
			}
		}
	case "BT":
		in.tm, in.tlm = geometry.Identity, geometry.Identity
		in.newObject = true
	case "ET":
	case "Tc":
		st.tc = arg(args, 1, 0)
	case "Tw":
		st.tw = arg(args, 1, 0)
	case "Tz":
		st.tz = arg(args, 1, 0) / 100
	case "TL":
		st.tl = arg(args, 1, 0)
	case "Ts":
		st.rise = arg(args, 1, 0)
	case "Tr":
		st.mode = int(arg(args, 1, 0))
	case "Tf":
		st.size = arg(args, 1, 0)
		if st.font = in.fonts.Load(in.resource(res, "Font", lastName(args))); st.font == nil {
			st.font = in.fonts.StandIn()
		}
	case "Td":
		in.move(arg(args, 2, 0), arg(args, 2, 1))
	case "TD":
		st.tl = -arg(args, 2, 1)
		in.move(arg(args, 2, 0), arg(args, 2, 1))
	case "Tm":
		if len(args) >= 6 {
			if m := argMatrix(args); m.Finite() {
				in.tm, in.tlm = m, m
			}
		}
	case "T*":
		in.move(0, -st.tl)
	case "Tj":
		if n := len(args); n > 0 {
			in.show(args[n-1].Bytes)
		}
	case "'":
		in.move(0, -st.tl)
		if n := len(args); n > 0 {
			in.show(args[n-1].Bytes)
		}
	case "\"":
		st.tw, st.tc = arg(args, 3, 0), arg(args, 3, 1)
		in.move(0, -st.tl)
		if n := len(args); n > 0 {
			in.show(args[n-1].Bytes)
		}
	case "TJ":
		if n := len(args); n > 0 {
			for _, it := range args[n-1].Items {
				if it.Kind == lexer.String {
					in.show(it.Bytes)
				} else if it.Kind == lexer.Number {
					in.kern(-it.Num / 1000 * st.size)
				}
			}
		}
	case "Do":
		in.xobject(in.resource(res, "XObject", lastName(args)), res)
	case "gs":
		gs := in.f.Dict(in.f.Dict(res["ExtGState"])[lastName(args)])
		if a := in.f.Array(gs["Font"]); len(a) == 2 {
			st.font = in.fonts.Load(a[0])
			st.size = in.f.NumOr(a[1], st.size)
		}
		if w, ok := in.f.Num(gs["LW"]); ok {
			st.lineWidth = w
		}
	case "BMC":
		if len(in.marks) < 4096 {
			in.marks = append(in.marks, mark{start: len(in.out.glyphs)})
		}
	case "BDC":
		in.beginMarked(args, res)
	case "EMC":
		in.endMarked()
	case "w":
		st.lineWidth = arg(args, 1, 0)
	case "g":
		v := arg(args, 1, 0)
		st.fill = [3]float64{v, v, v}
	case "G":
		v := arg(args, 1, 0)
		st.stroke = [3]float64{v, v, v}
	case "rg":
		st.fill = [3]float64{arg(args, 3, 0), arg(args, 3, 1), arg(args, 3, 2)}
	case "RG":
		st.stroke = [3]float64{arg(args, 3, 0), arg(args, 3, 1), arg(args, 3, 2)}
	case "k":
		st.fill = cmyk(args)
	case "K":
		st.stroke = cmyk(args)
	case "sc", "scn":
		st.fill = anyColor(args, st.fillTint)
	case "SC", "SCN":
		st.stroke = anyColor(args, st.lineTint)
	case "cs":
		st.fill, st.fillTint = [3]float64{}, in.tinted(args, res)
	case "CS":
		st.stroke, st.lineTint = [3]float64{}, in.tinted(args, res)
	default:
		in.pathOperator(op, args)
	}
}

// resource looks a name up in the resources at hand, and if they lack it, in those of the page and of the nodes above
// it: producers forget to pass them on, and readers find them all the same.
func (in *interp) resource(res cos.Dict, kind, name string) cos.Object {
	if o := in.f.Dict(res[kind])[name]; o != nil {
		return o
	}
	if in.outer == nil && in.node != nil {
		in.outer = []cos.Dict{in.node.Resources}
		for d, depth := in.node.Dict, 0; d != nil && depth < catalog.MaxTreeDepth; d, depth = in.f.Dict(d["Parent"]), depth+1 {
			if r := in.f.Dict(d["Resources"]); r != nil {
				in.outer = append(in.outer, r)
			}
		}
	}
	in.ops += len(in.outer)
	for _, r := range in.outer {
		if o := in.f.Dict(r[kind])[name]; o != nil {
			return o
		}
	}
	return nil
}

func argMatrix(args []lexer.Operand) (m geometry.Matrix) {
	for i := range m {
		m[i] = arg(args, 6, i)
	}
	return m
}

func cmyk(args []lexer.Operand) (c [3]float64) {
	for i := range c {
		c[i] = (1 - math.Min(1, arg(args, 4, i))) * (1 - math.Min(1, arg(args, 4, 3)))
	}
	return c
}

// tinted reports whether the named colour space has one colorant of which 1 is the most ink (ISO 32000-1, 8.6.6.4).
func (in *interp) tinted(args []lexer.Operand, res cos.Dict) bool {
	a := in.f.Array(in.f.Dict(res["ColorSpace"])[lastName(args)])
	return len(a) > 0 && (in.f.Name(a[0]) == "Separation" || in.f.Name(a[0]) == "DeviceN")
}

// anyColor reads a colour by the number of its components; tint says that one component counts ink.
func anyColor(args []lexer.Operand, tint bool) [3]float64 {
	switch {
	case len(args) == 1 && args[0].Kind == lexer.Number && tint:
		return [3]float64{1 - args[0].Num, 1 - args[0].Num, 1 - args[0].Num}
	case len(args) == 1 && args[0].Kind == lexer.Number:
		return [3]float64{args[0].Num, args[0].Num, args[0].Num}
	case len(args) == 3:
		return [3]float64{arg(args, 3, 0), arg(args, 3, 1), arg(args, 3, 2)}
	case len(args) == 4:
		return cmyk(args)
	}
	return [3]float64{.5, .5, .5} // a pattern: not white
}

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
	pageBox := geometry.NewRect(-2, -2, in.out.w+2, in.out.h+2)
	// What the clipping path cuts away entirely is not on the page. Text that is never painted, as that of OCR, is not clipped.
	clipped := st.mode != 3 && (st.clip.X0 > 0 || st.clip.Y0 > 0 || st.clip.X1 < in.out.w || st.clip.Y1 < in.out.h)
	g := glyph{dx: dirx / norm, dy: diry / norm, size: size, font: ft, vertical: ft.Vertical}
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
				g.x, g.y = m.Apply(0, 0)
				g.ex, g.ey = m.Apply(0, -1)
			} else {
				g.x, g.y = trm[4], trm[5]
				g.ex, g.ey = trm.Apply(w, 0)
			}
			if (pageBox.Has(g.x, g.y) || pageBox.Has(g.ex, g.ey) || pageBox.Has((g.x+g.ex)/2, (g.y+g.ey)/2-size/3)) &&
				!(clipped && st.clip.Misses(g.box())) {
				g.text, g.object = ch.Text, in.newObject
				in.out.glyphs = append(in.out.glyphs, g)
				in.newObject = false
			}
		}
		in.tm.Shift(tx, ty)
		if st.size != 0 {
			x, y := riseX+in.tm[4], riseY+in.tm[5]
			trm[4], trm[5] = x*st.ctm[0]+y*st.ctm[2]+st.ctm[4], x*st.ctm[1]+y*st.ctm[3]+st.ctm[5]
		}
		if k++; k&0x3FFF == 0 && in.ctx.Err() != nil || in.ops+k > maxOperators || len(in.out.glyphs) > maxPageGlyphs {
			break
		}
	}
	in.ops += k
}

func (in *interp) beginMarked(args []lexer.Operand, res cos.Dict) {
	m := mark{start: len(in.out.glyphs)}
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
	if m.actual == nil || m.start >= len(in.out.glyphs) {
		return
	}
	// The replacement stands where the first glyph was; the others keep their places and say nothing.
	gs := in.out.glyphs[m.start:]
	in.ops += len(gs)
	var have bytes.Buffer
	for i := range gs {
		have.WriteString(gs[i].text)
	}
	if have.String() == *m.actual {
		return
	}
	gs[0].text = *m.actual
	for i := 1; i < len(gs); i++ {
		gs[i].text = ""
	}
	if gs[0].y == gs[len(gs)-1].y || gs[0].x == gs[len(gs)-1].x { // one run: one wide glyph
		gs[0].ex, gs[0].ey = gs[len(gs)-1].ex, gs[len(gs)-1].ey
		in.out.glyphs = in.out.glyphs[:m.start+1]
	}
}

// hidden is that of the file; what it costs counts.
func (in *interp) hidden(o cos.Object) bool {
	if len(in.layers) > 0 {
		in.ops += len(in.f.Array(in.f.Dict(o)["OCGs"]))
	}
	return in.layers.Hidden(in.f, o)
}

// xobject runs a form or places an image.
func (in *interp) xobject(o cos.Object, res cos.Dict) {
	d := in.f.Dict(o)
	if d == nil || in.off > 0 || in.hidden(d["OC"]) {
		return
	}
	switch in.f.Name(d["Subtype"]) {
	case "Image":
		in.placeImage(o, d)
	case "Form":
		in.form(o, d, res)
	}
}

func (in *interp) form(o cos.Object, d, res cos.Dict) {
	nr := cos.ObjectNumber(o)
	if len(in.forms) >= maxFormDepth {
		return
	}
	for _, n := range in.forms {
		if n == nr && nr != 0 {
			return
		}
	}
	if in.ops += 16; in.ops >= in.check && !in.bounded("form object", nr) {
		return
	}
	data, err := in.f.Stream(o)
	if errors.Is(err, budget.ErrSpent) {
		in.err = err
		return
	}
	if err != nil && in.fault == nil {
		in.fault = fmt.Errorf("form object %d: %w", nr, err)
	}
	if r := in.f.Dict(d["Resources"]); r != nil {
		res = r
	}
	saved, stack, tm, tlm, marks, off := in.st, in.stack, in.tm, in.tlm, in.marks, in.off
	in.forms = append(in.forms, nr)
	in.stack, in.marks = nil, nil
	if m := in.f.Nums(d["Matrix"]); len(m) == 6 {
		in.st.ctm = geometry.Matrix(m).Mul(in.st.ctm)
	}
	if in.st.ctm.Finite() {
		if b := in.f.Nums(d["BBox"]); len(b) == 4 {
			in.st.clip = in.st.clip.Intersect(in.st.ctm.Box(b[0], b[1], b[2], b[3]))
		}
		in.run(data, res)
	}
	in.forms = in.forms[:len(in.forms)-1]
	in.st, in.stack, in.tm, in.tlm, in.marks, in.off = saved, stack, tm, tlm, marks, off
}
