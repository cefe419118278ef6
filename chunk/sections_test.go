package chunk

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSections(t *testing.T) {
	text := "1 A\nOne is. Two is. Three is. Four is.\n2 B\n2.1 C\nFive is.\n3 D\nend"
	var marks []Mark
	for _, h := range []string{"1 A", "2 B", "2.1 C", "3 D"} {
		marks = append(marks, Mark{strings.Index(text, h), 1 + strings.Count(h, ".")})
	}
	for _, tt := range []struct {
		name  string
		o     SectionsOptions
		marks []Mark
		want  []string
	}{
		{"a chunk a section", SectionsOptions{Runes: 100, Overlap: -1, Min: -1}, marks,
			[]string{"1 A\nOne is. Two is. Three is. Four is.\n", "2 B\n", "2.1 C\nFive is.\n", "3 D\nend"}},
		{"a bare heading goes with the next", SectionsOptions{Runes: 100, Overlap: -1, Min: 5}, marks,
			[]string{"1 A\nOne is. Two is. Three is. Four is.\n", "2 B\n2.1 C\nFive is.\n", "3 D\nend"}},
		{"to a level", SectionsOptions{Runes: 100, Overlap: -1, Min: -1, Level: 1}, marks,
			[]string{"1 A\nOne is. Two is. Three is. Four is.\n", "2 B\n2.1 C\nFive is.\n", "3 D\nend"}},
		{"long ones in like parts", SectionsOptions{Runes: 30, Overlap: -1, Min: -1}, marks,
			[]string{"1 A\nOne is. Two is. ", "Three is. Four is.\n", "2 B\n", "2.1 C\nFive is.\n", "3 D\nend"}},
		{"overlap", SectionsOptions{Runes: 30, Overlap: 10, Min: -1}, marks,
			[]string{"1 A\nOne is. Two is. Three is. ", "Three is. Four is.\n", "2 B\n", "2.1 C\nFive is.\n", "3 D\nend"}},
		{"no headings", SectionsOptions{Runes: 40, Overlap: -1}, nil,
			[]string{"1 A\nOne is. Two is. Three is. Four is.\n", "2 B\n2.1 C\nFive is.\n3 D\nend"}},
		{"bad marks", SectionsOptions{Runes: 100, Overlap: -1, Min: -1}, []Mark{{-1, 1}, {0, 1}, {39, 1}, {4, 1}, {39, 2}, {len(text), 1}, {1 << 40, 1}},
			[]string{text[:39], text[39:]}},
	} {
		if diff := cmp.Diff(tt.want, texts(Sections(&tt.o).SplitSections(text, tt.marks))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if got := Sections(nil).Split(""); len(got) != 0 {
		t.Errorf("Split of nothing = %v", got)
	}
}

func FuzzSections(f *testing.F) {
	f.Add("One is. Two is.\n\nThree", 5, 2, 4, 9)
	f.Add("e.g. \xff\xfe. Ünïcode。漢字", 3, 3, 1, 7)
	f.Add(strings.Repeat("aaaa bbb. ", 40), 30, 10, 55, 200)
	f.Fuzz(func(t *testing.T, in string, runes, overlap, a, b int) {
		runes, overlap = runes&63+1, overlap&31-1
		s := Sections(&SectionsOptions{Runes: runes, Overlap: overlap, Min: 3})
		start, end := -1, 0
		for _, c := range s.SplitSections(in, []Mark{{a, 1}, {b, 2}}) {
			if c.Start < 0 || c.End > len(in) || c.Text != in[c.Start:c.End] || c.Start <= start || c.Start > end || c.End <= end {
				t.Fatalf("chunk %+v of %q after %d to %d", c, in, start, end)
			}
			if n := utf8.RuneCountInString(c.Text); n > runes {
				t.Fatalf("chunk of %d runes, the most is %d", n, runes)
			}
			if n := utf8.RuneCountInString(in[c.Start:end]); n > max(overlap, 0) && n > min(200, runes/2) {
				t.Fatalf("overlap of %d runes", n)
			}
			start, end = c.Start, c.End
		}
		if end != len(in) {
			t.Fatalf("covered up to %d of %d", end, len(in))
		}
	})
}
