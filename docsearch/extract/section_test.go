package extract_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/extract"
)

func TestContents(t *testing.T) {
	page := func(lines int, hs ...extract.Heading) *extract.Page {
		return &extract.Page{Text: strings.Repeat("x\n", lines), Headings: hs}
	}
	h := func(text string, level, line int) extract.Heading {
		return extract.Heading{Text: text, Level: level, Line: line}
	}
	mark := func(text string, level, line int) extract.Heading {
		return extract.Heading{Text: text, Level: level, Line: line, Bookmark: true}
	}
	for _, tt := range []struct {
		name  string
		pages []*extract.Page
		want  string
	}{
		{"numbers go up, and what breaks the row is no heading",
			[]*extract.Page{page(9, h("1 Aim", 1, 1), h("7 Things to buy", 1, 4), h("1.1 Means", 2, 6)), nil, page(5, h("2 End", 1, 2), h("References", 1, 4))},
			"1 Aim 1-11; 1.1 Means 6-11; 2 End 12-13; References 14-15"},
		{"an outline, with numbered headings below its entries",
			[]*extract.Page{page(20, mark("1 Aim", 1, 1), h("A bold line", 2, 3), h("1.1 Means", 1, 5), h("9.9 Noise", 1, 7), mark("2 End", 1, 9), mark("A Tables", 1, 12), h("References", 3, 15))},
			"1 Aim 1-8; 1.1 Means 5-8; 2 End 9-11; A Tables 12-14; References 15-20"},
		{"letters begin again below Roman numbers",
			[]*extract.Page{page(9, h("I. A", 1, 1), h("A. B", 2, 2), h("II. C", 1, 3), h("A. D", 2, 4))},
			"I A 1-2; A B 2-2; II C 3-9; A D 4-9"},
		{"bytes that are no text, as the text of the page has them", []*extract.Page{page(2, h("a \xff\xff b", 1, 1))}, "a \uFFFD b 1-2"},
		{"a line that is not there", []*extract.Page{page(2, h("1 Aim", 1, 3), h("2 End", 1, 0))}, ""},
	} {
		var c extract.Contents
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
