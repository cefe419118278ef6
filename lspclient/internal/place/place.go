package place

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Location is a half-open range in a file. Lines and columns count from 1, columns in bytes. Path is relative to the root,
// absolute for a file outside it, and the URI for what is no file; then the columns are the server's own.
type Location struct {
	Path    string
	Line    int
	Col     int
	EndLine int
	EndCol  int
}

// Outside reports whether the location is not below the root.
func (l Location) Outside() bool {
	return path.IsAbs(l.Path) || strings.Contains(l.Path, ":/")
}

// Valid reports whether the range is one.
func (l Location) Valid() bool {
	return l.Line >= 1 && l.Col >= 1 && (l.EndLine > l.Line || l.EndLine == l.Line && l.EndCol >= l.Col)
}

// Start is the empty range at the beginning of the location. Servers differ in how much of a name or declaration they give.
func (l Location) Start() Location {
	l.EndLine, l.EndCol = l.Line, l.Col
	return l
}

// Holds reports whether the other range lies within this one, whatever the files.
func (l Location) Holds(inner Location) bool {
	return (l.Line < inner.Line || l.Line == inner.Line && l.Col <= inner.Col) &&
		(l.EndLine > inner.EndLine || l.EndLine == inner.EndLine && l.EndCol >= inner.EndCol)
}

// Overlaps reports whether the two have a byte in common.
func (l Location) Overlaps(o Location) bool {
	return l.Path == o.Path && (l.Line < o.EndLine || l.Line == o.EndLine && l.Col < o.EndCol) &&
		(o.Line < l.EndLine || o.Line == l.EndLine && o.Col < l.EndCol)
}

// Compare orders locations by path and place.
func Compare(a, b Location) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
		cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.EndCol, b.EndCol))
}

// CompareSizes orders ranges by lines, then by columns: of two that hold a place the smaller one is the inner.
func CompareSizes(a, b Location) int {
	return cmp.Or(cmp.Compare(a.EndLine-a.Line, b.EndLine-b.Line), cmp.Compare(a.EndCol-a.Col, b.EndCol-b.Col))
}

// Symbol is a declaration in a file, with what is declared in it.
type Symbol struct {
	Name      string // as the server writes it, decoration removed
	Kind      string // the protocol's word in lower case: "function", "method", ...
	Container string // names of the symbols around it joined with dots, "" at the top
	Detail    string // the server's remark, such as a signature
	Location  Location
	Selection Location // its name
	Children  []Symbol // in the order of the file
}

// Each calls f for every symbol of the trees, outer ones first.
func Each(list []Symbol, f func(Symbol)) {
	for _, s := range list {
		f(s)
		Each(s.Children, f)
	}
}

// Clone copies the trees.
func Clone(in []Symbol) []Symbol {
	out := slices.Clone(in)
	for i := range out {
		out[i].Children = Clone(out[i].Children)
	}
	return out
}

// SplitName moves what a server writes before the last dot of a name ("pkg.Type.Method") into the container.
func (s *Symbol) SplitName() {
	i := strings.LastIndexByte(s.Name, '.')
	if i <= 0 || i+1 == len(s.Name) {
		return
	}
	before := s.Name[:i]
	switch {
	case s.Container == "" || strings.HasPrefix(before+".", s.Container+"."):
		s.Container = before
	case !strings.HasSuffix("."+s.Container, "."+before):
		s.Container += "." + before
	}
	s.Name = s.Name[i+1:]
}
