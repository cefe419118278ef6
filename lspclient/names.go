package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/source"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

func lastPart(name string) string {
	if last := parseName(name).last(); last != "" {
		return last
	}
	return name
}

// declaration is a symbol that a server lists, with what contains it.
type declaration struct {
	name      string // plain, may hold containers itself ("Type.Method")
	container string // as the server says
	kind      string
	at        Location // of its name
	params    string   // its parameter list as far as the server shows it, "(int)"

	// The rest is known when the declaration was found among those of its file.
	chain    []string // names of the declarations around it and its own, as the server shows them; nil: not known
	siblings int      // declarations of this name in this container
	index    int      // its number among them, from 0
	whole    Location // with its body
}

// ident is the identifier that is declared.
func (d declaration) ident() string { return lastPart(d.name) }

// full returns the declaration's name with its container, for people.
func (d declaration) full() string {
	if d.chain != nil {
		var names []string
		for _, l := range chainLinks(d.chain) {
			if !l.optional || len(d.chain) == 1 {
				names = append(names, l.names[0])
			}
		}
		return strings.Join(names, ".")
	}
	if d.container == "" || strings.HasPrefix(d.name, d.container+".") {
		return d.name
	}
	sep := "."
	if strings.Contains(d.container, "::") {
		sep = "::"
	}
	return d.container + sep + d.name
}

// link is one step of the chain that leads to a declaration.
type link struct {
	names    []string // any of which may be written
	optional bool     // nobody needs to write it
}

func (l link) is(part string, same func(a, b string) bool) bool {
	return slices.ContainsFunc(l.names, func(n string) bool {
		return same(n, part) || same(strings.TrimLeft(n, "#@"), strings.TrimLeft(part, "#@"))
	})
}

// chainLinks turns names as servers show them into links: a method's "(*T).m" is two, an implementation block stands for
// its type, and what has no name of its own (a callback, an anonymous namespace) need not be written.
func chainLinks(names []string) []link {
	var links []link
	for i, name := range names {
		if typ, trait, ok := implOf(name); ok {
			l := link{names: []string{typ, name}}
			if trait != "" {
				l.names = append(l.names, trait)
			}
			links = append(links, l)
			continue
		}
		plain := plainName(name)
		own := parseName(plain).parts
		if strings.ContainsAny(plain, " \t") && operatorName(plain) == "" || strings.HasPrefix(plain, "<") || strings.HasPrefix(plain, "(") || len(own) == 0 {
			links = append(links, link{names: []string{name, plain}, optional: i < len(names)-1})
			continue
		}
		// What a name repeats of its containers counts once: "pkg.Type.Method" in "example.com/pkg".
		for n := min(len(own)-1, len(links)); n > 0; n-- {
			if slices.EqualFunc(links[len(links)-n:], own[:n], func(l link, p string) bool { return l.names[0] == p }) {
				own = own[n:]
				break
			}
		}
		for j, p := range own {
			l := link{names: []string{p}}
			if j == len(own)-1 && p != plain {
				l.names = append(l.names, plain)
			}
			links = append(links, l)
		}
	}
	return links
}

// links returns the whole chain: the folders, the file, what the declaration is in, and its name. A file's own name need
// not be written, since languages differ in whether it is part of a name, and neither do folders that hold sources only.
func (d declaration) links() []link {
	file := filepath.ToSlash(d.at.Path)
	var links []link
	for dir := range strings.SplitSeq(strings.Trim(path.Dir(file), "./"), "/") {
		if dir != "" {
			links = append(links, link{names: []string{dir, strings.ReplaceAll(dir, "-", "_")}, optional: dir == "src" || dir == "lib"})
		}
	}
	stem := path.Base(file)
	stem, _, _ = strings.Cut(stem, ".")
	links = append(links, link{names: []string{stem}, optional: true})
	if d.chain != nil {
		return append(links, chainLinks(d.chain)...)
	}
	var names []string
	if d.container != "" {
		if _, _, ok := implOf(d.container); ok {
			names = append(names, d.container)
		} else if parts := parseName(d.container).parts; len(parts) > 0 && (len(parts) == 1 && strings.HasPrefix(d.container, "&")) {
			names = append(names, bareType(d.container))
		} else {
			names = append(names, parts...)
		}
	}
	return append(links, chainLinks(append(names, d.name))...)
}

// fit says how well a declaration fits a name; less is better.
type fit int

const (
	fitsWhole   fit = iota // the name is the whole chain within the file
	fitsExactly            // it is the end of the chain
	fitsGaps               // links of the chain were left out
	fitsCase               // upper and lower case were taken for the same
	fitsNot
)

// fits says how well a declaration fits a name. The last part must be the declared identifier; the parts before it must
// be links up the chain, in order: the containers in the declaration's name and in what the server calls its container,
// then the file without extension, then the folders. Links may be left out, so that "flask.Flask.run" finds the one in
// flask/app.py.
func (d declaration) fits(w written) fit {
	if w.index >= 0 && (d.chain == nil || d.index != w.index) {
		return fitsNot
	}
	if w.raw == d.name && len(w.parts) > 0 { // as the server shows it, whatever it is
		if len(d.chain) == 1 {
			return fitsWhole
		}
		return fitsExactly
	}
	if d.chain != nil {
		if own := chainLinks(d.chain); chainFits(own, w.parts, func(a, b string) bool { return a == b }) == 0 && len(w.parts) >= countNeeded(own) {
			return fitsWhole
		}
	}
	if w.anchored {
		return fitsNot
	}
	links := d.links()
	switch gaps := chainFits(links, w.parts, func(a, b string) bool { return a == b }); {
	case gaps == 0:
		return fitsExactly
	case gaps > 0:
		return fitsGaps
	case chainFits(links, w.parts, strings.EqualFold) >= 0:
		return fitsCase
	}
	return fitsNot
}

func countNeeded(links []link) int {
	n := 0
	for _, l := range links {
		if !l.optional {
			n++
		}
	}
	return n
}

// chainFits returns how many links that people write were left out between the parts, -1 when the parts do not fit.
func chainFits(links []link, parts []string, same func(a, b string) bool) int {
	if len(links) == 0 || len(parts) == 0 || !links[len(links)-1].is(parts[len(parts)-1], same) {
		return -1
	}
	gaps := 0
	i := len(links) - 2
	for p := len(parts) - 2; p >= 0; p-- {
		for ; i >= 0 && !links[i].is(parts[p], same); i-- {
			if !links[i].optional {
				gaps++
			}
		}
		if i < 0 {
			return -1
		}
		i--
	}
	return gaps
}

// matchesParams reports whether a declared parameter list has the types that were written. Each side is a list of types
// or of names with types, so a type matches when it is a word of the other side, or all of it.
func matchesParams(want, have []string) bool {
	if len(want) != len(have) {
		return false
	}
	for i, w := range want {
		w, h := wordsOf(w), wordsOf(have[i])
		if len(w) == 0 || !slices.ContainsFunc(w, func(word string) bool { return slices.Contains(h, word) }) {
			return false
		}
		// "T*" is not "T", "int[]" is not "int".
		if typeMarks(want[i]) != typeMarks(have[i]) {
			return false
		}
	}
	return true
}

// typeMarks returns what makes another type of one: pointers, references and arrays.
func typeMarks(s string) string {
	if i := strings.IndexAny(s, "=:"); i >= 0 && s[i] == '=' {
		s = s[:i]
	}
	s = strings.ReplaceAll(s, "...", "[]")
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("*&[]", r) {
			return r
		}
		return -1
	}, s)
}

// wordsOf returns the last components of the names in a type, without type arguments and qualifiers.
func wordsOf(s string) []string {
	if i := strings.IndexByte(s, '<'); i >= 0 {
		s = s[:i] + s[i+balanced(s[i:], '<', '>'):]
	}
	if i := strings.IndexByte(s, '='); i >= 0 {
		s = s[:i] // a default value
	}
	var words []string
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return !source.IsIdent(r) && r != '.' }) {
		f = strings.Trim(f, ".")
		f = f[strings.LastIndexByte(f, '.')+1:]
		switch f {
		case "", "const", "final", "volatile", "mut", "ref", "struct":
			continue
		}
		words = append(words, f)
	}
	return words
}

// overrides reports whether two declarations are members of one name in two classes. Some servers lead from a method to
// the one it overrides (jedi): that is another symbol.
func (d declaration) overrides(o declaration) bool {
	a, b := d.owner(), o.owner()
	return a != "" && b != "" && a != b && memberKinds[d.kind] && memberKinds[o.kind]
}

// owner is the last name of what contains the declaration, "" at the top. The declaration's own name may hold it:
// "Receiver::tune".
func (d declaration) owner() string {
	names := d.chain
	if len(names) == 0 {
		names = []string{d.container, d.name}
	}
	var parts []string
	for _, n := range names {
		parts = append(parts, parseName(n).parts...)
	}
	if len(parts) < 2 {
		return ""
	}
	return parts[len(parts)-2]
}

var memberKinds = map[string]bool{"method": true, "function": true, "property": true, "field": true, "constructor": true}
