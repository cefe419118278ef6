package symtab

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/factcodec"
	"github.com/findspot/findspot/codegraph/lang"
)

// A File is one file's facts while they are linked.
type File struct {
	Path      string
	Facts     *lang.Facts      // without expressions and references
	Table     *factcodec.Table // these
	Lang      string
	Family    string // of languages
	Rules     *lang.Rules
	Resolver  lang.Resolver // of the state that is linked
	Index     int32         // its number
	IDs       []int32       // numbers of its declarations
	Symbols   Symbols
	Stars     []int32           // star imports of the file's scope
	spaces    map[int32]int32   // a namespace opened again, with the declaration that opened it first
	Wildcards map[int32][]int32 // by scope: the expressions whose names are all brought in
	Test      bool
}

// Expr gives an expression.
func (f *File) Expr(x int32) lang.Expr { return f.Table.At(x) }

// Decl refers to a declaration by its index, or with lang.File to the file itself.
func (f *File) Decl(d int32) DeclRef { return DeclRef{f, d} }

// Release drops what only linking needs: the graph is made of declarations and the linkage.
func (f *File) Release() {
	f.Facts.Imports, f.Facts.Bindings = nil, nil
	f.Table, f.Symbols, f.Wildcards = nil, Symbols{}, nil
}

// A PerFile holds something for each file.
type PerFile[T any] struct{ List []T }

// Of gives what is held for a file. The pointer is good until a file is added.
func (p *PerFile[T]) Of(f *File) *T {
	if int(f.Index) >= len(p.List) {
		p.grow(int(f.Index) + 1)
	}
	return &p.List[f.Index]
}

func (p *PerFile[T]) grow(n int) { p.List = append(p.List, make([]T, n-len(p.List))...) }

// InClass tells whether a declaration is written in a class.
func (f *File) InClass(d *lang.Decl) bool {
	return d.Parent != lang.File && f.Facts.Decls[d.Parent].Kind == lang.Class
}

// constructor tells whether a declaration is a constructor called like its class.
func (f *File) constructor(d *lang.Decl) bool {
	return d.Kind == lang.Function && f.InClass(d) && f.Facts.Decls[d.Parent].Name == d.Name && slices.Contains(f.Rules.Constructors, "")
}

// Space gives the scope that holds the names of a scope: the same, but for a namespace opened again.
func (f *File) Space(scope int32) int32 {
	if s, ok := f.spaces[scope]; ok {
		return s
	}
	return scope
}

// ScopeID numbers a scope of any file.
func (f *File) ScopeID(scope int32) int32 {
	if scope = f.Space(scope); scope < 0 {
		return -1 - f.Index
	}
	return f.IDs[scope]
}

// Lookup gives what binds a name in a scope, nil when nothing does.
func (f *File) Lookup(scope int32, name string) *Symbol { return f.Symbols.find(f.Space(scope), name) }

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

// Target is owner for what may be a directory.
func (f *File) Target(d int32) int32 {
	if f.Facts == nil {
		return lang.File
	}
	return f.Owner(d)
}
