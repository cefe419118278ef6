package gosyntax

import (
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/charset"
)

// A checkTree shows the files that are checked to the resolver of imports.
type checkTree struct {
	c       *checker
	dirs    map[string][]string
	dirList []string
	configs map[string][]byte
	builds  map[string]string // constraints in the comments of files that were read
}

func newCheckTree(fsys fs.FS, paths []string, c *checker) *checkTree {
	t := &checkTree{c: c, dirs: map[string][]string{}, configs: map[string][]byte{}, builds: map[string]string{}}
	for _, p := range paths {
		if !fs.ValidPath(p) || !strings.HasSuffix(p, ".go") {
			continue
		}
		d := dirOf(p)
		t.dirs[d] = append(t.dirs[d], p)
		for {
			for _, base := range rules.Config {
				t.config(fsys, strings.TrimPrefix(d+"/"+base, "/"))
			}
			if d == "" {
				break
			}
			if d = dirOf(d); t.dirs[d] == nil {
				t.dirs[d] = []string{}
			}
		}
	}
	for d, l := range t.dirs {
		slices.Sort(l)
		t.dirs[d] = slices.Compact(l)
		t.dirList = append(t.dirList, d)
	}
	slices.Sort(t.dirList)
	return t
}

// config reads a go.mod or go.work file, once. One that is not there is kept as nil.
func (t *checkTree) config(fsys fs.FS, p string) {
	if _, ok := t.configs[p]; ok {
		return
	}
	t.configs[p] = nil
	f, err := fsys.Open(p)
	if err != nil {
		return
	}
	defer f.Close()
	if b, err := io.ReadAll(io.LimitReader(f, 1<<20)); err == nil {
		t.configs[p] = charset.UTF8(p, b)
	}
}

func (t *checkTree) HasFile(p string) bool     { return slices.Contains(t.dirs[dirOf(p)], p) }
func (t *checkTree) HasDir(p string) bool      { _, ok := t.dirs[p]; return ok }
func (t *checkTree) Dirs() []string            { return t.dirList }
func (t *checkTree) Files(dir string) []string { return t.dirs[dir] }

func (t *checkTree) Config(p string) ([]byte, bool) {
	b := t.configs[p]
	return b, b != nil
}

func (t *checkTree) Configs(base string) []string {
	var out []string
	for p, b := range t.configs {
		if b != nil && (p == base || strings.HasSuffix(p, "/"+base)) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// Package gives the package clause of a file with its build constraint, as the facts have it.
func (t *checkTree) Package(p string) string {
	s := t.c.file(p)
	if s == nil {
		return ""
	}
	if b := t.builds[p]; b != "" {
		return s.ast.Name.Name + " " + b
	}
	return s.ast.Name.Name
}
