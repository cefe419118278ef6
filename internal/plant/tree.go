package plant

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// tree is what is planted: modules by name, such as "base/core".
type tree map[string]node

// node is one module.
type node struct {
	defs   []string // names it declares
	uses   []use
	pad    int  // empty comments above everything
	listed bool // where a file lists what is compiled: this module is listed
	alias  bool // it reaches what it uses in a way that only the configuration opens
}

// use is one line that uses a name, and declares a value by the number.
type use struct {
	name string
	id   int
}

// with returns a copy of the tree in which a module is another.
func (t tree) with(mod string, n node) tree {
	t = maps.Clone(t)
	t[mod] = n
	return t
}

// without returns a copy of the tree that lacks modules.
func (t tree) without(mods ...string) tree {
	t = maps.Clone(t)
	for _, mod := range mods {
		delete(t, mod)
	}
	return t
}

// renamed returns a copy of the tree in which a folder or module has another name.
func (t tree) renamed(from, to string) tree {
	out := tree{}
	for mod, n := range t {
		if rest, ok := strings.CutPrefix(mod, from); ok && (rest == "" || rest[0] == '/') {
			mod = to + rest
		}
		out[mod] = n
	}
	return out
}

// home is the module that declares a name.
func (t tree) home(name string) string {
	for _, mod := range slices.Sorted(maps.Keys(t)) {
		if slices.Contains(t[mod].defs, name) {
			return mod
		}
	}
	return ""
}

// homes are the modules that declare what a module uses, sorted, with the names in the order of use.
func (t tree) homes(n node) []home {
	var list []home
	for _, u := range n.uses {
		mod := t.home(u.name)
		i := slices.IndexFunc(list, func(h home) bool { return h.mod == mod })
		if i < 0 {
			list, i = append(list, home{mod: mod}), len(list)
		}
		if !slices.Contains(list[i].names, u.name) {
			list[i].names = append(list[i].names, u.name)
		}
	}
	slices.SortFunc(list, func(a, b home) int { return cmp.Compare(a.mod, b.mod) })
	return list
}

type home struct {
	mod   string
	names []string
}

// folders are the folders of the tree, "" for the top.
func (t tree) folders() []string {
	set := map[string]bool{"": true}
	for mod := range t {
		for dir := path.Dir(mod); dir != "."; dir = path.Dir(dir) {
			set[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// up leads from the folder of a module to the top.
func up(mod string) string {
	if n := strings.Count(mod, "/"); n > 0 {
		return strings.Repeat("../", n)
	}
	return "./"
}

// lines joins the lines of a text.
func lines(list ...string) string { return strings.Join(list, "\n") + "\n" }

func pad(n node, comment string) []string {
	return slices.Repeat([]string{comment}, n.pad)
}

// value is the name that a use declares.
func value(u use) string { return fmt.Sprintf("zqval%d", u.id) }
