package rawtext

import (
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
