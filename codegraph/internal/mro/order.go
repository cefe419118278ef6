package mro

import (
	"slices"
)

// An Order is the lookup order of a class's members.
type Order struct {
	Classes []int32 // classes, the class itself first
	Depth   []int32 // how far each is from the class, where the order is by that; ascending
	Open    bool    // a base class is outside or unknown
}

// Equal tells whether two orders are the same.
func (m *Order) Equal(o *Order) bool {
	return m.Open == o.Open && slices.Equal(m.Classes, o.Classes) && slices.Equal(m.Depth, o.Depth)
}

// Alone is the order of a class without bases.
func Alone(c int32) *Order { return &Order{Classes: []int32{c}} }

// Linear orders a class and what is above it by C3; where the bases contradict one another, depth first and left to right. above
// are the orders of the bases.
func Linear(c int32, bases []int32, above []*Order) *Order {
	m := Alone(c)
	lists := make([][]int32, 0, len(bases)+1)
	for _, o := range above {
		m.Open = m.Open || o.Open
		lists = append(lists, o.Classes)
	}
	if tail, ok := merge(append(slices.Clone(lists), bases)); ok && !slices.Contains(tail, c) {
		m.Classes = append(m.Classes, tail...)
		return m
	}
	for _, o := range lists {
		for _, b := range o {
			if !slices.Contains(m.Classes, b) {
				m.Classes = append(m.Classes, b)
			}
		}
	}
	return m
}

// merge is the merge step of C3 (Barrett et al., A Monotonic Superclass Linearization for Dylan, 1996). It uses up the list of lists.
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

const maxAbove = 128 // classes in one lookup order by distance; what is farther counts as unknown

// Nearest orders a class and what is above it by distance: what is embedded less deep wins (The Go Programming Language
// Specification, "Selectors"). above are the orders of the bases.
func Nearest(c int32, above []*Order) *Order {
	m := Alone(c)
	m.Depth = []int32{0}
	for _, o := range above {
		m.Open = m.Open || o.Open
	}
	for depth, more := int32(0), true; more; depth++ {
		more = false
		for _, o := range above {
			for i, c := range o.Classes {
				at := int32(i) // an order that is not by distance, of a class under its own bases
				if i < len(o.Depth) {
					at = o.Depth[i]
				}
				more = more || at > depth
				if at == depth && !slices.Contains(m.Classes, c) {
					m.Classes, m.Depth = append(m.Classes, c), append(m.Depth, depth+1)
				}
			}
		}
	}
	if len(m.Classes) > maxAbove {
		m.Classes, m.Depth, m.Open = m.Classes[:maxAbove:maxAbove], m.Depth[:maxAbove:maxAbove], true
	}
	return m
}
