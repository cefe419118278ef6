package docsearch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/clause"
	"github.com/findspot/findspot/internal/text"
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
	i, err := pickSection(lay.Sections, ref)
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

// pickSection returns the index of the section that ref names.
func pickSection(all []extract.Section, ref string) (int, error) {
	want := text.Fold(strings.Join(strings.Fields(ref), " "))
	key := clause.Key(ref)
	if want == "" {
		return 0, fmt.Errorf("section %q: %w: an empty reference names none", ref, ErrNotFound)
	}
	if len(all) == 0 {
		return 0, fmt.Errorf("section %q: %w: no headings are known of this document", ref, ErrNotFound)
	}
	switch found := sectionsCalled(all, ref); len(found) {
	case 0:
	case 1:
		return found[0], nil
	default:
		return 0, fmt.Errorf("section %q: several are called so: %s: give the whole heading", ref, headings(all, found))
	}
	if near := nearSections(all, key, want); len(near) > 0 {
		return 0, fmt.Errorf("section %q: %w; near it: %s", ref, ErrNotFound, headings(all, near))
	}
	return 0, fmt.Errorf("section %q: %w: the document has %d sections", ref, ErrNotFound, len(all))
}

// sectionsCalled returns the indexes of the sections that ref names at the first of these steps that has any: number, heading, title, a part of a
// heading.
func sectionsCalled(all []extract.Section, ref string) []int {
	want := text.Fold(strings.Join(strings.Fields(ref), " "))
	key := clause.Key(ref)
	if want == "" {
		return nil
	}
	for _, match := range []func(s *extract.Section) bool{
		func(s *extract.Section) bool { return s.Number != "" && strings.ToLower(s.Number) == key },
		func(s *extract.Section) bool { return text.Fold(s.Heading()) == want },
		func(s *extract.Section) bool { return text.Fold(s.Title) == want },
		func(s *extract.Section) bool { return strings.Contains(text.Fold(s.Heading()), want) },
	} {
		var found []int
		for i := range all {
			if match(&all[i]) {
				found = append(found, i)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// nearSections lists sections with the longest common beginning of a number, or with a word of ref.
func nearSections(all []extract.Section, key, want string) []int {
	for k := key; strings.Contains(k, "."); {
		k = k[:strings.LastIndexByte(k, '.')]
		var out []int
		for i := range all {
			if n := strings.ToLower(all[i].Number); n == k || strings.HasPrefix(n, k+".") && strings.Count(n, ".") == strings.Count(k, ".")+1 {
				out = append(out, i)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	terms := map[string]bool{}
	for _, w := range text.Terms(want) {
		terms[w] = true
	}
	var out []int
	for i := range all {
		if slices.ContainsFunc(text.Terms(all[i].Title), func(w string) bool { return terms[w] }) {
			out = append(out, i)
		}
	}
	return out
}

// headings lists some sections in words.
func headings(all []extract.Section, idx []int) string {
	var b strings.Builder
	for n, i := range idx {
		if n == 8 {
			fmt.Fprintf(&b, " and %d more", len(idx)-n)
			break
		}
		if n > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q (page %d)", all[i].Heading(), all[i].Page)
	}
	return b.String()
}
