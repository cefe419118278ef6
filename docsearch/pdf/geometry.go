package pdf

import "math"

// A matrix is [a b c d e f] of ISO 32000-1, 8.3.4: x' = ax + cy + e, y' = bx + dy + f.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// mul returns the transformation that applies m first, then n.
func (m matrix) mul(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// shift applies a translation before m.
func (m *matrix) shift(x, y float64) {
	m[4], m[5] = x*m[0]+y*m[2]+m[4], x*m[1]+y*m[3]+m[5]
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// expansion is the mean scale of m.
func (m matrix) expansion() float64 { return math.Sqrt(math.Abs(m[0]*m[3] - m[1]*m[2])) }

func (m matrix) finite() bool {
	for _, v := range m {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			return false
		}
	}
	return true
}

// toPage maps user space to the page as shown: origin top left, y down, rotated; it also gives the size.
func (p *pageNode) toPage() (m matrix, w, h float64) {
	x0, y0, x1, y1 := p.media[0], p.media[1], p.media[2], p.media[3]
	w, h = x1-x0, y1-y0
	switch p.rotate {
	case 90:
		return matrix{0, 1, 1, 0, -y0, -x0}, h, w
	case 180:
		return matrix{-1, 0, 0, 1, x1, -y0}, w, h
	case 270:
		return matrix{0, -1, -1, 0, y1, x1}, h, w
	}
	return matrix{1, 0, 0, -1, -x0, y1}, w, h
}

// A rect is a box on the page as shown, y down.
type rect struct{ x0, y0, x1, y1 float64 }

var emptyRect = rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

func (r rect) add(x, y float64) rect {
	return rect{min(r.x0, x), min(r.y0, y), max(r.x1, x), max(r.y1, y)}
}

func (r rect) union(o rect) rect {
	return rect{min(r.x0, o.x0), min(r.y0, o.y0), max(r.x1, o.x1), max(r.y1, o.y1)}
}

func (r rect) clip(o rect) rect {
	return rect{max(r.x0, o.x0), max(r.y0, o.y0), min(r.x1, o.x1), min(r.y1, o.y1)}
}

func (r rect) w() float64    { return r.x1 - r.x0 }
func (r rect) h() float64    { return r.y1 - r.y0 }
func (r rect) empty() bool   { return r.x1 < r.x0 || r.y1 < r.y0 }
func (r rect) midX() float64 { return (r.x0 + r.x1) / 2 }
func (r rect) midY() float64 { return (r.y0 + r.y1) / 2 }

func (r rect) overlaps(o rect) bool {
	return r.x0 < o.x1 && o.x0 < r.x1 && r.y0 < o.y1 && o.y0 < r.y1
}

// misses reports whether o lies outside of r by more than a hair.
func (r rect) misses(o rect) bool {
	const hair = .1 // points
	return o.x0 > r.x1+hair || o.x1 < r.x0-hair || o.y0 > r.y1+hair || o.y1 < r.y0-hair
}

func (r rect) has(x, y float64) bool { return x >= r.x0 && x <= r.x1 && y >= r.y0 && y <= r.y1 }

// box transforms a rectangle and returns the bounding box.
func (m matrix) box(x0, y0, x1, y1 float64) rect {
	r := emptyRect
	for _, p := range [4][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} {
		r = r.add(m.apply(p[0], p[1]))
	}
	return r
}
