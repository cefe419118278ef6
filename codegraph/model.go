package codegraph

import (
	"cmp"

	"github.com/findspot/findspot/codegraph/lang"
)

// The kinds of edges.
const (
	edgeContain uint8 = iota
	edgeImport
	edgeInvoke
	edgeInherit
	edgeReference
	edgeDefine
	numKinds
)

// The levels, strongest first.
const (
	lvExact uint8 = iota
	lvScope
	lvImport
	lvMember
	lvFlow
	lvContainer
	lvName
	numLevels
)

// A site is a range in a file. Lines and columns count from 1, columns in bytes.
type site struct{ line, col, endLine, endCol int32 }

// span gives the range of a declaration.
func span(d *lang.Decl) site {
	return site{d.Span.Line, d.Span.Col, d.Span.EndLine, d.Span.EndCol}
}

// compareSites orders by lines and columns.
func compareSites(a, b site) int {
	return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col), cmp.Compare(a.endLine, b.endLine), cmp.Compare(a.endCol, b.endCol))
}
