package ingest

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/limited"
)

// A naming says what a source is to be called, so that documents of several folders that have one path below them go into one library. Names depend on the documents that there
// are, not on the order in which they came: a path that is there once is the name; where it is there more often, each has so many folders before it that no two are the same.
// A document keeps its name as long as it tells it from the others, also when its folder moves.
type naming struct {
	name   string
	group  []*catalog.Entry // what has the base name already
	old    *catalog.Entry   // what has been taken in of the source under another name, to be dropped; nil: nothing
	rename []renaming       // what must tell itself from the source from now on
	drop   []string         // ids of copies that a change left behind that was broken off
}

type renaming struct {
	from *catalog.Entry
	name string
}

// named reports whether a source gets its id by its name, and its name here.
func named(src *Source) bool { return src.ID == "" && !src.ByContent && filepath.IsAbs(src.Origin) }

// A namer names sources.
type namer struct {
	store   driver.Store
	maxFile int64
}

// settle names a source.
func (in namer) settle(ctx context.Context, c *catalog.Catalog, src *Source) (*naming, error) {
	base := src.Name
	n := &naming{name: base, group: c.Group(base)}
	own, err := in.own(ctx, src, n)
	if err != nil {
		return nil, err
	}
	others, origins := []*catalog.Entry{}, []string{}
	for _, e := range n.group {
		if e != own && !slices.Contains(n.drop, e.ID) && filepath.IsAbs(e.Origin) {
			others, origins = append(others, e), append(origins, e.Origin)
		}
	}
	alone := len(n.group) == 0 || len(n.group) == 1 && own != nil
	switch {
	case own != nil && catalog.Tells(own.Name, origins):
		n.name = own.Name
	case !alone:
		n.name, n.old = catalog.Shortest(src.Origin, base, origins), own
	}
	could := map[string]int{} // how many of the others, and of the source, a name could mean
	for _, o := range append(slices.Clip(origins), src.Origin) {
		for _, name := range catalog.Longer(o, base) {
			could[name]++
		}
	}
	for i, e := range others {
		if e.Name != base && could[e.Name] == 1 && slices.Contains(catalog.Longer(e.Origin, base), e.Name) { // its own
			continue
		}
		rest := append(slices.Delete(slices.Clone(origins), i, i+1), src.Origin)
		if !catalog.Tells(e.Name, rest) {
			if name := catalog.Shortest(e.Origin, base, rest); name != e.Name {
				n.rename = append(n.rename, renaming{e, name})
			}
		}
	}
	if own != nil {
		return n, nil
	}
	return n, in.beside(ctx, src, n)
}

// own finds the document of the group that a source is of: the one of its file, or one whose file is gone, as when a folder was moved.
func (in namer) own(ctx context.Context, src *Source, n *naming) (own *catalog.Entry, err error) {
	for _, e := range n.group {
		if !sameOrigin(e.Origin, src.Origin) {
			continue
		}
		if own != nil { // a renaming was broken off: the longer name is the new one
			n.drop = append(n.drop, own.ID)
		}
		own = e
	}
	if own != nil {
		return own, nil
	}
	var lost []*catalog.Entry
	for _, e := range n.group {
		if gone(e) {
			lost = append(lost, e)
		}
	}
	if len(n.group) == 1 && len(lost) == 1 {
		return lost[0], nil
	}
	mine := catalog.Longer(src.Origin, src.Name)
	for _, e := range lost { // the folder was moved and kept its name
		if slices.Contains(mine, e.Name) {
			return e, nil
		}
	}
	sum := ""
	for _, e := range lost { // it has another name now
		if e.Size != src.Size || e.Hash == "" {
			continue
		}
		if sum == "" {
			bytes, err := hash(ctx, *src, in.maxFile)
			if err != nil {
				return nil, ctx.Err() // that it cannot be read is said when it is to be read
			}
			sum = bytes.sum
			if err := bytes.Close(); err != nil {
				return nil, err
			}
		}
		if e.Hash == sum {
			return e, nil
		}
	}
	return nil, nil
}

// beside looks at what a library that is limited leaves out: the document of the source's file, which is this one, or documents of its names, which stay as they are, and before
// which the source gets a longer name.
func (in namer) beside(ctx context.Context, src *Source, n *naming) error {
	part, ok := in.store.(*limited.Store)
	if !ok {
		return nil
	}
	names := append([]string{src.Name}, catalog.Longer(src.Origin, src.Name)...)
	free := ""
	for i, name := range names {
		e, err := part.LeftOut(ctx, catalog.NameID(name))
		if err != nil {
			return err
		}
		if e != nil && sameOrigin(e.Origin, src.Origin) {
			n.name = name
			return nil
		}
		if free == "" && i >= slices.Index(names, n.name) && (e == nil || gone(e)) {
			free = name
		}
	}
	if free != "" {
		n.name = free
	}
	return nil
}

// renames reports whether documents get another name though the source itself is unchanged.
func (p *prepared) renames() bool {
	return p.naming != nil && p.result != nil && len(p.naming.rename)+len(p.naming.drop) > 0
}

// current reports whether the group of a source is that by which it was named.
func (n *naming) current(c *catalog.Catalog, src *Source) bool {
	return n == nil || slices.EqualFunc(n.group, c.Group(src.Name), func(a, b *catalog.Entry) bool { return a.ID == b.ID && a.Origin == b.Origin })
}

// titleName is the name that a document without a title shows as one.
func titleName(name string) string { return strings.TrimSpace(catalog.Base(name)) }
