package rawtext

import (
	"slices"
	"strings"
)

// Joints returns the byte ranges of raw that stand between the running texts of two pages, in order: the lines apart that end a page and begin the next one, with the
// pages that have no others. pages are the offsets of the pages, and apart the lines of each that stand apart, from 1 and in order. A page without any text may hold one
// that could not be read, so that nothing goes on over it.
func Joints(raw string, pages []int, apart [][]int) (out [][2]int) {
	open := -1 // where the running text ended that may go on; -1: nowhere
	for n, at := range pages {
		end := len(raw)
		if n+1 < len(pages) {
			end = pages[n+1]
		}
		first, last := -1, -1 // the running text of the page
		line, next := 0, at
		for s := range strings.Lines(raw[at:end]) {
			line++
			from := next
			next += len(s)
			if _, aside := slices.BinarySearch(apart[n], line); aside || strings.TrimSpace(s) == "" {
				continue
			}
			if last = next; first < 0 {
				first = from
			}
		}
		switch {
		case first < 0 && len(apart[n]) == 0:
			open = -1
		case first >= 0:
			if open >= 0 && open < first {
				out = append(out, [2]int{open, first})
			}
			open = last
		}
	}
	return out
}
