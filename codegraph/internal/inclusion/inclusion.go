package inclusion

import (
	"github.com/findspot/findspot/codegraph/internal/modules"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// An Inclusion is what is known of files that include others, in languages with [lang.Rules].Includes.
type Inclusion struct {
	prog    *symtab.Program
	modules *modules.Modules
	byPath  map[string]int32      // numbers of qualified namespaces; "" is 0
	first   []int32               // by namespace: a declaration that opens it, or -1
	spaces  map[space]int32       // numbers of the namespaces in a file
	bound   map[spaceName][]spot  // in the order of files
	outer   map[spaceName][]int32 // functions written outside of their namespace
	users   map[*symtab.File][]*symtab.File
	sights  map[int32]*sight // by file
	sizes   int              // words in sights
	stamp   []uint32         // by file: the last walk that met it
	round   uint32           // number of the walk
}

// A space is a scope of a file that is, or may be, a namespace.
type space struct {
	f     *symtab.File
	scope int32
}

// A spaceName is a name in a namespace of all files.
type spaceName struct {
	space int32
	name  string
}

// A spot is a file in which a name of a namespace is bound.
type spot struct {
	F *symtab.File
	N *symtab.Symbol
}

// A sight is what a file sees.
type sight struct {
	seen    []uint64 // a bit for each file
	outside bool     // something it includes is not in the repository
}

const (
	maxSights = 8 << 20 // words kept in sights
	maxUsers  = 8       // files that include a file
)

// New makes the tables of a program that has its files.
func New(prog *symtab.Program, ms *modules.Modules) *Inclusion {
	return &Inclusion{prog: prog, modules: ms, byPath: map[string]int32{"": 0}, first: []int32{-1}, spaces: map[space]int32{}, bound: map[spaceName][]spot{},
		outer: map[spaceName][]int32{}, users: map[*symtab.File][]*symtab.File{}, sights: map[int32]*sight{}}
}

// Fill looks at all files.
func (in *Inclusion) Fill() {
	var files []*symtab.File
	for _, f := range in.prog.Files {
		if f.Rules.Includes {
			files = append(files, f)
			in.namespaces(f)
		}
	}
	in.stamp = make([]uint32, len(in.prog.Files))
	for _, f := range files {
		for i := range f.Symbols.List {
			n := &f.Symbols.List[i]
			if id, ok := in.spaces[space{f, n.Scope}]; ok {
				in.bound[spaceName{id, n.Name}] = append(in.bound[spaceName{id, n.Name}], spot{f, n})
			}
		}
		for d := range f.Facts.Decls {
			in.writtenOutside(f, int32(d))
		}
		in.included(f, func(o *symtab.File) {
			if len(in.users[o]) < maxUsers {
				in.users[o] = append(in.users[o], f)
			}
		})
	}
}

// namespaces numbers the namespaces of a file.
func (in *Inclusion) namespaces(f *symtab.File) {
	in.spaces[space{f, lang.File}] = 0
	paths := make([]string, len(f.Facts.Decls))
	for d := range f.Facts.Decls {
		c := &f.Facts.Decls[d]
		if c.Kind != lang.Namespace || c.Parent != lang.File && f.Facts.Decls[c.Parent].Kind != lang.Namespace {
			continue
		}
		path := c.Name
		if c.Parent != lang.File {
			path = paths[c.Parent] + "." + c.Name
		}
		paths[d] = path
		id, ok := in.byPath[path]
		if !ok {
			id = int32(len(in.first))
			in.byPath[path] = id
			in.first = append(in.first, f.IDs[d])
		}
		in.spaces[space{f, int32(d)}] = id
	}
}

// writtenOutside notes a function that is written outside of its namespace.
func (in *Inclusion) writtenOutside(f *symtab.File, d int32) {
	c := &f.Facts.Decls[d]
	if c.Kind != lang.Function || c.Receiver == "" {
		return
	}
	path := c.Receiver
	if c.Parent != lang.File {
		if first := in.first[in.spaces[space{f, c.Parent}]]; first >= 0 {
			path = in.path(first) + "." + path
		}
	}
	if id, ok := in.byPath[path]; ok {
		k := spaceName{id, c.Name}
		in.outer[k] = append(in.outer[k], f.IDs[d])
	}
}

// path gives the qualified name of a namespace.
func (in *Inclusion) path(d int32) string {
	r := in.prog.Decls[d]
	path := r.Decl().Name
	for p := r.Decl().Parent; p != lang.File; p = r.F.Facts.Decls[p].Parent {
		path = r.F.Facts.Decls[p].Name + "." + path
	}
	return path
}

// included calls take for each file that f includes itself, and tells whether it includes something outside of the repository.
func (in *Inclusion) included(f *symtab.File, take func(*symtab.File)) (outside bool) {
	for _, i := range f.Stars {
		m, ok := in.modules.Import(f, i)
		if !ok {
			outside = true
			continue
		}
		for _, p := range in.modules.At(m).Files {
			if o := in.prog.ByPath[p]; o != nil && o.Rules.Includes {
				take(o)
			}
		}
	}
	return outside
}

// sight gives what f sees: itself and all that it includes, at any depth.
func (in *Inclusion) sight(f *symtab.File) *sight {
	if s := in.sights[f.Index]; s != nil {
		return s
	}
	words := len(in.prog.Files)/64 + 1
	if in.sizes += words; in.sizes > maxSights {
		clear(in.sights)
		in.sizes = words
	}
	s := &sight{seen: make([]uint64, words)}
	in.round++
	work := []*symtab.File{f}
	in.stamp[f.Index] = in.round
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		s.seen[at.Index/64] |= 1 << (at.Index % 64)
		outside := in.included(at, func(o *symtab.File) {
			if in.stamp[o.Index] != in.round {
				in.stamp[o.Index] = in.round
				work = append(work, o)
			}
		})
		s.outside = s.outside || outside
	}
	in.sights[f.Index] = s
	return s
}

// Sees tells whether a file is another one or includes it, at any depth.
func (in *Inclusion) Sees(f, o *symtab.File) bool {
	return f == o || in.sight(f).seen[o.Index/64]&(1<<(o.Index%64)) != 0
}

// SeesOutside tells whether a file includes something outside of the repository, at any depth.
func (in *Inclusion) SeesOutside(f *symtab.File) bool { return in.sight(f).outside }

// Includers lists files that include a file, up to a few.
func (in *Inclusion) Includers(f *symtab.File) []*symtab.File { return in.users[f] }

// Space gives the number of the namespace that a scope of a file is; that outside of all namespaces is 0.
func (in *Inclusion) Space(f *symtab.File, scope int32) (id int32, ok bool) {
	id, ok = in.spaces[space{f, scope}]
	return id, ok
}

// Opening gives a declaration that opens a namespace, or -1.
func (in *Inclusion) Opening(id int32) int32 { return in.first[id] }

// Spots lists where a name of a namespace is bound, in the order of files.
func (in *Inclusion) Spots(id int32, name string) []spot { return in.bound[spaceName{id, name}] }

// Outside lists the functions of a namespace that are written outside of it, by name.
func (in *Inclusion) Outside(id int32, name string) []int32 { return in.outer[spaceName{id, name}] }
