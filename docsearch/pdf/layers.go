package pdf

import "github.com/findspot/findspot/docsearch/pdf/internal/cos"

// layers are the optional content groups that the default view hides, by object number.
type layers map[int]bool

// readLayers reads the optional content of a file (ISO 32000-1, 8.11).
func readLayers(f *reader) layers {
	oc := f.dict(f.catalog()["OCProperties"])
	if oc == nil {
		return nil
	}
	off := layers{}
	d := f.dict(oc["D"])
	if f.name(d["BaseState"]) == "OFF" {
		for _, g := range f.array(oc["OCGs"]) {
			off[objNr(g)] = true
		}
		for _, g := range f.array(d["ON"]) {
			delete(off, objNr(g))
		}
	}
	for _, g := range f.array(d["OFF"]) {
		off[objNr(g)] = true
	}
	delete(off, 0)
	return off
}

// hidden reports whether an optional content group or membership is off.
func (l layers) hidden(f *reader, o cos.Object) bool {
	if len(l) == 0 || o == nil {
		return false
	}
	if l[objNr(o)] {
		return true
	}
	d := f.dict(o)
	if f.name(d["Type"]) != "OCMD" {
		return false
	}
	groups := f.array(d["OCGs"])
	if groups == nil {
		return l[objNr(d["OCGs"])]
	}
	on, off := 0, 0
	for _, g := range groups {
		if l[objNr(g)] {
			off++
		} else {
			on++
		}
	}
	switch f.name(d["P"]) {
	case "AllOn":
		return off > 0
	case "AnyOff":
		return off == 0
	case "AllOff":
		return on > 0
	}
	return on == 0 && off > 0
}
