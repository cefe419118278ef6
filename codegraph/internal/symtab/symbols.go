package symtab

import (
	"cmp"
	"slices"
	"sort"
	"strings"
)

// Symbols hold what binds the names of a file, by scope and name. There are four such names for every declaration of a
// repository: they lie one after the other in one piece of memory.
type Symbols struct {
	List []Symbol
	by   []int32 // what binds them: of each name its declarations, imports and bindings
}

// A Symbol is all that may bind one name in one scope.
type Symbol struct {
	Name                  string
	Scope                 int32
	Param                 int32  // its index, or -1
	Mark                  uint32 // of who computes what the name stands for; 0 at first
	at                    uint32 // where in Symbols.by
	Decls, Imports, Binds uint32 // how many
}

// A ScopedName is a name in a scope.
type ScopedName struct {
	Scope int32
	Name  string
}

// Decls lists the declarations that bind a name, by their index in the facts.
func (t *Symbols) Decls(n *Symbol) []int32 { return t.by[n.at:][:n.Decls:n.Decls] }

// Imports lists the imports that bind a name.
func (t *Symbols) Imports(n *Symbol) []int32 { return t.by[n.at+n.Decls:][:n.Imports:n.Imports] }

// Binds lists the bindings that bind a name.
func (t *Symbols) Binds(n *Symbol) []int32 {
	return t.by[n.at+n.Decls+n.Imports:][:n.Binds:n.Binds]
}

// find gives what binds a name, nil when nothing does.
func (t *Symbols) find(scope int32, name string) *Symbol {
	i := sort.Search(len(t.List), func(i int) bool {
		n := &t.List[i]
		return n.Scope > scope || n.Scope == scope && n.Name >= name
	})
	if i < len(t.List) && t.List[i].Scope == scope && t.List[i].Name == name {
		return &t.List[i]
	}
	return nil
}

// A binder is one thing that binds a name: a parameter, or a part of the facts.
type binder struct {
	name  string
	scope int32
	kind  binderKind
	index int32
}

type binderKind uint8

const (
	byDecl binderKind = iota
	byImport
	byBinding
	byParam
)

// tableOf makes the table of binders, which it sorts; those of one kind keep their order.
func tableOf(all []binder) Symbols {
	slices.SortStableFunc(all, func(a, b binder) int {
		return cmp.Or(cmp.Compare(a.scope, b.scope), strings.Compare(a.name, b.name), cmp.Compare(a.kind, b.kind))
	})
	names, by := 0, 0
	for i, b := range all {
		if i == 0 || b.scope != all[i-1].scope || b.name != all[i-1].name {
			names++
		}
		if b.kind != byParam {
			by++
		}
	}
	t := Symbols{make([]Symbol, 0, names), make([]int32, 0, by)}
	for i, b := range all {
		if i == 0 || b.scope != all[i-1].scope || b.name != all[i-1].name {
			t.List = append(t.List, Symbol{Name: b.name, Scope: b.scope, Param: -1, at: uint32(len(t.by))})
		}
		n := &t.List[len(t.List)-1]
		switch b.kind {
		case byParam:
			n.Param = b.index
			continue
		case byDecl:
			n.Decls++
		case byImport:
			n.Imports++
		case byBinding:
			n.Binds++
		}
		t.by = append(t.by, b.index)
	}
	return t
}
