package codegraph

import (
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// A linkage is what the linker found in one file, which made it: the edges and the references that could not be placed. The
// graph is put together from the facts and the linkage of every file, so that linking again a few files only means making
// their linkages anew.
type linkage struct {
	edges   []linked
	implied []linked // that rest on the whole repository, and are made anew at every link
	loose   []looseRef
}

// A linked is one edge at one place. Its ends are declarations that are entities, or the file or directory itself (lang.File).
type linked struct {
	src, dst         *file // src is nil when it is the file that made the edge; a directory's file has no facts
	srcDecl, dstDecl int32
	kind             uint8 // of edge
	level            uint8
	at               model.Site // in the file that made the edge
}

// A looseRef is a reference that could not be placed.
type looseRef struct {
	name    string
	at      model.Site
	outside bool
}

// owner gives the declaration that is the entity of a scope: the scope itself, or what is around a lambda or namespace.
func (f *file) owner(scope int32) int32 {
	for scope != lang.File {
		if d := &f.facts.Decls[scope]; d.Kind != lang.Lambda && d.Kind != lang.Namespace {
			break
		}
		scope = f.facts.Decls[scope].Parent
	}
	return scope
}

// edge notes an edge from a declaration of f, which is an entity or lang.File.
func (f *file) edge(src int32, dst declRef, kind, level uint8, at model.Site) {
	f.out.edges = append(f.out.edges, linked{dst: dst.f, srcDecl: src, dstDecl: dst.f.target(dst.d), kind: kind, level: level, at: at})
}

// edgeFrom notes an edge that f makes between two others.
func (f *file) edgeFrom(src, dst declRef, kind, level uint8, at model.Site) {
	f.edge(src.f.target(src.d), dst, kind, level, at)
	if src.f != f {
		f.out.edges[len(f.out.edges)-1].src = src.f
	}
}

// target is owner for what may be a directory.
func (f *file) target(d int32) int32 {
	if f.facts == nil {
		return lang.File
	}
	return f.owner(d)
}

// dir gives the file that stands for a directory.
func (l *linker) dir(p string) *file {
	if p == "" {
		p = "/"
	}
	d := l.dirs[p]
	if d == nil {
		d = &file{path: p}
		l.dirs[p] = d
	}
	return d
}
