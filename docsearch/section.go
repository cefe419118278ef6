package docsearch

import (
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

// Sections returns the sections of a document (see [Library.Resolve] for doc) in the order of the text; none for one without
// headings, and for one that was added by a version that did not look for them: add it again.
func (l *Library) Sections(ctx context.Context, doc string) ([]extract.Section, error) {
	_, lay, err := l.openDoc(ctx, doc)
	if err != nil {
		return nil, err
	}
	return append([]extract.Section{}, lay.Sections...), nil
}

// SectionText is a section with its text.
type SectionText struct {
	Section  extract.Section   `json:"section"`
	Path     []extract.Section `json:"path"`     // the sections around it, outermost first
	Children []extract.Section `json:"children"` // the sections directly within it, in order
	Text
}

// Section returns the section of a document that ref names: by number ("5.3.5.3", "Annex A"), by heading, by title, or by a part of a
// title that only one has; case does not count. None is an error wrapping [ErrNotFound] that names sections close to it, and
// several are one that lists them.
func (l *Library) Section(ctx context.Context, doc, ref string) (*SectionText, error) {
	e, lay, err := l.openDoc(ctx, doc)
	if err != nil {
		return nil, err
	}
	i, err := rawtext.PickSection(lay.Sections, ref)
	if err != nil {
		return nil, fmt.Errorf("document %q: %w", e.Name, err)
	}
	s := lay.Sections[i]
	t, err := l.View(ctx, e.ID, s.Lines)
	if err != nil {
		return nil, err
	}
	out := &SectionText{Section: s, Path: []extract.Section{}, Children: []extract.Section{}, Text: *t}
	for p := s.Parent; p >= 0 && p < len(lay.Sections) && len(out.Path) < 64; p = lay.Sections[p].Parent {
		out.Path = append(out.Path, lay.Sections[p])
	}
	slices.Reverse(out.Path)
	for j := range lay.Sections {
		if lay.Sections[j].Parent == i {
			out.Children = append(out.Children, lay.Sections[j])
		}
	}
	return out, nil
}
