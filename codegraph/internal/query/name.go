package query

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/internal/writtenname"
)

// A Match is a node that a written name may mean.
type Match struct {
	Node  uint32
	Grade int  // 0: its id ends so; 1: by its whole module; 2: by a package around its module; 3: a member that a class inherits
	Fold  bool // in another case only
}

// hubNames are files that stand for their directory.
var hubNames = map[string]bool{"__init__": true, "__main__": true, "index": true, "mod": true, "lib": true, "main": true}

// Resolve gives the nodes that a written name may mean: in exact case first, by grade, then by id.
func Resolve(g *snapshot.Graph, name string) []Match {
	if n, ok := g.Find(name); ok {
		return []Match{{Node: n}}
	}
	w, ok := writtenname.Parse(name)
	var out []Match
	seen := map[uint32]bool{}
	add := func(n uint32, grade int, fold bool) {
		if !seen[n] {
			seen[n] = true
			out = append(out, Match{n, grade, fold})
		}
	}
	if ok && w.Line > 0 {
		for _, f := range filesAt(g, w.Path) {
			if n, ok := g.Enclosing(g.Path(f), w.Line); ok {
				add(n, 0, false)
			}
		}
		return out
	}
	// As written: the end of an id, from the beginning of a name.
	last := name
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 {
		last = name[i+1:]
	}
	lower := strings.ToLower(name)
	for _, key := range []string{strings.ToLower(last), lower} {
		for _, n := range g.Words().Named(strings.TrimRight(writtenname.Unnumbered(key), ".")) {
			if id := g.ID(n); isSuffix(id, name) {
				add(n, 0, false)
			} else if isSuffix(strings.ToLower(id), lower) {
				add(n, 0, true)
			}
		}
	}
	if ok {
		byParts(g, w, add)
	}
	slices.SortFunc(out, func(a, b Match) int {
		return cmp.Or(cmp.Compare(b2i(a.Fold), b2i(b.Fold)), cmp.Compare(a.Grade, b.Grade), g.ByID(a.Node, b.Node))
	})
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// byParts adds the nodes that the parts of a name may mean.
func byParts(g *snapshot.Graph, w writtenname.Name, add func(n uint32, grade int, fold bool)) {
	if len(w.Parts) == 0 {
		for _, n := range filesAt(g, w.Path) {
			add(n, 0, false)
		}
		return
	}
	found := false
	last := writtenname.Unnumbered(strings.ToLower(w.Parts[len(w.Parts)-1]))
	for _, n := range g.Words().Named(last) {
		for _, fold := range []bool{false, true} {
			if grade, ok := fits(g, n, w, fold); ok {
				add(n, grade, fold)
				found = true
				break
			}
		}
	}
	if found || len(w.Parts) < 2 {
		return
	}
	// A member that the class inherits.
	owner := writtenname.Name{Path: w.Path, Parts: w.Parts[:len(w.Parts)-1]}
	for _, n := range g.Words().Named(strings.ToLower(owner.Parts[len(owner.Parts)-1])) {
		if _, ok := fits(g, n, owner, false); ok && g.Kind(n) == model.Class {
			if m, ok := inherited(g, n, w.Parts[len(w.Parts)-1]); ok {
				add(m, 3, false)
			}
		}
	}
}

// maxBases bounds the classes that a search for an inherited member visits.
const maxBases = 100

// inherited finds a member of a base class, nearest first.
func inherited(g *snapshot.Graph, class uint32, member string) (uint32, bool) {
	queue, seen := []uint32{class}, map[uint32]bool{class: true}
	for i := 0; i < len(queue) && i < maxBases; i++ {
		if n, ok := g.Find(g.ID(queue[i]) + "." + member); ok && i > 0 {
			return n, true
		}
		for e := range g.Adjacent(queue[i], false) {
			if _, dst := g.Ends(e); g.EdgeKind(e) == model.Inherit && !seen[dst] {
				seen[dst] = true
				queue = append(queue, dst)
			}
		}
	}
	return 0, false
}

// fits tells whether a path and names mean a node: its own names end with them, or they begin with its module or a package around it and end
// with all of its own.
func fits(g *snapshot.Graph, n uint32, w writtenname.Name, fold bool) (grade int, ok bool) {
	id, p := g.ID(n), g.Path(n)
	if !strings.Contains(w.Parts[len(w.Parts)-1], "#") {
		id = writtenname.Unnumbered(id)
	}
	path, parts := w.Path, w.Parts
	if fold {
		id, p, path = strings.ToLower(id), strings.ToLower(p), strings.ToLower(path)
		parts = make([]string, len(w.Parts))
		for i := range parts {
			parts[i] = strings.ToLower(w.Parts[i])
		}
	}
	if path != "" && !pathEnds(p, path) {
		return 0, false
	}
	var own []string
	if len(id) > len(p) && g.Kind(n) != model.Directory {
		own = strings.Split(id[len(p)+1:], ".")
	}
	if len(own) >= len(parts) {
		return 0, slices.Equal(own[len(own)-len(parts):], parts)
	}
	if path != "" || !slices.Equal(own, parts[len(parts)-len(own):]) {
		return 0, false
	}
	mod := strings.Split(p, "/")
	outer := parts[:len(parts)-len(own)]
	if g.Kind(n) != model.Directory {
		file := sourcetext.Stem(mod[len(mod)-1])
		mod[len(mod)-1] = file
		if len(own) > 0 && endsWith(mod[:len(mod)-1], outer) {
			return 2 - b2i(hubNames[file]), true
		}
		if len(own) == 0 && hubNames[file] && endsWith(mod[:len(mod)-1], outer) {
			return 1, true
		}
	}
	return 1, endsWith(mod, outer)
}

func endsWith(list, tail []string) bool {
	return len(tail) <= len(list) && slices.Equal(list[len(list)-len(tail):], tail)
}

// pathEnds tells whether p, or p without its extension, ends with a path as it was written, or the other way round, as
// an absolute path ends with that of the file.
func pathEnds(p, written string) bool {
	tail := func(long, short string) bool {
		return long == short || strings.HasSuffix(long, "/"+short)
	}
	return tail(p, written) || tail(strings.TrimSuffix(p, path.Ext(p)), written) || strings.Contains(p, "/") && tail(written, p)
}

// filesAt gives the file or directory with this path, else those whose path ends with it.
func filesAt(g *snapshot.Graph, written string) []uint32 {
	if n, ok := g.Find(written); ok {
		return []uint32{n}
	}
	var out []uint32
	for _, n := range g.Words().Named(strings.ToLower(path.Base(written))) {
		if k := g.Kind(n); (k == model.File || k == model.Directory) && pathEnds(g.Path(n), written) {
			out = append(out, n)
		}
	}
	return out
}

// isSuffix tells whether name is id's end at a boundary of names; the "#2" of a repeated entity does not count.
func isSuffix(id, name string) bool {
	if i := strings.LastIndexByte(id, '#'); i > 0 && !strings.Contains(name, "#") {
		id = id[:i]
	}
	if !strings.HasSuffix(id, name) {
		// A file may be named without its extension.
		i := strings.LastIndexByte(id, '.')
		if strings.Contains(id, ":") || i < 0 || !strings.HasSuffix(id[:i], name) {
			return false
		}
		id = id[:i]
	}
	rest := id[:len(id)-len(name)]
	return rest == "" || strings.HasSuffix(rest, ".") || strings.HasSuffix(rest, ":") || strings.HasSuffix(rest, "/")
}
