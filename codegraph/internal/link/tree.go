package link

import (
	"path"
	"slices"
	"strings"
)

// tree shows a state to the resolvers.
type tree struct {
	src     Source
	dirs    map[string][]string // files directly in each directory that holds files, at any depth
	configs map[string][]string
}

func newTree(src Source) *tree {
	t := &tree{src: src, dirs: map[string][]string{"": nil}, configs: map[string][]string{}}
	for _, p := range src.Paths() {
		if src.Lang(p) == "" { // no language has modules of such files
			continue
		}
		d := dirOf(p)
		t.dirs[d] = append(t.dirs[d], p)
		for d != "" {
			d = dirOf(d)
			if _, ok := t.dirs[d]; ok {
				break
			}
			t.dirs[d] = nil
		}
	}
	for p := range src.Configs() {
		t.configs[path.Base(p)] = append(t.configs[path.Base(p)], p)
	}
	for _, l := range t.configs {
		slices.Sort(l)
	}
	return t
}

func (t *tree) HasFile(p string) bool { return t.src.Lang(p) != "" }

func (t *tree) HasDir(p string) bool { _, ok := t.dirs[p]; return ok }

func (t *tree) Dirs() []string {
	out := make([]string, 0, len(t.dirs))
	for d := range t.dirs {
		if d != "" {
			out = append(out, d)
		}
	}
	slices.Sort(out)
	return out
}

func (t *tree) Files(dir string) []string { return t.dirs[dir] }

func (t *tree) Config(p string) ([]byte, bool) { b, ok := t.src.Configs()[p]; return b, ok }

func (t *tree) Configs(base string) []string { return t.configs[base] }

func (t *tree) Package(p string) string { return t.src.Package(p) }

func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}
