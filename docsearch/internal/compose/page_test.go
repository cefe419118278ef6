package compose_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

func TestPage(t *testing.T) {
	p := compose.New(3)
	if !p.Empty() {
		t.Error("a new page is not empty")
	}
	p.Heading(" A  title ", 1)
	p.Words("One ")
	p.Words("paragraph\nof\u00a0words, and soft\u00adly more.")
	p.Paragraph(true)
	p.Mark("- ")
	p.Words("an item")
	p.Paragraph(false)
	p.Words("its second paragraph")
	p.Paragraph(false)
	p.Mark("")
	p.Words("first line")
	p.Break()
	p.Words("second line")
	p.Pre("  code\r\n    stays\n\n")
	p.Table(extract.Table{Caption: "Table 1: sizes", Rows: [][]string{{"name", "size"}, {"a|b"}}})
	p.Figure("Figure 1: \n a picture")
	p.Heading("Deep", 8)
	p.Words("end")
	got := p.End()
	want := strings.Join([]string{
		"A title", "", "One paragraph of words, and softly more.", "", "- an item", "  its second paragraph", "first line", "second line", "",
		"  code", "    stays", "", "Table 1: sizes", "name | size", "a|b", "", "Deep", "", "end", "",
	}, "\n")
	if diff := cmp.Diff(want, got.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	for _, part := range []string{"# A title\n", "```\n  code\n    stays\n```\n", "| name | size |\n| --- | --- |\n| a\\|b |  |\n", "###### Deep\n"} {
		if !strings.Contains(got.Markdown, part) {
			t.Errorf("Markdown lacks %q:\n%s", part, got.Markdown)
		}
	}
	lines := strings.Split(got.Text, "\n")
	for _, h := range got.Headings {
		if lines[h.Line-1] != h.Text {
			t.Errorf("heading %q is said to be line %d, %q", h.Text, h.Line, lines[h.Line-1])
		}
	}
	if got.Number != 3 || len(got.Tables) != 1 || len(got.Tables[0].Rows[1]) != 2 || len(got.Figures) != 1 || got.Figures[0].Caption != "Figure 1: a picture" {
		t.Errorf("%+v", got)
	}
}

// Lines are about 100 bytes long, and none ends in a hyphen.
func TestWrap(t *testing.T) {
	p := compose.New(1)
	p.Words(strings.Repeat("word and so-called half- open intervals ", 40))
	for _, line := range strings.Split(strings.TrimSpace(p.End().Text), "\n") {
		if len(line) > 120 || strings.HasSuffix(line, "-") {
			t.Errorf("%d bytes: %q", len(line), line)
		}
	}
}

func TestDocument(t *testing.T) {
	var pages []*extract.Page
	for n := 1; n <= 4; n++ {
		p := compose.New(n)
		p.Words(strings.Repeat("x", n))
		pages = append(pages, p.End())
	}
	d := compose.Document(extract.Meta{Title: "t"}, pages...)
	if m := d.Meta(); m.Pages != 4 || m.Title != "t" {
		t.Errorf("%+v", m)
	}
	for _, tt := range []struct {
		first, last int
		want        string
	}{{1, 0, "1234"}, {2, 3, "23"}, {0, 9, "1234"}, {5, 0, ""}, {3, 2, ""}} {
		got := ""
		for p, err := range d.Pages(t.Context(), tt.first, tt.last) {
			if err != nil {
				t.Fatal(err)
			}
			got += string(rune('0' + p.Number))
		}
		if got != tt.want {
			t.Errorf("pages %d to %d: %q, want %q", tt.first, tt.last, got, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for p, err := range d.Pages(ctx, 1, 0) {
		if n++; n == 1 {
			cancel()
		} else if p != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("after the end of ctx: %v, %v", p, err)
		}
	}
	if n != 2 {
		t.Errorf("%d pages", n)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}
