package pdf

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/findspot/findspot/docsearch/pdf/internal/structure"
	"github.com/findspot/findspot/internal/golden"
)

// TestStructure compares the Markdown, the sections and the metadata of the documents in testdata/structure with golden files.
func TestStructure(t *testing.T) {
	files, err := filepath.Glob("testdata/structure/*.pdf")
	if err != nil || len(files) < 6 {
		t.Fatalf("documents: %v, %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc := open(t, data, nil)
		var md, tree bytes.Buffer
		var toc extract.Contents
		for p, err := range doc.Pages(t.Context(), 1, 0) {
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			toc.Add(p)
			fmt.Fprintf(&md, "<!-- page %d -->\n\n%s\n", p.Number, p.Markdown)
			lines := strings.Split(p.Text, "\n")
			for _, h := range p.Headings {
				// A heading stands on the line that it names.
				if _, last, _ := strings.Cut(structure.Squash(h.Text), structure.Squash(lines[h.Line-1])); !strings.Contains(structure.Squash(h.Text), structure.Squash(lines[h.Line-1])) && !strings.Contains(structure.Squash(lines[h.Line-1]), structure.Squash(h.Text)) {
					t.Errorf("%s: heading %q is not on line %d %q%s", file, h.Text, h.Line, lines[h.Line-1], last)
				}
			}
		}
		m := doc.Meta()
		fmt.Fprintf(&tree, "title: %s\nauthors: %s\ninstitutions: %s\nabstract: %s\n", m.Title, strings.Join(m.Authors, " | "), strings.Join(m.Institutions, " | "), m.Abstract)
		for _, s := range toc.Sections() {
			fmt.Fprintf(&tree, "%s%s (page %d, lines %d-%d)\n", strings.Repeat("  ", s.Level), s.Heading(), s.Page, s.Lines.First, s.Lines.Last)
		}
		name := strings.TrimSuffix(file, ".pdf")
		golden.Compare(t, name+".md", md.Bytes())
		golden.Compare(t, name+".sections", tree.Bytes())
	}
}

// A date below the authors begins with a number, as a heading may.
func TestDateIsNoHeading(t *testing.T) {
	b := pdftest.NewBuilder()
	b.Page(pdftest.Helvetica, "BT /F 17 Tf 200 740 Td (On Hyphens) Tj ET BT /F 12 Tf 200 710 Td (Ada Lovelace) Tj ET BT /F 12 Tf 200 695 Td (University of London) Tj ET "+
		"BT /F 12 Tf 200 670 Td (3 May 2024) Tj ET BT /F 14 Tf 50 630 Td (1 Introduction) Tj ET\n"+sentences(50, 600, 20), "")
	var got []string
	for _, h := range firstPage(t, b.Bytes(), nil).Headings {
		got = append(got, h.Text)
	}
	if diff := cmp.Diff([]string{"1 Introduction"}, got); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
}

// outlined is a document of three pages with the given outline objects; %d in them is the number of the first page's object.
func outlinedPDF(catalog string, objs ...string) []byte {
	b := pdftest.NewBuilder()
	for _, s := range []string{"First", "Second", "Third"} {
		b.Page(pdftest.Helvetica, "BT /F 20 Tf 50 700 Td ("+s+" things) Tj ET BT /F 10 Tf 50 670 Td (Text of the page, which is long enough to be text.) Tj ET", "")
	}
	for _, o := range objs {
		b.Add(o)
	}
	b.Catalog = catalog
	return b.Bytes()
}

func TestOutline(t *testing.T) {
	// The pages are objects 4, 6 and 8; the outline begins at 9.
	for _, tt := range []struct {
		name, catalog string
		objs          []string
		want          []extract.Section
	}{
		{"nested, by page and by name", "/Outlines 9 0 R/Dests<</third[8 0 R/Fit]>>", []string{
			"<</First 10 0 R>>",
			"<</Title(First things)/Dest[4 0 R/XYZ 0 720 null]/First 11 0 R/Next 12 0 R>>",
			"<</Title<FEFF005300650063006F006E00640020007400680069006E00670073>/A<</S/GoTo/D[6 0 R/FitH 720]>>>>",
			"<</Title(Third things)/Dest/third>>",
		}, []extract.Section{
			{Title: "First things", Level: 1, Page: 1, Lines: extract.Lines{First: 1, Last: 4}, Parent: -1},
			{Title: "Second things", Level: 2, Page: 2, Lines: extract.Lines{First: 3, Last: 4}, Parent: 0},
			{Title: "Third things", Level: 1, Page: 3, Lines: extract.Lines{First: 5, Last: 6}, Parent: -1},
		}},
		{"a name tree, and a title that is not on the page", "/Outlines 9 0 R/Names<</Dests<</Kids[12 0 R 12 0 R]>>>>", []string{
			"<</First 10 0 R>>",
			"<</Title(Opening)/Dest(a)/Next 11 0 R>>",
			"<</Title(Second things)/Dest(b)/Next 13 0 R>>",
			"<</Names[(a)[4 0 R/XYZ 0 680 0](b)<</D[1/Fit]>>(c)[99 0 R/Fit]]>>",
			"<</Title(Third things)/Dest[2/Fit]>>",
		}, []extract.Section{
			{Title: "Opening", Level: 1, Page: 1, Lines: extract.Lines{First: 2, Last: 2}, Parent: -1},
			{Title: "Second things", Level: 1, Page: 2, Lines: extract.Lines{First: 3, Last: 4}, Parent: -1},
			{Title: "Third things", Level: 1, Page: 3, Lines: extract.Lines{First: 5, Last: 6}, Parent: -1},
		}},
		{"cycles", "/Outlines 9 0 R", []string{
			"<</First 10 0 R>>",
			"<</Title(First things)/Dest[4 0 R/Fit]/First 10 0 R/Next 11 0 R>>",
			"<</Title(Second things)/Dest[6 0 R/Fit]/First 9 0 R/Next 12 0 R>>",
			"<</Title(Third things)/Dest[8 0 R/Fit]/Next 10 0 R>>",
		}, []extract.Section{
			{Title: "First things", Level: 1, Page: 1, Lines: extract.Lines{First: 1, Last: 2}, Parent: -1},
			{Title: "Second things", Level: 1, Page: 2, Lines: extract.Lines{First: 3, Last: 4}, Parent: -1},
			{Title: "Third things", Level: 1, Page: 3, Lines: extract.Lines{First: 5, Last: 6}, Parent: -1},
		}},
	} {
		var toc extract.Contents
		for _, p := range read(t, outlinedPDF(tt.catalog, tt.objs...)) {
			toc.Add(p)
		}
		if diff := cmp.Diff(tt.want, toc.Sections()); diff != "" {
			t.Errorf("%s: sections (-want +got):\n%s", tt.name, diff)
		}
	}
}

func FuzzOutline(f *testing.F) {
	f.Add("/Outlines 9 0 R/Dests<</x[8 0 R/Fit]>>", "<</First 10 0 R>>", "<</Title(First things)/Dest/x/First 10 0 R/Next 9 0 R>>")
	f.Add("/Outlines<</First<</Title(a)/A<</S/GoTo/D(k)>>/Next<</Title(b)/Dest[0/XYZ 1e30 null]>>>>>>/Names<</Dests<</Kids[9 0 R]>>>>", "<</Kids[9 0 R 10 0 R]>>", "<</Names[(k)<</D(k)>>]>>")
	f.Fuzz(func(t *testing.T, catalog, a, b string) {
		if len(catalog)+len(a)+len(b) > 1<<14 {
			return
		}
		data := outlinedPDF(catalog, a, b)
		doc, err := New(&Options{Workers: 1}).Open(context.Background(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		defer doc.Close()
		var toc extract.Contents
		for p, err := range doc.Pages(context.Background(), 1, 0) {
			if err != nil && strings.Contains(err.Error(), "internal fault") {
				t.Fatal(err)
			}
			toc.Add(p)
		}
		last := 0
		all := toc.Sections()
		for i, s := range all {
			if s.Lines.First < last || s.Lines.Last < s.Lines.First || s.Parent >= i || s.Parent >= 0 && all[s.Parent].Level >= s.Level {
				t.Fatalf("section %d of %+v", i, all)
			}
			last = s.Lines.First
		}
	})
}
