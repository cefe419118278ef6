package content

import (
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
	"github.com/findspot/findspot/internal/errs"
)

// Bounds on what one file may make us do. They are far above what documents need.
const (
	maxFormDepth  = 12        // nested form XObjects
	MaxOperators  = 8_000_000 // operators and characters of one page, forms included
	maxPageGlyphs = 300_000   // a wall chart in small type has a third of it
	maxPageBytes  = 64 << 20  // bytes of content of one page, forms included
	maxPaths      = 200_000   // path segments kept for tables and figures
)

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
	out       *Canvas
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

func newInterp(ctx context.Context, f *Source, p *catalog.Page, mem *Memory) *interp {
	m, w, h := p.ToPage()
	mem.Canvas.Width, mem.Canvas.Height = w, h
	r := f.Reader.With(ctx)
	in := &interp{
		ctx: ctx, f: r, fonts: &font.Loader{Reader: r, Set: f.fonts}, layers: f.layers, node: p, out: &mem.Canvas, tm: geometry.Identity(), tlm: geometry.Identity(), stack: mem.stack[:0], path: mem.path, lexed: mem.lexed, args: mem.args,
	}
	in.st = state{ctm: m, tz: 1, lineWidth: 1, clip: geometry.NewRect(0, 0, w, h)}
	return in
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
	case in.ops > MaxOperators || len(in.out.Glyphs) > maxPageGlyphs:
		in.err = fmt.Errorf("%w: %s %d: over %d operators and characters, or %d characters on the page", errs.TooLarge, where, at, MaxOperators, maxPageGlyphs)
	case in.fonts.Bytes > font.MaxPageBytes:
		in.err = fmt.Errorf("%w: %s %d: fonts of over %d bytes", errs.TooLarge, where, at, font.MaxPageBytes)
	}
	return in.err == nil
}

// arg returns the i-th of the last want operands as a number.
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
		in.tm, in.tlm = geometry.Identity(), geometry.Identity()
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
			in.marks = append(in.marks, mark{start: len(in.out.Glyphs)})
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
		st.fill, st.fillTint = [3]float64{}, tinted(in, args, res)
	case "CS":
		st.stroke, st.lineTint = [3]float64{}, tinted(in, args, res)
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
	if n := min(len(data)/5, keptGlyphs/4); cap(in.out.Glyphs) < n { // a page has one in four to eight bytes
		in.out.Glyphs = make([]Glyph, 0, n)
	}
	in.run(data, p.Resources)
	if in.err == nil {
		in.st, in.stack, in.marks, in.off = base, in.stack[:0], nil, 0
		in.annotations(p)
	}
	return in.err
}
