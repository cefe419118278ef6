package layout

import "math"

// maxFieldPairs bounds the comparisons of form fields with the text of a page.
const maxFieldPairs = 1 << 22

// fieldReach is how far to the right of its label a value may begin, in ems. What is farther away stands in a column of its own,
// and keeps the order in which it is drawn.
const fieldReach = 2

// placeFields moves the values of form fields to the text that they stand beside. They are drawn after everything else on
// the page, but read as "Name: value".
func placeFields(segs []Segment) []Segment {
	first := len(segs)
	for first > 0 && segs[first-1].Glyphs[0].Field {
		first--
	}
	fields := len(segs) - first
	if fields == 0 || first == 0 || fields*first > maxFieldPairs {
		return segs
	}
	after := make([][]int, first) // fields by the text that they follow
	placed := 0
	anchor := -1
	for i := first; i < len(segs); i++ {
		f := &segs[i]
		if i > first && !f.Glyphs[0].Begins { // more lines of the same field
			if anchor >= 0 {
				after[anchor] = append(after[anchor], i)
			}
			continue
		}
		best, dist := -1, math.Inf(1)
		for k := range first {
			s := &segs[k]
			if s.dx*f.dx+s.dy*f.dy < .999 || math.Abs(s.Base-f.Base) > .7*max(s.Size, f.Size) || f.dx < .999 {
				continue
			}
			if d := f.Box.X0 - s.Box.X1; d > -f.Size && d < min(dist, fieldReach*f.Size) {
				best, dist = k, d
			}
		}
		if anchor = best; best >= 0 {
			after[best] = append(after[best], i)
			placed++
		}
	}
	if placed == 0 {
		return segs
	}
	out := make([]Segment, 0, len(segs))
	done := make([]bool, len(segs))
	for k := range first {
		out = append(out, segs[k])
		for _, i := range after[k] {
			segs[i].block = segs[k].block
			out = append(out, segs[i])
			done[i] = true
		}
	}
	for i := first; i < len(segs); i++ {
		if !done[i] {
			out = append(out, segs[i])
		}
	}
	copy(segs, out)
	return segs
}
