package link

import (
	"slices"
)

const maxAbove = 128 // classes in one lookup order by distance; what is farther counts as unknown

// nearest orders what is above a class by distance: what is embedded less deep wins (The Go Programming Language
// Specification, "Selectors").
func (m *mro) nearest(above []*mro) {
	defer func() {
		if len(m.order) > maxAbove {
			m.order, m.depth, m.open = m.order[:maxAbove:maxAbove], m.depth[:maxAbove:maxAbove], true
		}
	}()
	m.depth = []int32{0}
	for depth := int32(0); ; depth++ {
		more := false
		for _, o := range above {
			for i, c := range o.order {
				at := int32(i) // an order that is not by distance, of a class under its own bases
				if i < len(o.depth) {
					at = o.depth[i]
				}
				more = more || at > depth
				if at == depth && !slices.Contains(m.order, c) {
					m.order, m.depth = append(m.order, c), append(m.depth, depth+1)
				}
			}
		}
		if !more {
			return
		}
	}
}

// merge is the merge step of C3 (Barrett et al., A Monotonic Superclass Linearization for Dylan, 1996).
func merge(lists [][]int32) ([]int32, bool) {
	var out []int32
	for {
		lists = slices.DeleteFunc(lists, func(l []int32) bool { return len(l) == 0 })
		if len(lists) == 0 {
			return out, true
		}
		pick := int32(-1)
		for _, l := range lists {
			if !slices.ContainsFunc(lists, func(o []int32) bool { return slices.Contains(o[1:], l[0]) }) {
				pick = l[0]
				break
			}
		}
		if pick < 0 {
			return nil, false
		}
		out = append(out, pick)
		for i := range lists {
			if lists[i][0] == pick {
				lists[i] = lists[i][1:]
			}
		}
	}
}
