package c

import (
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// modules finds included files. Which folders a compiler searches is not in the repository, so they are
// guessed: the folder of the including file and those above it, each with its include and src folders, and then the file
// whose path ends in what is written, where just one does or one is nearest.
type modules struct {
	core.Flat
	t      lang.Tree
	byBase map[string][]string
	found  core.Memo[[2]string]
}

func newModules(t lang.Tree) lang.Resolver {
	return &modules{t: t, found: core.Memo[[2]string]{}}
}

func (m *modules) Module(from string, imp lang.Import) (lang.Module, bool) {
	dir := core.Dir(from)
	found, ok := m.found.Find([2]string{dir, imp.Module}, func() (lang.Module, bool) { return core.One(m.t, m.find(dir, imp.Module)) })
	return found, ok && found.Files[0] != from
}

func (m *modules) find(dir, name string) string {
	name, angled := strings.CutPrefix(name, "<")
	if name = strings.TrimSuffix(name, ">"); name == "" || strings.HasPrefix(name, "/") {
		return ""
	}
	if angled && stdHeaders[name] {
		return ""
	}
	if !angled {
		if p := path.Join(dir, name); m.t.HasFile(p) {
			return p
		}
	}
	rel := path.Clean(name)
	for strings.HasPrefix(rel, "../") {
		rel = rel[3:]
	}
	for d := dir; ; d = core.Dir(d) {
		for _, sub := range []string{"", "include", "src", "lib", "inc"} {
			if p := path.Join(d, sub, rel); m.t.HasFile(p) {
				return p
			}
		}
		if d == "" {
			break
		}
	}
	if m.byBase == nil {
		m.byBase = map[string][]string{}
		for f := range core.Sources(m.t, "") {
			m.byBase[path.Base(f)] = append(m.byBase[path.Base(f)], f)
		}
	}
	best, near, same := "", -1, false
	for _, f := range m.byBase[path.Base(rel)] {
		if f != rel && !strings.HasSuffix(f, "/"+rel) {
			continue
		}
		n := core.SharedDirs(dir, core.Dir(f))
		if n > near {
			best, near, same = f, n, false
		} else if n == near {
			same = true
		}
	}
	if same {
		return ""
	}
	return best
}
