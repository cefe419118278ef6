package content

import (
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
)

// A Rule is a horizontal or vertical line on the page, y down.
type Rule struct {
	Vertical bool
	Pos      float64 // y of a horizontal rule, x of a vertical one
	Lo, Hi   float64
}

// A Fill is a filled rectangle.
type Fill struct {
	Box   geometry.Rect
	Color [3]float64
	Over  int // rules painted before it: a white area hides those it covers
}

// A path is the current path, in page coordinates.
type path struct {
	subs []subpath
	pts  [][2]float64 // of all subpaths, one after the other
	x, y float64      // current point, user space
	clip bool         // W or W*: becomes the clip when it is painted
}

// A subpath is the points of its path from one number on, up to those of the next.
type subpath struct {
	first  int
	curved bool
	closed bool
}

// clear empties the path and keeps a moderate amount of its memory.
func (p *path) clear() {
	p.subs, p.pts, p.clip = p.subs[:0], p.pts[:0], false
	if cap(p.pts) > 1<<16 {
		p.pts = nil
	}
}

// points returns those of the i-th subpath.
func (p *path) points(i int) [][2]float64 {
	end := len(p.pts)
	if i+1 < len(p.subs) {
		end = p.subs[i+1].first
	}
	return p.pts[p.subs[i].first:end:end]
}

func (in *interp) pathOperator(op string, args []lexer.Operand) {
	p := &in.path
	switch op {
	case "m":
		in.moveTo(arg(args, 2, 0), arg(args, 2, 1))
	case "l":
		in.lineTo(arg(args, 2, 0), arg(args, 2, 1), false)
	case "c":
		x, y := arg(args, 6, 4), arg(args, 6, 5)
		// The middle of the curve shows how far it reaches.
		in.lineTo((in.path.x+3*arg(args, 6, 0)+3*arg(args, 6, 2)+x)/8, (in.path.y+3*arg(args, 6, 1)+3*arg(args, 6, 3)+y)/8, true)
		in.lineTo(x, y, true)
	case "v", "y":
		in.lineTo(arg(args, 4, 2), arg(args, 4, 3), true)
	case "h":
		if n := len(p.subs); n > 0 {
			p.subs[n-1].closed = true
		}
	case "re":
		x, y, w, h := arg(args, 4, 0), arg(args, 4, 1), arg(args, 4, 2), arg(args, 4, 3)
		in.moveTo(x, y)
		in.lineTo(x+w, y, false)
		in.lineTo(x+w, y+h, false)
		in.lineTo(x, y+h, false)
		if n := len(p.subs); n > 0 {
			p.subs[n-1].closed = true
		}
		in.path.x, in.path.y = x, y
	case "S", "s":
		in.paint(true, false, op == "s")
	case "f", "F", "f*":
		in.paint(false, true, true)
	case "B", "B*":
		in.paint(true, true, false)
	case "b", "b*":
		in.paint(true, true, true)
	case "n":
		in.endPath()
	case "W", "W*":
		p.clip = true
	}
}

func (in *interp) moveTo(x, y float64) {
	in.path.x, in.path.y = x, y
	if len(in.path.subs) >= 20_000 {
		return
	}
	px, py := in.st.ctm.Apply(x, y)
	in.path.subs = append(in.path.subs, subpath{first: len(in.path.pts)})
	in.path.pts = append(in.path.pts, [2]float64{px, py})
}

func (in *interp) lineTo(x, y float64, curve bool) {
	n := len(in.path.subs)
	if n == 0 {
		in.moveTo(x, y)
		return
	}
	s := &in.path.subs[n-1]
	if s.closed {
		in.moveTo(in.path.x, in.path.y)
		n = len(in.path.subs)
		s = &in.path.subs[n-1]
	}
	in.path.x, in.path.y = x, y
	if len(in.path.pts)-s.first >= 20_000 || len(in.path.pts) >= maxPathPoints {
		return
	}
	px, py := in.st.ctm.Apply(x, y)
	in.path.pts = append(in.path.pts, [2]float64{px, py})
	s.curved = s.curved || curve
}

const maxPathPoints = 1 << 20 // points of one path

const ThinRule = 3.2 // points: a rectangle or stroke up to this thick is a rule

// paint keeps what a painted path means for tables and figures.
func (in *interp) paint(stroke, fillIt, closeIt bool) {
	defer in.endPath()
	if in.off > 0 {
		return
	}
	out := in.out
	page := geometry.NewRect(0, 0, out.Width, out.Height).Intersect(in.st.clip)
	if page.IsEmpty() {
		return
	}
	for i := range in.path.subs {
		s, pts := &in.path.subs[i], in.path.points(i)
		if out.PathCount() > maxPaths {
			return
		}
		if len(pts) < 2 {
			continue
		}
		box := geometry.Empty()
		for _, p := range pts {
			box = box.Add(p[0], p[1])
		}
		if box.Intersect(page).IsEmpty() {
			continue
		}
		if fillIt {
			out.fillShape(s, pts, box, page, in.st.fill)
		}
		if stroke && !White(in.st.stroke) {
			out.strokeShape(s, pts, page, in.st.lineWidth*in.st.ctm.Expansion(), closeIt, in.st.stroke)
		}
	}
}

// endPath drops the current path; a clip that was asked for takes effect (ISO 32000-1, 8.5.4). Of a clip that is no
// rectangle its box is kept: nothing that shows is lost.
func (in *interp) endPath() {
	if in.path.clip && len(in.path.subs) > 0 {
		box := geometry.Empty()
		for _, p := range in.path.pts {
			box = box.Add(p[0], p[1])
		}
		in.st.clip = in.st.clip.Intersect(box)
	}
	in.path.clear()
}

// fillShape keeps a filled shape: thin rectangles are rules, others areas of a colour, the rest drawing.
func (c *Canvas) fillShape(s *subpath, pts [][2]float64, box, page geometry.Rect, color [3]float64) {
	if s.curved || !isRect(pts) && !isBorder(pts, box) {
		if s.curved || len(pts) > 3 {
			c.outline(pts, page)
		}
		return
	}
	box = box.Intersect(page)
	switch {
	case box.Height() <= ThinRule && box.Width() > 2*box.Height():
		if !White(color) {
			c.Rules = append(c.Rules, Rule{false, box.MidY(), box.X0, box.X1})
		}
	case box.Width() <= ThinRule && box.Height() > 2*box.Width():
		if !White(color) {
			c.Rules = append(c.Rules, Rule{true, box.MidX(), box.Y0, box.Y1})
		}
	case box.Width() > ThinRule && box.Height() > ThinRule:
		c.Fills = append(c.Fills, Fill{box, color, len(c.Rules)})
	}
}

// strokeShape keeps the straight strokes of a path as rules, or as areas when they are thick, and the others as drawing.
func (c *Canvas) strokeShape(s *subpath, pts [][2]float64, page geometry.Rect, width float64, closeIt bool, color [3]float64) {
	if s.curved {
		c.outline(pts, page)
		return
	}
	n := len(pts)
	if s.closed || closeIt {
		n++
	}
	for i := 1; i < n; i++ {
		a, b := pts[i-1], pts[i%len(pts)]
		box := geometry.NewRect(math.Min(a[0], b[0]), math.Min(a[1], b[1]), math.Max(a[0], b[0]), math.Max(a[1], b[1]))
		level, upright := box.Height() <= 1 && box.Width() > box.Height(), box.Width() <= 1 && box.Height() > box.Width()
		box = box.Intersect(page)
		switch {
		case box.IsEmpty():
		case level && width > ThinRule && box.Width() > width:
			c.Fills = append(c.Fills, Fill{geometry.NewRect(box.X0, box.MidY()-width/2, box.X1, box.MidY()+width/2), color, len(c.Rules)})
		case upright && width > ThinRule && box.Height() > width:
			c.Fills = append(c.Fills, Fill{geometry.NewRect(box.MidX()-width/2, box.Y0, box.MidX()+width/2, box.Y1), color, len(c.Rules)})
		case level:
			c.Rules = append(c.Rules, Rule{false, box.MidY(), box.X0, box.X1})
		case upright:
			c.Rules = append(c.Rules, Rule{true, box.MidX(), box.Y0, box.Y1})
		default:
			c.Diagonals = append(c.Diagonals, box)
		}
		if c.PathCount() > maxPaths {
			return
		}
	}
}

const maxOutline = 64 // steps kept of one curve

// outline keeps the steps of a curve: many in one place are a drawing.
func (c *Canvas) outline(pts [][2]float64, page geometry.Rect) {
	for i := 1; i < len(pts) && i <= maxOutline; i++ {
		a, b := pts[i-1], pts[i]
		box := geometry.NewRect(math.Min(a[0], b[0]), math.Min(a[1], b[1]), math.Max(a[0], b[0]), math.Max(a[1], b[1])).Intersect(page)
		if !box.IsEmpty() {
			c.Diagonals = append(c.Diagonals, box)
		}
	}
}

// White reports whether a colour cannot be told from white paper.
func White(c [3]float64) bool { return c[0] > .98 && c[1] > .98 && c[2] > .98 }

// isBorder reports whether a shape is one side of a box as browsers draw it: long and thin, with ends cut at an angle.
func isBorder(p [][2]float64, box geometry.Rect) bool {
	thick, long := math.Min(box.Width(), box.Height()), math.Max(box.Width(), box.Height())
	return (len(p) == 4 || len(p) == 5) && thick <= ThinRule && long > 4*thick
}

// isRect reports whether the points are the corners of a rectangle along the axes.
func isRect(p [][2]float64) bool {
	if len(p) == 5 && math.Abs(p[0][0]-p[4][0])+math.Abs(p[0][1]-p[4][1]) < .1 {
		p = p[:4]
	}
	if len(p) != 4 {
		return false
	}
	for i := range 4 {
		a, b := p[i], p[(i+1)%4]
		if math.Abs(a[0]-b[0]) > .5 && math.Abs(a[1]-b[1]) > .5 {
			return false
		}
	}
	return true
}
