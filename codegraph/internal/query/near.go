package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/snapshot"
)

// Near gives up to n existing ids similar to a written id or name, nearest first.
func Near(g *snapshot.Graph, name string, n int) []string {
	if n <= 0 || name == "" {
		return []string{}
	}
	last := strings.ToLower(name)
	if i := strings.LastIndexAny(last, ".:/"); i >= 0 && i+1 < len(last) {
		last = last[i+1:]
	}
	type near struct {
		id string
		d  int
	}
	var list []near
	most := 1 + len(last)/4
	for other := range g.Words().WithPrefix("") {
		var d int
		switch {
		case other == last:
			d = 0
		case len(last) >= 3 && (strings.HasPrefix(other, last) || strings.HasPrefix(last, other) && len(other) >= 3):
			d = 1
		default:
			d = distance(last, other, most)
		}
		if d > most {
			continue
		}
		for _, i := range g.Words().Named(other) {
			id := g.ID(i)
			list = append(list, near{id, d*1000 + distance(strings.ToLower(name), strings.ToLower(id), 200)})
		}
	}
	slices.SortFunc(list, func(a, b near) int { return cmp.Or(cmp.Compare(a.d, b.d), strings.Compare(a.id, b.id)) })
	out := []string{}
	for _, l := range list {
		if !slices.Contains(out, l.id) {
			if out = append(out, l.id); len(out) == n {
				break
			}
		}
	}
	return out
}

// distance is the number of bytes to insert, delete or replace, or of neighbours to swap, to make a into b, or most+1 when
// it is more than most.
func distance(a, b string, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		above[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		best := row[0]
		for j := range len(b) {
			c := above[j]
			if a[i] != b[j] {
				c = 1 + min(c, row[j], above[j+1])
				if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
					c = min(c, 1+before[j-1])
				}
			}
			row[j+1] = c
			best = min(best, c)
		}
		if best > most {
			return most + 1
		}
		before, above, row = above, row, before
	}
	return min(above[len(b)], most+1)
}
