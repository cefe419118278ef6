package chunk

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func texts(cs []Chunk) []string {
	out := []string{}
	for _, c := range cs {
		out = append(out, c.Text)
	}
	return out
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		name string
		s    Splitter
		in   string
		want []string
	}{
		{"fixed empty", Fixed(nil), "", []string{}},
		{"fixed only piece is kept", Fixed(nil), "short", []string{"short"}},
		{"fixed drops a short tail", Fixed(&FixedOptions{Runes: 4, Min: 3}), "abcdefghij", []string{"abcd", "efgh"}},
		{"fixed keeps a tail of Min", Fixed(&FixedOptions{Runes: 4, Min: 2}), "abcdefghij", []string{"abcd", "efgh", "ij"}},
		{"fixed keeps all", Fixed(&FixedOptions{Runes: 4, Min: -1}), "abcde", []string{"abcd", "e"}},
		{"fixed counts runes", Fixed(&FixedOptions{Runes: 2, Min: -1}), "äöü", []string{"äö", "ü"}},
		{"sentences", Sentences(&SentencesOptions{Runes: 16}), "One is here. Two is there. Three!", []string{"One is here. ", "Two is there. ", "Three!"}},
		{"sentences pack", Sentences(&SentencesOptions{Runes: 30}), "One is here. Two is there. Three!", []string{"One is here. Two is there. ", "Three!"}},
		{"abbreviations go on", Sentences(&SentencesOptions{Runes: 24}), "See Fig. 3 and e.g. Table 1. Then stop.", []string{"See Fig. 3 and e.g. ", "Table 1. Then stop."}},
		{"paragraphs", Sentences(&SentencesOptions{Runes: 8}), "title\n\nbody it is", []string{"title\n\n", "body it ", "is"}},
		{"no blanks", Sentences(&SentencesOptions{Runes: 3}), "abcdefgh", []string{"abc", "def", "gh"}},
		{"headings", Headings(nil), "intro\n# A\ntext\n## B\nmore\n", []string{"intro\n", "# A\ntext\n", "## B\nmore\n"}},
		{"headings to a level", Headings(&HeadingsOptions{Level: 1}), "# A\n## B\n# C\n", []string{"# A\n## B\n", "# C\n"}},
		{"fenced code is no heading", Headings(nil), "# A\n```\n# no\n```\n# B\n", []string{"# A\n```\n# no\n```\n", "# B\n"}},
		{"tilde fence holds back-ticks", Headings(nil), "~~~\n```\n# no\n~~~\n# B", []string{"~~~\n```\n# no\n~~~\n", "# B"}},
		{"hash without blank", Headings(nil), "#no\n# yes", []string{"#no\n", "# yes"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, texts(tt.s.Split(tt.in))); diff != "" {
				t.Errorf("Split(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	in := strings.Repeat("a", 6099)
	if got := len(Fixed(nil).Split(in)); got != 2 {
		t.Errorf("a tail of 99 runes: %d chunks, want 2", got)
	}
	if got := len(Fixed(nil).Split(in + "a")); got != 3 {
		t.Errorf("a tail of 100 runes: %d chunks, want 3", got)
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"", "One. Two.\n\nThree", "# A\n```\n# B\n", "e.g. \xff\xfe. Ünïcode。漢字", "a\r\n\r\n## b"} {
		f.Add(s, 5)
	}
	f.Fuzz(func(t *testing.T, in string, size int) {
		size = size%50 + 51
		for _, tt := range []struct {
			s      Splitter
			covers bool
		}{
			{Fixed(&FixedOptions{Runes: size, Min: 10}), false},
			{Fixed(&FixedOptions{Runes: size, Min: -1}), true},
			{Sentences(&SentencesOptions{Runes: size}), true},
			{Headings(&HeadingsOptions{Runes: size}), true},
		} {
			at := 0
			for _, c := range tt.s.Split(in) {
				if c.Text != in[c.Start:c.End] || c.Start != at || c.End <= c.Start {
					t.Fatalf("%s: chunk %+v of %q after offset %d", tt.s.Name(), c, in, at)
				}
				if n := utf8.RuneCountInString(c.Text); n > size {
					t.Fatalf("%s: chunk of %d runes", tt.s.Name(), n)
				}
				at = c.End
			}
			if rest := utf8.RuneCountInString(in[at:]); tt.covers && rest > 0 || rest >= 10 && !tt.covers || at == 0 && in != "" {
				t.Fatalf("%s: %d runes of %q are not covered", tt.s.Name(), rest, in)
			}
		}
	})
}
