package link

import (
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
)

// A Linked is a file with what the linker found in it.
type Linked struct {
	*symtab.File
	Linkage Linkage
	cell    solver.ID
}

// A Linkage is what the linker found in one file, which made it: the edges and the references that could not be placed. The
// graph is put together from the facts and the linkage of every file, so that linking again a few files only means making
// their linkages anew.
type Linkage struct {
	Edges   []Edge
	Implied []Edge // that rest on the whole repository, and are made anew at every link
	Loose   []Unresolved
}

// An Edge is one edge at one place. Its ends are declarations that are entities, or the file or directory itself (lang.File).
type Edge struct {
	Src, Dst         *symtab.File // src is nil when it is the file that made the edge; a directory's file has no facts
	SrcDecl, DstDecl int32
	Kind             uint8 // of package model
	Level            uint8
	At               model.Site // in the file that made the edge
}

// An Unresolved is a reference that could not be placed.
type Unresolved struct {
	Name    string
	At      model.Site
	Outside bool
}

// edge notes an edge from a declaration of f, which is an entity or lang.File.
func (f *Linked) edge(src int32, dst symtab.DeclRef, kind, level uint8, at model.Site) {
	f.Linkage.Edges = append(f.Linkage.Edges, Edge{Dst: dst.F, SrcDecl: src, DstDecl: dst.F.Target(dst.D), Kind: kind, Level: level, At: at})
}

// edgeFrom notes an edge that f makes between two others.
func (f *Linked) edgeFrom(src, dst symtab.DeclRef, kind, level uint8, at model.Site) {
	f.edge(src.F.Target(src.D), dst, kind, level, at)
	if src.F != f.File {
		f.Linkage.Edges[len(f.Linkage.Edges)-1].Src = src.F
	}
}

// imply notes an inherit edge from a class of f to an interface.
func (f *Linked) imply(src int32, dst symtab.DeclRef, at model.Site) {
	f.Linkage.Implied = append(f.Linkage.Implied, Edge{Dst: dst.F, SrcDecl: src, DstDecl: dst.D, Kind: model.Inherit, Level: model.LevelMember, At: at})
}
