package core

import (
	"iter"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// Flat is embedded in the resolver of a language whose modules are no members of one another.
type Flat struct{}

// Sub gives nothing.
func (Flat) Sub(lang.Module, string) (lang.Module, bool) { return lang.Module{}, false }

// A Memo keeps what was looked for, so that it is looked for once.
type Memo[K comparable] map[K]answer

type answer struct {
	m  lang.Module
	ok bool
}

// Find gives what find gave for a key when it was first asked for.
func (m Memo[K]) Find(k K, find func() (lang.Module, bool)) (lang.Module, bool) {
	a, ok := m[k]
	if !ok {
		a.m, a.ok = find()
		m[k] = a
	}
	return a.m, a.ok
}

// One gives the module of one file, if it is there.
func One(t lang.Tree, path string) (lang.Module, bool) {
	if !t.HasFile(path) {
		return lang.Module{}, false
	}
	return lang.Module{Files: []string{path}}, true
}

// Sources yields the source files of a repository whose names end so.
func Sources(t lang.Tree, ending string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, d := range append([]string{""}, t.Dirs()...) {
			for _, p := range t.Files(d) {
				if strings.HasSuffix(p, ending) && !yield(p) {
					return
				}
			}
		}
	}
}

// Dir gives the folder of a path, "" for the root.
func Dir(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// SharedDirs counts the folders at the beginning of two paths that are the same.
func SharedDirs(a, b string) int {
	n := 0
	for a != "" && b != "" {
		x, ra, _ := strings.Cut(a, "/")
		y, rb, _ := strings.Cut(b, "/")
		if x != y {
			break
		}
		a, b = ra, rb
		n++
	}
	return n
}

// First gives what look finds first at some paths.
func First(paths []string, look func(string) (lang.Module, bool)) (lang.Module, bool) {
	for _, p := range paths {
		if m, ok := look(p); ok {
			return m, true
		}
	}
	return lang.Module{}, false
}
