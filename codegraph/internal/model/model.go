package model

import (
	"cmp"

	"github.com/findspot/findspot/codegraph/lang"
)

// The kinds of entities.
const (
	Directory uint8 = iota
	File
	Class
	Function
	EntityKinds // their number
)

// The kinds of edges.
const (
	Contain uint8 = iota
	Import
	Invoke
	Inherit
	Reference
	Define
	Kinds // their number
)

// The levels, strongest first.
const (
	LevelExact uint8 = iota
	LevelScope
	LevelImport
	LevelMember
	LevelFlow
	LevelContainer
	LevelName
	Levels // their number
)

// A Site is a range in a file. Lines and columns count from 1, columns in bytes.
type Site struct{ Line, Col, EndLine, EndCol int32 }

// SiteOf gives the range of a declaration.
func SiteOf(d *lang.Decl) Site {
	return Site{d.Span.Line, d.Span.Col, d.Span.EndLine, d.Span.EndCol}
}

// AtLine is the begin of a line.
func AtLine(line int32) Site { return Site{line, 1, line, 1} }

// CompareSites orders by lines and columns.
func CompareSites(a, b Site) int {
	return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.EndCol, b.EndCol))
}
