package link

import (
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
)

// A File is one file's facts while they are linked.
type File struct {
	Path      string
	Facts     *lang.Facts // without expressions and references
	table     *lang.Table // these
	lang      string
	family    string // of languages
	rules     *lang.Rules
	res       lang.Resolver // of the state that is linked
	index     int32         // its number
	ids       []int32       // numbers of its declarations
	names     nameTable
	stars     []int32           // star imports of the file's scope
	spaces    map[int32]int32   // a namespace opened again, with the declaration that opened it first
	wildcards map[int32][]int32 // by scope: the expressions whose names are all brought in
	test      bool
}

// expr gives an expression.
func (f *File) expr(x int32) lang.Expr { return f.table.At(x) }

// release drops what only linking needs: the graph is made of declarations and the linkage.
func (f *File) release() {
	f.Facts.Imports, f.Facts.Bindings = nil, nil
	f.table, f.names, f.wildcards = nil, nameTable{}, nil
}

// A perFile holds something for each file.
type perFile[T any] struct{ list []T }

// of gives what is held for a file. The pointer is good until a file is added.
func (p *perFile[T]) of(f *File) *T {
	if int(f.index) >= len(p.list) {
		p.grow(int(f.index) + 1)
	}
	return &p.list[f.index]
}

func (p *perFile[T]) grow(n int) { p.list = append(p.list, make([]T, n-len(p.list))...) }

// constructor tells whether a declaration is a constructor called like its class.
func (f *File) constructor(d *lang.Decl) bool {
	if d.Kind != lang.Function || d.Parent == lang.File || !slices.Contains(f.rules.Constructors, "") {
		return false
	}
	c := &f.Facts.Decls[d.Parent]
	return c.Kind == lang.Class && c.Name == d.Name
}

// space gives the scope that holds the names of a scope: the same, but for a namespace opened again.
func (f *File) space(scope int32) int32 {
	if s, ok := f.spaces[scope]; ok {
		return s
	}
	return scope
}

// scopeID numbers a scope of any file.
func (f *File) scopeID(scope int32) int32 {
	if scope = f.space(scope); scope < 0 {
		return -1 - f.index
	}
	return f.ids[scope]
}

// lookup gives what binds a name in a scope, nil when nothing does.
func (f *File) lookup(scope int32, name string) *named { return f.names.find(f.space(scope), name) }

// Owner gives the declaration that is the entity of a scope: the scope itself, or what is around a lambda or namespace.
func (f *File) Owner(scope int32) int32 {
	for scope != lang.File {
		if d := &f.Facts.Decls[scope]; d.Kind != lang.Lambda && d.Kind != lang.Namespace {
			break
		}
		scope = f.Facts.Decls[scope].Parent
	}
	return scope
}

// target is owner for what may be a directory.
func (f *File) target(d int32) int32 {
	if f.Facts == nil {
		return lang.File
	}
	return f.Owner(d)
}
