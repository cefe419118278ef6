package catalog

import "github.com/findspot/findspot/docsearch/pdf/internal/cos"

// Layers are the optional content groups that the default view hides, by object number.
type Layers map[int]bool

// ReadLayers reads the optional content of a file (ISO 32000-1, 8.11).
func ReadLayers(f *cos.Reader) Layers {
	oc := f.Dict(f.Catalog()["OCProperties"])
	if oc == nil {
		return nil
	}
	off := Layers{}
	d := f.Dict(oc["D"])
	if f.Name(d["BaseState"]) == "OFF" {
		for _, g := range f.Array(oc["OCGs"]) {
			off[cos.ObjectNumber(g)] = true
		}
		for _, g := range f.Array(d["ON"]) {
			delete(off, cos.ObjectNumber(g))
		}
	}
	for _, g := range f.Array(d["OFF"]) {
		off[cos.ObjectNumber(g)] = true
	}
	delete(off, 0)
	return off
}

// Hidden reports whether an optional content group or membership is off.
func (l Layers) Hidden(f *cos.Reader, o cos.Object) bool {
	if len(l) == 0 || o == nil {
		return false
	}
	if l[cos.ObjectNumber(o)] {
		return true
	}
	d := f.Dict(o)
	if f.Name(d["Type"]) != "OCMD" {
		return false
	}
	groups := f.Array(d["OCGs"])
	if groups == nil {
		return l[cos.ObjectNumber(d["OCGs"])]
	}
	on, off := 0, 0
	for _, g := range groups {
		if l[cos.ObjectNumber(g)] {
			off++
		} else {
			on++
		}
	}
	switch f.Name(d["P"]) {
	case "AllOn":
		return off > 0
	case "AnyOff":
		return off == 0
	case "AllOff":
		return on > 0
	}
	return on == 0 && off > 0
}
