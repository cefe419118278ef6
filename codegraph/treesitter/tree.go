package treesitter

import (
	"bytes"
	"iter"
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
)

// A record is one named node; see flatten.h.
type record struct {
	start, end, next int32
	symbol           uint16
	field, flags     uint8
}

const flagError, flagMissing = 1, 2

// A tree is a flattened syntax tree in preorder. Nodes are indices; -1 is no node.
type tree struct {
	g      *grammar
	src    []byte
	str    string // src, once a text of it was asked for
	rec    []record
	errors int32
	lines  []int32 // offsets of the lines' first bytes
}

func (t *tree) kind(n int32) string {
	r := &t.rec[n]
	if r.flags&flagError != 0 || int(r.symbol) >= len(t.g.symbols) {
		return "ERROR"
	}
	return t.g.symbols[r.symbol]
}

func (t *tree) text(n int32) string {
	if n < 0 {
		return ""
	}
	if t.str == "" {
		t.str = string(t.src) // once: names are cut from it
	}
	return t.str[t.rec[n].start:t.rec[n].end]
}

// children yields the named children of n in order.
func (t *tree) children(n int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if n < 0 {
			return
		}
		for c := n + 1; c < t.rec[n].next; c = t.rec[c].next {
			if !yield(c) {
				return
			}
		}
	}
}

func (t *tree) fieldName(n int32) string { return t.g.fields[t.rec[n].field] }

// field gives the first child in a field, or -1.
func (t *tree) field(n int32, name string) int32 {
	for c := range t.children(n) {
		if t.fieldName(c) == name {
			return c
		}
	}
	return -1
}

// first gives the first child of one of the kinds, or -1.
func (t *tree) first(n int32, kinds ...string) int32 {
	for c := range t.children(n) {
		if slices.Contains(kinds, t.kind(c)) {
			return c
		}
	}
	return -1
}

// child gives the i-th named child that is no comment, or -1.
func (t *tree) child(n int32, i int) int32 {
	for c := range t.children(n) {
		if t.kind(c) == "comment" {
			continue
		}
		if i == 0 {
			return c
		}
		i--
	}
	return -1
}

// before gives the source between the start of n and the start of its child c, where keywords stand.
func (t *tree) before(n, c int32) []byte {
	if c < 0 {
		return t.src[t.rec[n].start:t.rec[n].end]
	}
	return t.src[t.rec[n].start:t.rec[c].start]
}

func (t *tree) index() {
	t.lines = append(t.lines[:0], 0)
	for at := 0; ; {
		i := bytes.IndexByte(t.src[at:], '\n')
		if i < 0 {
			return
		}
		at += i + 1
		t.lines = append(t.lines, int32(at))
	}
}

// place gives line and column, from 1, of an offset.
func (t *tree) place(off int32) (line, col int32) {
	i, ok := slices.BinarySearch(t.lines, off)
	if !ok {
		i--
	}
	return int32(i + 1), off - t.lines[i] + 1
}

func (t *tree) span(start, end int32) lang.Span {
	s := lang.Span{Start: start, End: end}
	s.Line, s.Col = t.place(start)
	s.EndLine, s.EndCol = t.place(end)
	if end > start && s.EndCol == 1 { // ends behind a newline
		s.EndLine, s.EndCol = t.place(end - 1)
		s.EndCol++
	}
	return s
}

func (t *tree) lineCount() int32 {
	n := int32(len(t.lines))
	if n > 1 && t.lines[n-1] == int32(len(t.src)) {
		n--
	}
	return n
}
