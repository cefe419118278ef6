package lspclient

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
)

// declaration is a symbol that a server lists, with what contains it.
type declaration struct {
	name      string // plain, may hold containers itself ("Type.Method")
	container string // as the server says
	kind      string
	at        place.Location // of its name
	params    string         // its parameter list as far as the server shows it, "(int)"

	// The rest is known when the declaration was found among those of its file.
	chain    []string       // names of the declarations around it and its own, as the server shows them; nil: not known
	siblings int            // declarations of this name in this container
	index    int            // its number among them, from 0
	whole    place.Location // with its body
}

// ident is the identifier that is declared.
func (d declaration) ident() string { return symbolname.Last(d.name) }

// full returns the declaration's name with its container, for people.
func (d declaration) full() string {
	if d.chain != nil {
		var names []string
		for _, l := range symbolname.Chain(d.chain) {
			if !l.Optional || len(d.chain) == 1 {
				names = append(names, l.Names[0])
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

// links returns the whole chain: the folders, the file, what the declaration is in, and its name. A file's own name need
// not be written, since languages differ in whether it is part of a name, and neither do folders that hold sources only.
func (d declaration) links() []symbolname.Link {
	file := filepath.ToSlash(d.at.Path)
	var links []symbolname.Link
	for dir := range strings.SplitSeq(strings.Trim(path.Dir(file), "./"), "/") {
		if dir != "" {
			links = append(links, symbolname.Link{Names: []string{dir, strings.ReplaceAll(dir, "-", "_")}, Optional: dir == "src" || dir == "lib"})
		}
	}
	stem := path.Base(file)
	stem, _, _ = strings.Cut(stem, ".")
	links = append(links, symbolname.Link{Names: []string{stem}, Optional: true})
	if d.chain != nil {
		return append(links, symbolname.Chain(d.chain)...)
	}
	var names []string
	if d.container != "" {
		if _, _, ok := symbolname.Impl(d.container); ok {
			names = append(names, d.container)
		} else if parts := symbolname.Parse(d.container).Parts; len(parts) > 0 && (len(parts) == 1 && strings.HasPrefix(d.container, "&")) {
			names = append(names, symbolname.BareType(d.container))
		} else {
			names = append(names, parts...)
		}
	}
	return append(links, symbolname.Chain(append(names, d.name))...)
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
func (d declaration) fits(w symbolname.Name) fit {
	if w.Index >= 0 && (d.chain == nil || d.index != w.Index) {
		return fitsNot
	}
	if w.Raw == d.name && len(w.Parts) > 0 { // as the server shows it, whatever it is
		if len(d.chain) == 1 {
			return fitsWhole
		}
		return fitsExactly
	}
	if d.chain != nil {
		if own := symbolname.Chain(d.chain); symbolname.Match(own, w.Parts, func(a, b string) bool { return a == b }) == 0 && len(w.Parts) >= symbolname.Needed(own) {
			return fitsWhole
		}
	}
	if w.Anchored {
		return fitsNot
	}
	links := d.links()
	switch gaps := symbolname.Match(links, w.Parts, func(a, b string) bool { return a == b }); {
	case gaps == 0:
		return fitsExactly
	case gaps > 0:
		return fitsGaps
	case symbolname.Match(links, w.Parts, strings.EqualFold) >= 0:
		return fitsCase
	}
	return fitsNot
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
		parts = append(parts, symbolname.Parse(n).Parts...)
	}
	if len(parts) < 2 {
		return ""
	}
	return parts[len(parts)-2]
}

var memberKinds = map[string]bool{"method": true, "function": true, "property": true, "field": true, "constructor": true}
