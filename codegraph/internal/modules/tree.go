package modules

import (
	"path"
	"slices"
	"strings"
)

// A State is one state of a repository.
type State interface {
	// Paths lists the files, sorted.
	Paths() []string
	// Lang names the front end of a file, "" for one that none reads or that is not there.
	Lang(p string) string
	// Package gives the package that a file says it is of.
	Package(p string) string
	// Configs gives the configuration files, by path.
	Configs() map[string][]byte
}

// tree shows a state to the resolvers.
type tree struct {
	src     State
	dirs    map[string][]string // files directly in each directory that holds files, at any depth
	configs map[string][]string
}

func newTree(src State) *tree {
	t := &tree{src: src, dirs: map[string][]string{"": nil}, configs: map[string][]string{}}
	for _, p := range src.Paths() {
		if src.Lang(p) == "" { // no language has modules of such files
			continue
		}
		d := DirOf(p)
		t.dirs[d] = append(t.dirs[d], p)
		for d != "" {
			d = DirOf(d)
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

func DirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}
