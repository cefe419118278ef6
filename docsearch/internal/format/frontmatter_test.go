package format

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/extract"
)

func TestFrontMatter(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       extract.Meta
	}{
		{"scalars", "---\ntitle: \"Notes: of a campaign\" # mine\nauthor: Ingrid Solheim\ndate: 2024-06-01T10:00\ntags: [a, b]\n---\n# Monday\n", extract.Meta{Title: "Notes: of a campaign", Authors: []string{"Ingrid Solheim"}, Date: "2024-06-01"}},
		{"lists", "---\n# a comment\nauthors:\n  - name: Ada B.\n    orcid: 1\n  - 'Carl D.'\nAuthor-url: x\n...\n# Monday\n", extract.Meta{Title: "Monday", Authors: []string{"Ada B.", "Carl D."}}},
		{"a list in brackets", "---\nauthor: [Ada B., \"Carl D.\"]\ndate: 2024\n---\ntext\n", extract.Meta{Authors: []string{"Ada B.", "Carl D."}, Date: "2024"}},
		{"a date in words", "---\ndate: June 2024\ntitle:\n---\n", extract.Meta{}},
		{"a rule, no front matter", "---\nSome text: is here, or not\nmore text\n---\n", extract.Meta{}},
		{"without an end", "---\ntitle: a\n", extract.Meta{}},
		{"not at the beginning", "\n---\ntitle: a\n---\n", extract.Meta{}},
		{"too long", "---\n" + strings.Repeat("a: b\n", 300) + "title: x\n---\n", extract.Meta{}},
		{"no heading within", "---\n# a: b\nx: y\n---\n# Real\n", extract.Meta{Title: "Real"}},
	} {
		tt.want.Pages = 1
		d := &textDoc{text: tt.text, markdown: true}
		if diff := cmp.Diff(tt.want, d.Meta()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
