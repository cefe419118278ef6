package link

import (
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// An inclusion is what is known of files that take in the text of others (Rules.Includes): which files a file sees, the
// names of every namespace over all files, and what is defined under an announced name.
type inclusion struct {
	prog    *symtab.Program
	modules *modules.Modules
	spaceOf map[string]int32   // numbers of qualified namespaces; "" is 0
	first   []int32            // by namespace: a declaration that opens it, or -1
	spots   map[spotKey][]spot // in the order of files
	sights  map[int32]*sight   // by file
	sizes   int                // words in sights
	opening bool
	stamp   []uint32                        // by file, for walks
	round   uint32                          //
	defined map[int32][]int32               // by announcement
	outer   map[spotKey][]int32             // functions written outside of their namespace
	users   map[*symtab.File][]*symtab.File // files that take in a file, up to maxUsers
	paths   map[scopedFile]int32            // numbers of the namespaces in a file
}

type scopedFile struct {
	f     *symtab.File
	scope int32
}

type spotKey struct {
	space int32
	name  string
}

// A spot is a file in which a name of a namespace is bound.
type spot struct {
	f     *symtab.File
	scope int32
	n     *symtab.Symbol
}

// A sight is what a file sees.
type sight struct {
	seen    []uint64 // a bit for each file
	outside bool     // something it takes in is not in the repository
}

const (
	maxSights = 8 << 20 // words kept in sights
	maxUsers  = 8
	maxDefs   = 4 // definitions of one announcement; more are as good as none
)

// planIncludes fills the tables of names.
func (in *inclusion) planIncludes() {
	n := in
	n.spaceOf, n.first, n.spots, n.sights, n.defined = map[string]int32{"": 0}, []int32{-1}, map[spotKey][]spot{}, map[int32]*sight{}, map[int32][]int32{}
	n.outer, n.users, n.paths = map[spotKey][]int32{}, map[*symtab.File][]*symtab.File{}, map[scopedFile]int32{}
	any := false
	for _, f := range in.prog.Files {
		if !f.Rules.Includes {
			continue
		}
		any = true
		n.paths[scopedFile{f, lang.File}] = 0
		names := make([]string, len(f.Facts.Decls))
		for d := range f.Facts.Decls {
			c := &f.Facts.Decls[d]
			if c.Kind != lang.Namespace || c.Parent != lang.File && f.Facts.Decls[c.Parent].Kind != lang.Namespace {
				continue
			}
			path := c.Name
			if c.Parent != lang.File {
				path = names[c.Parent] + "." + c.Name
			}
			names[d] = path
			id, ok := n.spaceOf[path]
			if !ok {
				id = int32(len(n.first))
				n.spaceOf[path] = id
				n.first = append(n.first, f.IDs[d])
			}
			n.paths[scopedFile{f, int32(d)}] = id
		}
	}
	if !any {
		return
	}
	n.stamp = make([]uint32, len(in.prog.Files))
	for _, f := range in.prog.Files {
		if !f.Rules.Includes {
			continue
		}
		for i := range f.Symbols.List {
			b := &f.Symbols.List[i]
			if id, ok := n.paths[scopedFile{f, b.Scope}]; ok {
				n.spots[spotKey{id, b.Name}] = append(n.spots[spotKey{id, b.Name}], spot{f, b.Scope, b})
			}
		}
		for d := range f.Facts.Decls {
			c := &f.Facts.Decls[d]
			if c.Kind == lang.Function && c.Receiver != "" {
				path := c.Receiver
				if c.Parent != lang.File {
					if first := n.first[n.paths[scopedFile{f, c.Parent}]]; first >= 0 {
						path = in.spacePath(first) + "." + path
					}
				}
				if id, ok := n.spaceOf[path]; ok {
					k := spotKey{id, c.Name}
					n.outer[k] = append(n.outer[k], f.IDs[d])
				}
			}
		}
		for _, o := range in.taken(f) {
			if len(n.users[o]) < maxUsers {
				n.users[o] = append(n.users[o], f)
			}
		}
	}
}

// spacePath gives the qualified name of a namespace.
func (in *inclusion) spacePath(d int32) string {
	r := in.prog.Decls[d]
	path := r.Decl().Name
	for p := r.Decl().Parent; p != lang.File; p = r.F.Facts.Decls[p].Parent {
		path = r.F.Facts.Decls[p].Name + "." + path
	}
	return path
}

// taken lists the files whose text f takes in itself.
func (in *inclusion) taken(f *symtab.File) []*symtab.File {
	var out []*symtab.File
	for _, i := range f.Stars {
		if m, ok := in.modules.Import(f, i); ok {
			for _, p := range in.modules.At(m).Files {
				if o := in.prog.ByPath[p]; o != nil && o.Rules.Includes {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// sight gives what f sees: itself and all that it takes in, at any depth.
func (in *inclusion) sight(f *symtab.File) *sight {
	n := in
	if s := n.sights[f.Index]; s != nil {
		return s
	}
	words := len(in.prog.Files)/64 + 1
	if n.sizes += words; n.sizes > maxSights {
		clear(n.sights)
		n.sizes = words
	}
	s := &sight{seen: make([]uint64, words)}
	n.round++
	work := []*symtab.File{f}
	n.stamp[f.Index] = n.round
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		s.seen[at.Index/64] |= 1 << (at.Index % 64)
		for _, i := range at.Stars {
			m, ok := in.modules.Import(at, i)
			if !ok {
				s.outside = true
				continue
			}
			for _, p := range in.modules.At(m).Files {
				if o := in.prog.ByPath[p]; o != nil && o.Rules.Includes && n.stamp[o.Index] != n.round {
					n.stamp[o.Index] = n.round
					work = append(work, o)
				}
			}
		}
	}
	n.sights[f.Index] = s
	return s
}

func (in *inclusion) sees(f, o *symtab.File) bool {
	return f == o || in.sight(f).seen[o.Index/64]&(1<<(o.Index%64)) != 0
}

// spaceID gives the number of the namespace that a value is.
func (in *inclusion) spaceID(v value.Value) int32 {
	r := in.prog.Decls[v.A]
	return in.paths[scopedFile{r.F, r.D}]
}
