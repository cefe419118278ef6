package reading

import (
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

// A Section is a section with the indexes of those around it, outermost first, and directly within it, in order.
type Section struct {
	extract.Section
	Path, Children []extract.Section
	Text           *Text
}

// Section returns the section that ref names; see docsearch.Library.Section.
func (d *Doc) Section(ctx context.Context, ref string) (*Section, error) {
	all := d.Layout.Sections
	i, err := rawtext.PickSection(all, ref)
	if err != nil {
		return nil, fmt.Errorf("document %q: %w", d.Name, err)
	}
	out := &Section{Section: all[i], Path: []extract.Section{}, Children: []extract.Section{}}
	if out.Text, err = d.Lines(ctx, all[i].Lines.First, all[i].Lines.Last); err != nil {
		return nil, err
	}
	for p := all[i].Parent; p >= 0 && p < len(all) && len(out.Path) < 64; p = all[p].Parent {
		out.Path = append(out.Path, all[p])
	}
	slices.Reverse(out.Path)
	for j := range all {
		if all[j].Parent == i {
			out.Children = append(out.Children, all[j])
		}
	}
	return out, nil
}
