package lspclient

import (
	"path"
	"slices"
	"strings"
)

// nameParts splits a name as people write it into its parts: "(*Type).Method" → Type, Method. Arguments and an index
// are not part of it.
func nameParts(name string) []string {
	name = strings.TrimSpace(name)
	name = strings.NewReplacer("(*", "", "::", ".", "#", ".", "/", ".", "->", ".").Replace(name)
	if i := strings.IndexByte(name, '('); i > 0 { // arguments
		name = name[:i]
	}
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '.' || r == ')' || r == '(' || r == '*' || r == '&' })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}

func lastPart(name string) string {
	parts := nameParts(name)
	if len(parts) == 0 {
		return name
	}
	return parts[len(parts)-1]
}

// declaration is a symbol that a server lists, with what contains it.
type declaration struct {
	name      string // plain, may hold containers itself ("Type.Method")
	container string // as the server says
	kind      string
	at        Location
}

// full returns the declaration's name with its container, for people.
func (d declaration) full() string {
	if d.container == "" || strings.HasPrefix(d.name, d.container+".") {
		return d.name
	}
	return d.container + "." + d.name
}

// fit says how well a declaration fits a name; less is better.
type fit int

const (
	fitsExactly fit = iota
	fitsGaps        // links of the chain were left out
	fitsCase        // upper and lower case were taken for the same
	fitsNot
)

// fits says how well a declaration fits a name of the given parts. The last part must be the declared identifier; the
// parts before it must be links up the chain, in order: the containers in the declaration's name and in what the server
// calls its container, then the file without extension, then the folders. Links may be left out, so that
// "flask.Flask.run" finds the one in flask/app.py.
func (d declaration) fits(parts []string) fit {
	chain := nameParts(d.container)
	own := nameParts(d.name)
	// A name that repeats its container ("pkg.Type.Method" in "pkg") is its own chain.
	if len(own) > len(chain) && slices.Equal(own[:len(chain)], chain) {
		chain = nil
	}
	file := nameParts(strings.TrimSuffix(d.at.Path, path.Ext(d.at.Path)))
	links := slices.Concat(file, chain, own)
	same := func(a, b string) bool { return a == b }
	switch {
	case len(parts) <= len(links) && slices.Equal(links[len(links)-len(parts):], parts):
		return fitsExactly
	case chainFits(links, parts, same):
		return fitsGaps
	case chainFits(links, parts, strings.EqualFold):
		return fitsCase
	}
	return fitsNot
}

func chainFits(links, parts []string, same func(a, b string) bool) bool {
	if len(links) == 0 || len(parts) == 0 || !same(links[len(links)-1], parts[len(parts)-1]) {
		return false
	}
	i := len(links) - 2
	for p := len(parts) - 2; p >= 0; p-- {
		for i >= 0 && !same(links[i], parts[p]) {
			i--
		}
		if i < 0 {
			return false
		}
		i--
	}
	return true
}
