package link

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/solver"
)

// A nameTable holds what binds the names of a file, by scope and name. There are four such names for every declaration of a
// repository: they lie one after the other in one piece of memory.
type nameTable struct {
	list []named
	by   []int32 // what binds them: of each name its declarations, imports and bindings
}

// named is all that may bind one name in one scope.
type named struct {
	name                  string
	scope                 int32
	param                 int32 // its index, or -1
	cell                  solver.ID
	at                    uint32 // where in nameTable.by
	decls, imports, binds uint32 // how many
}

type scoped struct {
	scope int32
	name  string
}

func (t *nameTable) decls(n *named) []int32 { return t.by[n.at:][:n.decls:n.decls] }

func (t *nameTable) imports(n *named) []int32 { return t.by[n.at+n.decls:][:n.imports:n.imports] }

func (t *nameTable) binds(n *named) []int32 {
	return t.by[n.at+n.decls+n.imports:][:n.binds:n.binds]
}

// find gives what binds a name, nil when nothing does.
func (t *nameTable) find(scope int32, name string) *named {
	i := sort.Search(len(t.list), func(i int) bool {
		n := &t.list[i]
		return n.scope > scope || n.scope == scope && n.name >= name
	})
	if i < len(t.list) && t.list[i].scope == scope && t.list[i].name == name {
		return &t.list[i]
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
func tableOf(all []binder) nameTable {
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
	t := nameTable{make([]named, 0, names), make([]int32, 0, by)}
	for i, b := range all {
		if i == 0 || b.scope != all[i-1].scope || b.name != all[i-1].name {
			t.list = append(t.list, named{name: b.name, scope: b.scope, param: -1, at: uint32(len(t.by))})
		}
		n := &t.list[len(t.list)-1]
		switch b.kind {
		case byParam:
			n.param = b.index
			continue
		case byDecl:
			n.decls++
		case byImport:
			n.imports++
		case byBinding:
			n.binds++
		}
		t.by = append(t.by, b.index)
	}
	return t
}
