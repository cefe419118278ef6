package rawtext

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch/extract"
)

func TestSplitAtSections(t *testing.T) {
	raw := "title\n1 One\ntext\n1.1 Two\nmore text\n2 Three\nend\n"
	var toc extract.Contents
	toc.Add(&extract.Page{Text: raw, Headings: []extract.Heading{{Text: "1 One", Level: 1, Line: 2}, {Text: "1.1 Two", Level: 2, Line: 4}, {Text: "2 Three", Level: 1, Line: 6}}})
	for _, tt := range []struct {
		s    chunk.Splitter
		want []string
	}{
		{chunk.Sections(&chunk.SectionsOptions{Min: -1}), []string{"title\n", "1 One\ntext\n", "1.1 Two\nmore text\n", "2 Three\nend\n"}},
		{chunk.Sections(&chunk.SectionsOptions{Min: -1, Level: 1}), []string{"title\n", "1 One\ntext\n1.1 Two\nmore text\n", "2 Three\nend\n"}},
		{chunk.Fixed(nil), []string{raw}},
	} {
		var got []string
		for _, c := range split(raw, toc.Sections(), tt.s) {
			got = append(got, c.Text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.s.Name(), diff)
		}
	}
	if got := split("one line", []extract.Section{{Level: 1, Lines: extract.Lines{First: 9}}}, chunk.Sections(nil)); len(got) != 1 {
		t.Errorf("a section beyond the text: %v", got)
	}
}

// TestCover: all of a text is held by a record, in one without a character to cut before, too.
func TestCover(t *testing.T) {
	for _, raw := range []string{strings.Repeat("word ", gapSize), strings.Repeat("\x91", 2*gapSize+1), strings.Repeat("漢", gapSize)} {
		held := 0
		for _, r := range cover(raw, nil) {
			if r.Start > held || !strings.HasPrefix(raw[r.Start:], r.Text) {
				t.Errorf("%q: a record at %d, held up to %d", raw[:6], r.Start, held)
			}
			held = r.Start + len(r.Text)
		}
		if held != len(raw) {
			t.Errorf("%q: held up to %d of %d", raw[:6], held, len(raw))
		}
	}
}
