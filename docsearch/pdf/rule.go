package pdf

import "math"

// A rule is a horizontal or vertical line on the page, y down.
type rule struct {
	vertical bool
	pos      float64 // y of a horizontal rule, x of a vertical one
	lo, hi   float64
}

// A fill is a filled rectangle.
type fill struct {
	box   rect
	color [3]float64
}

// A path is the current path, in page coordinates.
type path struct {
	subs []subpath
	pts  [][2]float64 // of all subpaths, one after the other
	x, y float64      // current point, user space
}

// A subpath is the points of its path from one number on, up to those of the next.
type subpath struct {
	first  int
	curved bool
	closed bool
}

// clear empties the path and keeps a moderate amount of its memory.
func (p *path) clear() {
	p.subs, p.pts = p.subs[:0], p.pts[:0]
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

func (in *interp) pathOperator(op string, args []operand) {
	p := &in.path
	switch op {
	case "m":
		in.moveTo(arg(args, 2, 0), arg(args, 2, 1))
	case "l":
		in.lineTo(arg(args, 2, 0), arg(args, 2, 1), false)
	case "c":
		in.lineTo(arg(args, 6, 4), arg(args, 6, 5), true)
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
		p.clear()
	}
}

func (in *interp) moveTo(x, y float64) {
	in.path.x, in.path.y = x, y
	if len(in.path.subs) >= 20_000 {
		return
	}
	px, py := in.st.ctm.apply(x, y)
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
	px, py := in.st.ctm.apply(x, y)
	in.path.pts = append(in.path.pts, [2]float64{px, py})
	s.curved = s.curved || curve
}

const maxPathPoints = 1 << 20 // points of one path

const thinRule = 3.2 // points: a rectangle up to this thick is a rule

// paint keeps what a painted path means for tables and figures.
func (in *interp) paint(stroke, fillIt, closeIt bool) {
	defer in.path.clear()
	if in.off > 0 {
		return
	}
	out := in.out
	for i, s := range in.path.subs {
		if out.pathCount() > maxPaths {
			return
		}
		pts := in.path.points(i)
		if len(pts) < 2 {
			continue
		}
		box := emptyRect
		for _, p := range pts {
			box = box.add(p[0], p[1])
		}
		page := rect{0, 0, out.w, out.h}
		if c := box.clip(page); c.empty() {
			continue
		}
		if fillIt && !s.curved && isRect(pts) {
			switch {
			case box.h() <= thinRule && box.w() >= 4 && box.w() > 2*box.h():
				if !white(in.st.fill) {
					out.rules = append(out.rules, rule{false, box.midY(), box.x0, box.x1})
				}
			case box.w() <= thinRule && box.h() >= 4 && box.h() > 2*box.w():
				if !white(in.st.fill) {
					out.rules = append(out.rules, rule{true, box.midX(), box.y0, box.y1})
				}
			case box.w() > thinRule && box.h() > thinRule:
				out.fills = append(out.fills, fill{box, in.st.fill})
			}
			if !stroke {
				continue
			}
		} else if fillIt && (s.curved || len(pts) > 5) {
			out.diag = append(out.diag, box)
			if !stroke {
				continue
			}
		}
		if !stroke || white(in.st.stroke) {
			continue
		}
		if s.curved {
			out.diag = append(out.diag, box)
			continue
		}
		edges := len(pts) - 1
		if s.closed || closeIt {
			edges++ // back to the first point
		}
		for i := range edges {
			a, b := pts[i], pts[(i+1)%len(pts)]
			dx, dy := math.Abs(a[0]-b[0]), math.Abs(a[1]-b[1])
			switch {
			case dy <= 1 && dx >= 4:
				out.rules = append(out.rules, rule{false, (a[1] + b[1]) / 2, math.Min(a[0], b[0]), math.Max(a[0], b[0])})
			case dx <= 1 && dy >= 4:
				out.rules = append(out.rules, rule{true, (a[0] + b[0]) / 2, math.Min(a[1], b[1]), math.Max(a[1], b[1])})
			case dx > 1 && dy > 1:
				out.diag = append(out.diag, rect{math.Min(a[0], b[0]), math.Min(a[1], b[1]), math.Max(a[0], b[0]), math.Max(a[1], b[1])})
			}
		}
	}
}

func (c *canvas) pathCount() int { return len(c.rules) + len(c.fills) + len(c.diag) }

func white(c [3]float64) bool { return c[0] > .98 && c[1] > .98 && c[2] > .98 }

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
