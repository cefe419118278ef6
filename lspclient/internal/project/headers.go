package project

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// Inclusions tell which sources include a header, and in which folders what they include lies, by the names that the files
// write behind #include. Which of several headers of one name is meant nobody knows without a compilation database: for the
// language of a header all count, for the folders none.
type Inclusions struct {
	Dirs  []string            // where files lie that are included from elsewhere, those that most files need first
	by    map[string][]string // the files that include one of that name, both without folder
	langs map[string][]string // the languages of the sources of a name
	all   []string            // the languages of all sources
}

var includePattern = lazyregexp.New(`(?m)^[ \t]*#[ \t]*(?:include|import)[ \t]*["<]([^">\r\n]{1,300})[">]`)

const (
	maxIncludes = 2000 // bounds the inclusions of one file that count
	maxDirs     = 100  // bounds the folders that a compiler is to look in
)

// NewInclusions reads what files include. Language tells the protocol's language of a source; read returns the text of a file,
// nil for one that is not to be read.
func NewInclusions(files []string, language func(path string) string, read func(path string) []byte) *Inclusions {
	in := &Inclusions{by: map[string][]string{}, langs: map[string][]string{}}
	have, named := map[string]bool{}, map[string][]string{} // all files, and those of one name
	for _, path := range files {
		have[path] = true
		named[filepath.Base(path)] = append(named[filepath.Base(path)], path)
	}
	needed := map[string]int{} // how often a folder is
	add := func(list []string, s string) []string {
		if slices.Contains(list, s) {
			return list
		}
		return append(list, s)
	}
	for _, path := range files {
		base := filepath.Base(path)
		if !IsHeader(path) {
			lang := language(path)
			in.langs[base], in.all = add(in.langs[base], lang), add(in.all, lang)
		}
		for _, m := range includePattern.FindAllSubmatch(read(path), maxIncludes) {
			asked := filepath.FromSlash(strings.ReplaceAll(string(m[1]), `\`, "/"))
			name := filepath.Base(asked)
			in.by[name] = add(in.by[name], base)
			if !have[filepath.Join(filepath.Dir(path), asked)] {
				if dir := below(named[name], asked); dir != "" {
					needed[dir]++
				}
			}
		}
	}
	in.Dirs = slices.SortedFunc(maps.Keys(needed), func(a, b string) int { return cmp.Or(needed[b]-needed[a], strings.Compare(a, b)) })
	in.Dirs = in.Dirs[:min(len(in.Dirs), maxDirs)]
	return in
}

// below returns the folder that holds the one file of a name that is written behind #include; "" when there is none, or are several.
func below(paths []string, asked string) string {
	found := ""
	for _, path := range paths {
		dir, ok := strings.CutSuffix(path, string(filepath.Separator)+asked)
		if ok && found != "" {
			return ""
		}
		if ok {
			found = dir
		}
	}
	return found
}

// Command is how a file is compiled as far as the inclusions tell, nil when they tell no more than its suffix.
func (in *Inclusions) Command(path string) []string {
	args := []string{"clang"}
	switch {
	case IsHeader(path) && in.OnlyC(path):
		args = append(args, "-xc-header")
	case len(in.Dirs) == 0:
		return nil
	case IsHeader(path):
		args = append(args, "-xobjective-c++-header") // as clangd takes it by itself
	}
	for _, dir := range in.Dirs {
		args = append(args, "-I"+dir)
	}
	return append(args, "--", path)
}

// IsHeader reports whether a file is a header that C, C++ and Objective-C share the suffix of.
func IsHeader(path string) bool { return strings.EqualFold(filepath.Ext(path), ".h") }

// OnlyC reports whether a header belongs to C alone: sources in C include it, through any number of headers, and no others
// do. One that nobody includes is taken for what all sources of the folder are.
func (in *Inclusions) OnlyC(header string) bool {
	seen := map[string]bool{}
	var langs []string
	for next := []string{filepath.Base(header)}; len(next) > 0; {
		name := next[0]
		next = next[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		langs = append(langs, in.langs[name]...)
		next = append(next, in.by[name]...)
	}
	if len(langs) == 0 {
		langs = in.all
	}
	return len(langs) > 0 && !slices.ContainsFunc(langs, func(l string) bool { return l != "c" })
}
