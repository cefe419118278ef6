package docsearch_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
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
	sec := func(number, title string, level, first, last, parent int) extract.Section {
		return extract.Section{Number: number, Title: title, Level: level, Page: 1, Lines: extract.Lines{First: first, Last: last}, Parent: parent}
	}
	want := []extract.Section{
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
	if _, err := lib.Section(t.Context(), "twice.md", "Notes"); err == nil || errors.Is(err, docsearch.ErrNotFound) || !strings.Contains(err.Error(), "ambiguous") {
		t.Errorf("Section(Notes): %v, want several", err)
	}
	add(t, lib, "plain.txt", "no heading here\n")
	if got, err := lib.Sections(t.Context(), "plain.txt"); err != nil || got == nil || len(got) != 0 {
		t.Errorf("Sections(plain.txt) = %v, %v", got, err)
	}
}
