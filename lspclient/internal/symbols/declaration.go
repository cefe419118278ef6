package symbols

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
)

// Declaration is a symbol that a server lists, with what contains it.
type Declaration struct {
	Name      string // plain, may hold containers itself ("Type.Method")
	Container string // as the server says
	Kind      string
	At        place.Location // of its name
	params    string         // its parameter list as far as the server shows it, "(int)"

	// The rest is known when the declaration was found among those of its file.
	Chain    []string       // names of the declarations around it and its own, as the server shows them; nil: not known
	siblings int            // declarations of this name in this container
	index    int            // its number among them, from 0
	Whole    place.Location // with its body
}

// ident is the identifier that is declared.
func (d Declaration) ident() string { return symbolname.Last(d.Name) }

// Full returns the declaration's name with its container, for people.
func (d Declaration) Full() string {
	if d.Chain != nil {
		var names []string
		for _, l := range symbolname.Chain(d.Chain) {
			if !l.Optional || len(d.Chain) == 1 {
				names = append(names, l.Names[0])
			}
		}
		return strings.Join(names, ".")
	}
	if d.Container == "" || strings.HasPrefix(d.Name, d.Container+".") {
		return d.Name
	}
	sep := "."
	if strings.Contains(d.Container, "::") {
		sep = "::"
	}
	return d.Container + sep + d.Name
}

// links returns the whole chain: the folders, the file, what the declaration is in, and its name. A file's own name need
// not be written, since languages differ in whether it is part of a name, and neither do folders that hold sources only.
func (d Declaration) links() []symbolname.Link {
	file := filepath.ToSlash(d.At.Path)
	var links []symbolname.Link
	for dir := range strings.SplitSeq(strings.Trim(path.Dir(file), "./"), "/") {
		if dir != "" {
			links = append(links, symbolname.Link{Names: []string{dir, strings.ReplaceAll(dir, "-", "_")}, Optional: dir == "src" || dir == "lib"})
		}
	}
	stem := path.Base(file)
	stem, _, _ = strings.Cut(stem, ".")
	links = append(links, symbolname.Link{Names: []string{stem}, Optional: true})
	if d.Chain != nil {
		return append(links, symbolname.Chain(d.Chain)...)
	}
	var names []string
	if d.Container != "" {
		if _, _, ok := symbolname.Impl(d.Container); ok {
			names = append(names, d.Container)
		} else if parts := symbolname.Parse(d.Container).Parts; len(parts) > 0 && (len(parts) == 1 && strings.HasPrefix(d.Container, "&")) {
			names = append(names, symbolname.BareType(d.Container))
		} else {
			names = append(names, parts...)
		}
	}
	return append(links, symbolname.Chain(append(names, d.Name))...)
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
func (d Declaration) fits(w symbolname.Name) fit {
	if w.Index >= 0 && (d.Chain == nil || d.index != w.Index) {
		return fitsNot
	}
	if w.Raw == d.Name && len(w.Parts) > 0 { // as the server shows it, whatever it is
		if len(d.Chain) == 1 {
			return fitsWhole
		}
		return fitsExactly
	}
	if d.Chain != nil {
		if own := symbolname.Chain(d.Chain); symbolname.Match(own, w.Parts, func(a, b string) bool { return a == b }) == 0 && len(w.Parts) >= symbolname.Needed(own) {
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
func (d Declaration) overrides(o Declaration) bool {
	a, b := d.Owner(), o.Owner()
	return a != "" && b != "" && a != b && memberKinds[d.Kind] && memberKinds[o.Kind]
}

// Owner is the last name of what contains the declaration, "" at the top. The declaration's own name may hold it:
// "Receiver::tune".
func (d Declaration) Owner() string {
	names := d.Chain
	if len(names) == 0 {
		names = []string{d.Container, d.Name}
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
