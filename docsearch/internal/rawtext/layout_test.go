package rawtext

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch/extract"
)

// TestHeads makes sure that a record has the headings of the section that it begins in, of those around it, and of those that begin in it.
func TestHeads(t *testing.T) {
	body := strings.Repeat("Some words of a body.\n", 30)
	raw := "Before.\n" + body + "1 Cells\n" + body + "1.1 Search\n" + body + body + "2 Timing\n" + body
	line := func(s string) int { return strings.Count(raw[:strings.Index(raw, s)], "\n") + 1 }
	sections := []extract.Section{
		{Number: "1", Title: "Cells", Level: 1, Parent: -1, Lines: extract.Lines{First: line("1 Cells"), Last: line("2 Timing") - 1}},
		{Number: "1.1", Title: "Search", Level: 2, Parent: 0, Lines: extract.Lines{First: line("1.1 Search"), Last: line("2 Timing") - 1}},
		{Number: "2", Title: "Timing", Level: 1, Parent: -1, Lines: extract.Lines{First: line("2 Timing"), Last: 999}},
	}
	_, recs, err := Cut(raw, []int{0}, sections, chunk.Fixed(&chunk.FixedOptions{Runes: 500}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range recs {
		got = append(got, strings.ReplaceAll(r.Heads, "\n", " / "))
	}
	want := []string{
		"1 Cells", "1 Cells / 1.1 Search", "1 Cells / 1.1 Search", "1 Cells / 1.1 Search", "1 Cells / 1.1 Search / 2 Timing", "1 Cells / 1.1 Search / 2 Timing", "2 Timing",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("heads (-want +got):\n%s", diff)
	}
	many := make([]extract.Section, 300)
	for i := range many {
		many[i] = extract.Section{Title: strings.Repeat("word ", 20), Level: 1, Parent: -1, Lines: extract.Lines{First: 1, Last: 1}}
	}
	_, recs, err = Cut(raw, []int{0}, many, chunk.Fixed(nil))
	if err != nil || len(recs) == 0 || len(recs[0].Heads) > maxHeads {
		t.Errorf("heads of %d bytes, %v; want at most %d", len(recs[0].Heads), err, maxHeads)
	}
}

// TestOldLayout makes sure that an index of before sections is read.
func TestOldLayout(t *testing.T) {
	var lay Layout
	if err := json.Unmarshal([]byte(`{"size":4,"pages":[0],"pieces":[{"s":0,"l":1,"n":-1,"t":"abc\n"}]}`), &lay); err != nil || lay.Size != 4 || lay.Sections != nil {
		t.Errorf("layout = %+v, %v", lay, err)
	}
	if _, err := PickSection(lay.Sections, "5.3"); err == nil {
		t.Error("a section was found in a document without any")
	}
}
