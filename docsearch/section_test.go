package docsearch_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
)

const manual = "# The manual\n\nIntro.\n\n## 1 Scope\n\nWhat it is.\n\n## 5 Procedures\n\n### 5.3 Flight\n\nUp.\n\n#### 5.3.1 Start\n\nGo, as 5.3.2 says.\n\n" +
	"#### 5.3.2 Landing\n\nStop.\n\n## Annex A: Timers\n\nTick.\n\n## References\n\nNone.\n"

func TestSections(t *testing.T) {
	lib := open(t, nil)
	add(t, lib, "manual.md", manual)
	got, err := lib.Sections(t.Context(), "manual.md")
	if err != nil {
		t.Fatal(err)
	}
	sec := func(number, title string, level, first, last, parent int) docsearch.Section {
		return docsearch.Section{Number: number, Title: title, Level: level, Page: 1, Lines: docsearch.Lines{First: first, Last: last}, Parent: parent}
	}
	want := []docsearch.Section{
		sec("", "The manual", 1, 1, 29, -1),
		sec("1", "Scope", 2, 5, 8, 0),
		sec("5", "Procedures", 2, 9, 21, 0),
		sec("5.3", "Flight", 3, 11, 21, 2),
		sec("5.3.1", "Start", 4, 15, 18, 3),
		sec("5.3.2", "Landing", 4, 19, 22, 3),
		sec("A", "Timers", 2, 23, 26, 0),
		sec("", "References", 2, 27, 29, 0),
	}
	want[2].Lines.Last, want[3].Lines.Last = 22, 22
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Sections (-want +got):\n%s", diff)
	}
	for _, tt := range []struct{ ref, heading, text string }{
		{"5.3.2", "5.3.2 Landing", "#### 5.3.2 Landing\n\nStop.\n\n"},
		{"clause 5.3.2", "5.3.2 Landing", "#### 5.3.2 Landing\n\nStop.\n\n"},
		{"annex a", "A Timers", "## Annex A: Timers\n\nTick.\n\n"},
		{"references", "References", "## References\n\nNone.\n"},
		{"5.3.1 Start", "5.3.1 Start", "#### 5.3.1 Start\n\nGo, as 5.3.2 says.\n\n"},
		{"land", "5.3.2 Landing", "#### 5.3.2 Landing\n\nStop.\n\n"},
	} {
		s, err := lib.Section(t.Context(), "manual.md", tt.ref)
		if err != nil {
			t.Errorf("Section(%q): %v", tt.ref, err)
			continue
		}
		if diff := cmp.Diff([]string{tt.heading, tt.text}, []string{s.Section.Heading(), s.Text.Text}); diff != "" {
			t.Errorf("Section(%q) (-want +got):\n%s", tt.ref, diff)
		}
	}
	s, err := lib.Section(t.Context(), "manual.md", "5.3")
	if err != nil || len(s.Path) != 2 || len(s.Children) != 2 || s.Path[1].Number != "5" || s.Children[1].Number != "5.3.2" {
		t.Errorf("Section(5.3) = %+v, %v", s, err)
	}
	for ref, near := range map[string]string{"5.3.9": `"5.3.1 Start" (page 1), "5.3.2 Landing"`, "flying start": `"5.3.1 Start"`, "zebra": "8 sections", "": "empty"} {
		if _, err := lib.Section(t.Context(), "manual.md", ref); !errors.Is(err, docsearch.ErrNotFound) || !strings.Contains(err.Error(), near) {
			t.Errorf("Section(%q): %v, want not found and %q", ref, err, near)
		}
	}
	add(t, lib, "twice.md", "# One\n\n## Notes\n\na\n\n# Two\n\n## Notes\n\nb\n")
	if _, err := lib.Section(t.Context(), "twice.md", "Notes"); err == nil || errors.Is(err, docsearch.ErrNotFound) || !strings.Contains(err.Error(), "several") {
		t.Errorf("Section(Notes): %v, want several", err)
	}
	add(t, lib, "plain.txt", "no heading here\n")
	if got, err := lib.Sections(t.Context(), "plain.txt"); err != nil || got == nil || len(got) != 0 {
		t.Errorf("Sections(plain.txt) = %v, %v", got, err)
	}
}

func TestContents(t *testing.T) {
	page := func(lines int, hs ...docsearch.Heading) *docsearch.Page {
		return &docsearch.Page{Text: strings.Repeat("x\n", lines), Headings: hs}
	}
	h := func(text string, level, line int) docsearch.Heading {
		return docsearch.Heading{Text: text, Level: level, Line: line}
	}
	mark := func(text string, level, line int) docsearch.Heading {
		return docsearch.Heading{Text: text, Level: level, Line: line, Bookmark: true}
	}
	for _, tt := range []struct {
		name  string
		pages []*docsearch.Page
		want  string
	}{
		{"numbers go up, and what breaks the row is no heading",
			[]*docsearch.Page{page(9, h("1 Aim", 1, 1), h("7 Things to buy", 1, 4), h("1.1 Means", 2, 6)), nil, page(5, h("2 End", 1, 2), h("References", 1, 4))},
			"1 Aim 1-11; 1.1 Means 6-11; 2 End 12-13; References 14-15"},
		{"an outline, with numbered headings below its entries",
			[]*docsearch.Page{page(20, mark("1 Aim", 1, 1), h("A bold line", 2, 3), h("1.1 Means", 1, 5), h("9.9 Noise", 1, 7), mark("2 End", 1, 9), mark("A Tables", 1, 12), h("References", 3, 15))},
			"1 Aim 1-8; 1.1 Means 5-8; 2 End 9-11; A Tables 12-14; References 15-20"},
		{"letters begin again below Roman numbers",
			[]*docsearch.Page{page(9, h("I. A", 1, 1), h("A. B", 2, 2), h("II. C", 1, 3), h("A. D", 2, 4))},
			"I A 1-2; A B 2-2; II C 3-9; A D 4-9"},
		{"bytes that are no text, as the text of the page has them", []*docsearch.Page{page(2, h("a \xff\xff b", 1, 1))}, "a \uFFFD b 1-2"},
		{"a line that is not there", []*docsearch.Page{page(2, h("1 Aim", 1, 3), h("2 End", 1, 0))}, ""},
	} {
		var c docsearch.Contents
		for _, p := range tt.pages {
			c.Add(p)
		}
		var out []string
		for _, s := range c.Sections() {
			out = append(out, s.Heading()+" "+strconv.Itoa(s.Lines.First)+"-"+strconv.Itoa(s.Lines.Last))
		}
		if diff := cmp.Diff(tt.want, strings.Join(out, "; ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
