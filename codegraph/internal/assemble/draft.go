package assemble

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/lang"
)

// A draft numbers the entities of a file.
type draft struct {
	slot   uint32
	suffix []string // by local number: the id without the path; "" for the file
	decl   []int32  // by local number: the declaration; lang.File; gone
	local  []uint32 // by declaration that is an entity
	rank   []uint32 // by local number: the order of the suffixes
}

// idOrder gives the declarations of a file in the order in which they take ids: stubs last, so that the plain name goes to what they stand for.
func idOrder(f *lang.Facts) iter.Seq[int] {
	stub := func(d *lang.Decl) bool { return d.Flags&lang.Stub != 0 }
	return func(yield func(int) bool) {
		some := false
		for i := range f.Decls {
			if stub(&f.Decls[i]) {
				some = true
			} else if !yield(i) {
				return
			}
		}
		for i := range f.Decls {
			if some && stub(&f.Decls[i]) && !yield(i) {
				return
			}
		}
	}
}

// newDraft gives the entities of a file their ids and numbers; an id that the block before had keeps its number.
func newDraft(slot uint32, f *lang.Facts, prev *block.Block) *draft {
	d := &draft{slot: slot, suffix: []string{""}, decl: []int32{lang.File}, local: make([]uint32, len(f.Decls))}
	before := map[string]uint32{}
	if prev != nil {
		for n := uint32(1); n < prev.Nodes; n++ {
			s := string(prev.Suffix(n))
			before[s] = n
			d.suffix = append(d.suffix, s)
			d.decl = append(d.decl, gone)
		}
	}
	names := make([]string, len(f.Decls)) // what stands after the colon of the id, without "#2"
	taken := make(map[string]bool, len(f.Decls))
	for i := range f.Decls {
		c := &f.Decls[i]
		prefix := ""
		if c.Parent != lang.File && names[c.Parent] != "" {
			prefix = names[c.Parent] + "."
		}
		if c.Kind == lang.Lambda || c.Kind == lang.Namespace {
			names[i] = strings.TrimSuffix(prefix, ".")
			if c.Kind == lang.Namespace {
				names[i] = prefix + c.Name
			}
			continue
		}
		if c.Receiver != "" {
			prefix += c.Receiver + "."
		}
		if c.Qualifier != "" {
			prefix += c.Qualifier + "."
		}
		names[i] = prefix + c.Name
	}
	for i := range idOrder(f) {
		c := &f.Decls[i]
		if c.Kind == lang.Lambda || c.Kind == lang.Namespace {
			continue
		}
		id := names[i]
		for n := 2; taken[id]; n++ {
			id = names[i] + "#" + strconv.Itoa(n)
		}
		taken[id] = true
		n, ok := before[id]
		if !ok {
			n = uint32(len(d.suffix))
			d.suffix, d.decl = append(d.suffix, id), append(d.decl, gone)
		}
		d.decl[n], d.local[i] = int32(i), n
	}
	order := make([]uint32, len(d.suffix))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return strings.Compare(d.suffix[x], d.suffix[y]) })
	d.rank = make([]uint32, len(order))
	for i, n := range order {
		d.rank[n] = uint32(i)
	}
	return d
}
