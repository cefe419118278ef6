package core

import (
	"bytes"
	"iter"
	"slices"

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
}

// Start gives the offset of a node's first byte.
func (t *Tree) Start(n int32) int32 { return t.Nodes[n].Start }

// End gives the offset behind a node.
func (t *Tree) End(n int32) int32 { return t.Nodes[n].End }

// Next gives the first node behind a node and all that is in it.
func (t *Tree) Next(n int32) int32 { return t.Nodes[n].Next }

// Kind gives the grammar's name for the node, "ERROR" for what it does not know.
func (t *Tree) Kind(n int32) string {
	r := &t.Nodes[n]
	if r.Flags&flagError != 0 || int(r.Symbol) >= len(t.Grammar.Symbols) {
		return "ERROR"
	}
	return t.Grammar.Symbols[r.Symbol]
}

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
		if slices.Contains(kinds, t.Kind(c)) {
			return c
		}
	}
	return -1
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

// Place gives line and column, from 1, of an offset.
func (t *Tree) Place(off int32) (line, col int32) {
	i, ok := slices.BinarySearch(t.lines, off)
	if !ok {
		i--
	}
	return int32(i + 1), off - t.lines[i] + 1
}

// Line gives the line, from 1, on which a node begins.
func (t *Tree) Line(n int32) int32 {
	l, _ := t.Place(t.Start(n))
	return l
}

// Span gives a range of bytes with its lines.
func (t *Tree) Span(start, end int32) lang.Span {
	s := lang.Span{Start: start, End: end}
	s.Line, s.Col = t.Place(start)
	s.EndLine, s.EndCol = t.Place(end)
	if end > start && s.EndCol == 1 { // ends behind a newline
		s.EndLine, s.EndCol = t.Place(end - 1)
		s.EndCol++
	}
	return s
}

// Ref gives a reference its place.
func (t *Tree) Ref(r lang.Ref, start, end int32) lang.Ref {
	s := t.Span(start, end)
	r.Line, r.Col, r.EndLine, r.EndCol = s.Line, s.Col, s.EndLine, s.EndCol
	return r
}

// Facts gives what was gathered of the tree, as that of a language.
func (t *Tree) Facts(b *lang.Builder, language string) *lang.Facts {
	f := &b.Facts
	f.Lang, f.Errors, f.Lines = language, t.Errors, int32(len(t.lines))
	if f.Lines > 1 && t.lines[f.Lines-1] == int32(len(t.Src)) {
		f.Lines--
	}
	return f
}
