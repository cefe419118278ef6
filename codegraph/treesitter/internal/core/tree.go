package core

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A Node is one named node; see flatten.h.
type Node struct {
	Start, End, Next int32 // Next is the index behind the node's subtree
	Symbol           uint16
	Field, Flags     uint8
}

const flagError = 1

// A Tree is a flattened syntax tree in preorder. Nodes are indices; -1 is no node.
type Tree struct {
	Grammar *Grammar
	Src     []byte
	Nodes   []Node
	Errors  int32 // syntax errors

	text  string  // Src, once a text of it was asked for
	lines []int32 // offsets of the lines' first bytes
	shift int32   // from offsets of the tree to those of the file, where that is another
}

// Start gives the offset of a node's first byte.
func (t *Tree) Start(n int32) int32 { return t.Nodes[n].Start }

// End gives the offset behind a node.
func (t *Tree) End(n int32) int32 { return t.Nodes[n].End }

// Next gives the first node behind a node and all that is in it.
func (t *Tree) Next(n int32) int32 { return t.Nodes[n].Next }

// Kind gives the grammar's name for the node, "ERROR" for what it does not know, "" for no node.
func (t *Tree) Kind(n int32) string {
	if n < 0 {
		return ""
	}
	r := &t.Nodes[n]
	if r.Flags&flagError != 0 || int(r.Symbol) >= len(t.Grammar.Symbols) {
		return "ERROR"
	}
	return t.Grammar.Symbols[r.Symbol]
}

// Is tells whether a node is of one of the kinds.
func (t *Tree) Is(n int32, kinds ...string) bool { return slices.Contains(kinds, t.Kind(n)) }

// Text gives the source of a node.
func (t *Tree) Text(n int32) string {
	if n < 0 {
		return ""
	}
	if t.text == "" {
		t.text = string(t.Src) // once: names are cut from it
	}
	return t.text[t.Start(n):t.End(n)]
}

// Children yields the named children of n in order.
func (t *Tree) Children(n int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if n < 0 {
			return
		}
		for c := n + 1; c < t.Next(n); c = t.Next(c) {
			if !yield(c) {
				return
			}
		}
	}
}

// FieldName gives the name of the field of its parent that a node fills, or "".
func (t *Tree) FieldName(n int32) string { return t.Grammar.fields[t.Nodes[n].Field] }

// Field gives the first child in a field, or -1.
func (t *Tree) Field(n int32, name string) int32 {
	for c := range t.Children(n) {
		if t.FieldName(c) == name {
			return c
		}
	}
	return -1
}

// First gives the first child of one of the kinds, or -1.
func (t *Tree) First(n int32, kinds ...string) int32 {
	for c := range t.Children(n) {
		if t.Is(c, kinds...) {
			return c
		}
	}
	return -1
}

// Parts yields the named children of n that are no comments.
func (t *Tree) Parts(n int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for c := range t.Children(n) {
			if !strings.HasSuffix(t.Kind(c), "comment") && !yield(c) {
				return
			}
		}
	}
}

// Of yields the children of n that are of one of the kinds.
func (t *Tree) Of(n int32, kinds ...string) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for c := range t.Children(n) {
			if t.Is(c, kinds...) && !yield(c) {
				return
			}
		}
	}
}

// Last gives the last child that is no comment, or -1.
func (t *Tree) Last(n int32) int32 {
	last := int32(-1)
	for c := range t.Parts(n) {
		last = c
	}
	return last
}

// Between gives the source between two nodes, such as an operator, without the spaces around; "" when one is missing.
func (t *Tree) Between(a, b int32) string {
	if a < 0 || b < 0 {
		return ""
	}
	return strings.TrimSpace(string(t.Src[t.End(a):t.Start(b)]))
}

// Child gives the i-th named child that is no comment, or -1.
func (t *Tree) Child(n int32, i int) int32 {
	for c := range t.Children(n) {
		if t.Kind(c) == "comment" {
			continue
		}
		if i == 0 {
			return c
		}
		i--
	}
	return -1
}

// Before gives the source between the start of n and the start of its child c, where keywords stand.
func (t *Tree) Before(n, c int32) []byte {
	if c < 0 {
		return t.Src[t.Start(n):t.End(n)]
	}
	return t.Src[t.Start(n):t.Start(c)]
}

// IndexLines finds the lines of the file, for Place, Line and Span. The file is Src, or what Src was made of without moving a byte.
func (t *Tree) IndexLines(file []byte) {
	t.lines = append(t.lines[:0], 0)
	for at := 0; ; {
		i := bytes.IndexByte(file[at:], '\n')
		if i < 0 {
			return
		}
		at += i + 1
		t.lines = append(t.lines, int32(at))
	}
}

// PartOf makes places in a tree those of the file that it is a part of; shift leads from its offsets to those of the other tree.
func (t *Tree) PartOf(file *Tree, shift int32) { t.lines, t.shift = file.lines, file.shift+shift }

// Place gives line and column, from 1, of an offset.
func (t *Tree) Place(off int32) (line, col int32) {
	off += t.shift
	i, ok := slices.BinarySearch(t.lines, off)
	if !ok {
		i--
	}
	return int32(i + 1), off - t.lines[i] + 1
}

// Line gives the line, from 1, on which a node begins; that of the tree for no node.
func (t *Tree) Line(n int32) int32 {
	l, _ := t.Place(t.Start(max(n, 0)))
	return l
}

// Span gives a range of bytes with its lines.
func (t *Tree) Span(start, end int32) lang.Span {
	s := lang.Span{Start: start + t.shift, End: end + t.shift}
	s.Line, s.Col = t.Place(start)
	s.EndLine, s.EndCol = t.Place(end)
	if end > start && s.EndCol == 1 { // ends behind a newline
		s.EndLine, s.EndCol = t.Place(end - 1)
		s.EndCol++
	}
	return s
}
