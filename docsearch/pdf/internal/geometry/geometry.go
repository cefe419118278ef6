package geometry

import (
	"math"
	"slices"
)

// A Matrix is [a b c d e f] of ISO 32000-1, 8.3.4: x' = ax + cy + e, y' = bx + dy + f.
type Matrix [6]float64

// Identity is the transformation that changes nothing.
func Identity() Matrix { return Matrix{1, 0, 0, 1, 0, 0} }

// Mul returns the transformation that applies m first, then n.
func (m Matrix) Mul(n Matrix) Matrix {
	return Matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// Shift applies a translation before m.
func (m *Matrix) Shift(x, y float64) {
	m[4], m[5] = x*m[0]+y*m[2]+m[4], x*m[1]+y*m[3]+m[5]
}

// Apply transforms a point.
func (m Matrix) Apply(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// Expansion is the mean scale of m.
func (m Matrix) Expansion() float64 { return math.Sqrt(math.Abs(m[0]*m[3] - m[1]*m[2])) }

// Finite reports whether m can be computed with.
func (m Matrix) Finite() bool {
	for _, v := range m {
		if math.IsNaN(v) || math.Abs(v) > 1e9 {
			return false
		}
	}
	return true
}

// A Rect is a box on the page as shown, y down.
type Rect struct{ X0, Y0, X1, Y1 float64 }

// NewRect returns the box from its upper left to its lower right corner.
func NewRect(x0, y0, x1, y1 float64) Rect { return Rect{x0, y0, x1, y1} }

var empty = Rect{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}

// Empty holds nothing: what is added to it becomes the box.
func Empty() Rect { return empty }

// Add returns the box that also holds a point.
func (r Rect) Add(x, y float64) Rect {
	return Rect{min(r.X0, x), min(r.Y0, y), max(r.X1, x), max(r.Y1, y)}
}

// Union returns the box around both.
func (r Rect) Union(o Rect) Rect {
	return Rect{min(r.X0, o.X0), min(r.Y0, o.Y0), max(r.X1, o.X1), max(r.Y1, o.Y1)}
}

// Intersect returns what both have in common; it may be empty.
func (r Rect) Intersect(o Rect) Rect {
	return Rect{max(r.X0, o.X0), max(r.Y0, o.Y0), min(r.X1, o.X1), min(r.Y1, o.Y1)}
}

func (r Rect) Width() float64  { return r.X1 - r.X0 }
func (r Rect) Height() float64 { return r.Y1 - r.Y0 }
func (r Rect) IsEmpty() bool   { return r.X1 < r.X0 || r.Y1 < r.Y0 }
func (r Rect) MidX() float64   { return (r.X0 + r.X1) / 2 }
func (r Rect) MidY() float64   { return (r.Y0 + r.Y1) / 2 }

// Overlaps reports whether two boxes have an area in common.
func (r Rect) Overlaps(o Rect) bool {
	return r.X0 < o.X1 && o.X0 < r.X1 && r.Y0 < o.Y1 && o.Y0 < r.Y1
}

// OverlapsAny reports whether r overlaps one of several areas.
func (r Rect) OverlapsAny(areas []Rect) bool { return slices.ContainsFunc(areas, r.Overlaps) }

// Touches reports whether two boxes have a point in common, be it of their edges.
func (r Rect) Touches(o Rect) bool {
	return r.X0 <= o.X1 && o.X0 <= r.X1 && r.Y0 <= o.Y1 && o.Y0 <= r.Y1
}

// Misses reports whether o lies outside of r by more than a hair.
func (r Rect) Misses(o Rect) bool {
	const hair = .1 // points
	return o.X0 > r.X1+hair || o.X1 < r.X0-hair || o.Y0 > r.Y1+hair || o.Y1 < r.Y0-hair
}

// HasMiddle reports whether the middle of a box is in r.
func (r Rect) HasMiddle(o Rect) bool { return r.Has(o.MidX(), o.MidY()) }

// Has reports whether a point is in r, its edges included.
func (r Rect) Has(x, y float64) bool { return x >= r.X0 && x <= r.X1 && y >= r.Y0 && y <= r.Y1 }

// Box transforms a rectangle and returns the bounding box.
func (m Matrix) Box(x0, y0, x1, y1 float64) Rect {
	r := Empty()
	for _, p := range [4][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} {
		r = r.Add(m.Apply(p[0], p[1]))
	}
	return r
}

// Inverse returns the matrix that undoes m; ok is false when there is none.
func (m Matrix) Inverse() (out Matrix, ok bool) {
	det := m[0]*m[3] - m[1]*m[2]
	if !(math.Abs(det) > 1e-9) {
		return out, false
	}
	out = Matrix{m[3] / det, -m[1] / det, -m[2] / det, m[0] / det, 0, 0}
	out[4] = -(m[4]*out[0] + m[5]*out[2])
	out[5] = -(m[4]*out[1] + m[5]*out[3])
	return out, out.Finite()
}

// Round returns the box in hundredths of a point, as users get it.
func (r Rect) Round() Rect {
	round := func(v float64) float64 { return math.Round(v*100) / 100 }
	return Rect{round(r.X0), round(r.Y0), round(r.X1), round(r.Y1)}
}

// Median sorts numbers and returns the one in the middle, the upper of two; other when there are none.
func Median(xs []float64, other float64) float64 {
	if len(xs) == 0 {
		return other
	}
	slices.Sort(xs)
	return xs[len(xs)/2]
}

// Em is the usual size of letters that have these sizes, within bounds.
func Em(sizes []float64) float64 { return min(40, max(4, Median(sizes, 10))) }
