package link

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
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
	cell                  cellID
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

// scopes fills the table of names.
func (pr *program) scopes(f *File) {
	fam := pr.methods[f.family]
	if fam == nil {
		fam = map[string][]int32{}
		pr.methods[f.family] = fam
	}
	opened := map[scoped]int32{} // the first declaration of a namespace
	all := pr.binders[:0]
	at := func(scope int32, name string, kind binderKind, index int32) {
		all = append(all, binder{name, f.space(scope), kind, index})
	}
	for i := range f.Facts.Decls {
		d := &f.Facts.Decls[i]
		if d.Kind == lang.Namespace && d.Name != "" && d.Flags&lang.Hidden == 0 {
			k := scoped{f.space(d.Parent), d.Name}
			if first, ok := opened[k]; ok {
				if f.spaces == nil {
					f.spaces = map[int32]int32{}
				}
				f.spaces[int32(i)] = first
				continue
			}
			opened[k] = int32(i)
		}
		if d.Kind != lang.Lambda && d.Flags&lang.Hidden == 0 && d.Name != "" {
			name := d.Name
			if f.constructor(d) { // a constructor is no member: the name means the class
				name = ""
			}
			at(d.Parent, name, byDecl, int32(i))
		}
		if d.Kind == lang.Function && (d.Receiver != "" || d.Parent != lang.File && f.Facts.Decls[d.Parent].Kind == lang.Class) {
			fam[d.Name] = append(fam[d.Name], f.ids[i])
		}
		for p := range d.Params {
			if d.Params[p].Name != "" {
				at(int32(i), d.Params[p].Name, byParam, int32(p))
			}
		}
	}
	for i := range f.Facts.Imports {
		switch m := &f.Facts.Imports[i]; {
		case m.Name == "*" && m.Scope == lang.File && m.Alias == "" && m.As == "":
			f.stars = append(f.stars, int32(i))
		case m.Alias != "":
			at(m.Scope, m.Alias, byImport, int32(i))
		}
	}
	for i := range f.Facts.Bindings {
		b := &f.Facts.Bindings[i]
		if b.Target == lang.None && b.Name != "" && (b.Kind == lang.Assign || b.Kind == lang.Annotate || b.Kind == lang.Alias || b.Kind == lang.Bring) {
			if b.Name == "*" && b.Kind == lang.Bring {
				if f.wildcards == nil {
					f.wildcards = map[int32][]int32{}
				}
				f.wildcards[f.space(b.Scope)] = append(f.wildcards[f.space(b.Scope)], b.Value)
				continue
			}
			at(b.Scope, b.Name, byBinding, int32(i))
		}
	}
	f.names = tableOf(all)
	clear(all) // it is used again for the next file
	pr.binders = all
}

// lookup gives what binds a name in a scope, nil when nothing does.
func (f *File) lookup(scope int32, name string) *named { return f.names.find(f.space(scope), name) }
