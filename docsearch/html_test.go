package docsearch_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/memstore"
)

const pageHTML = `<!DOCTYPE html><html><head><title>Cell  search</title><meta name="citation_author" content="A. One"><meta name="citation_author" content="B. Two">
<meta name="citation_publication_date" content="2021/05/03"><link rel="canonical" href="https://example.org/cell"><style>p{}</style><script>var hidden_word=1</script></head>
<body><nav><a href="/">Home</a></nav><main><h1>Cell search</h1><p>The receiver finds the <b>primary</b> signal.<br>Then the
secondary&nbsp;one.</p><h2 id=x>Timing &amp; frames</h2><ul><li>first<ul><li>inner</li></ul></li><li><p>second</p></li></ul>
<pre>
a = 1
  b = 2
</pre><table><caption>Table 1: rasters</caption><tr><th>Range<th>Step<tr><td colspan=2>all<tr><td>FR1<td>1.2 | MHz</table>
<figure><img src=x alt="a curve"><figcaption>Figure 1: the curve</figcaption></figure><p hidden>secret</p></main><footer>Imprint</footer></body></html>`

func TestHTML(t *testing.T) {
	ctx := t.Context()
	lib := open(t, nil)
	src := docsearch.Bytes("cell.html", []byte(pageHTML))
	src.Format = docsearch.FormatMarkdown
	d, err := lib.Add(ctx, src)
	if err != nil || d.Title != "Cell search" || strings.Join(d.Authors, ", ") != "A. One, B. Two" || d.Date != "2021-05-03" || d.URL != "https://example.org/cell" {
		t.Fatalf("Add = %+v, %v", d, err)
	}
	raw, err := lib.Read(ctx, d.ID, nil)
	want := `Cell search

The receiver finds the primary signal.
Then the secondary one.

Timing & frames

- first
  - inner
- second

a = 1
  b = 2

Table 1: rasters
Range | Step
all
FR1 | 1.2 | MHz

a curve

Figure 1: the curve
`
	if diff := cmp.Diff(want, raw.Text); diff != "" || err != nil {
		t.Errorf("text: %v (-want +got):\n%s", err, diff)
	}
	md, err := lib.Markdown(ctx, d.ID, 1, 0)
	if err != nil || !strings.Contains(md.Text, "## Timing & frames\n") || !strings.Contains(md.Text, "| FR1 | 1.2 \\| MHz |\n") || !strings.Contains(md.Text, "```\na = 1\n  b = 2\n```\n") {
		t.Errorf("Markdown: %v\n%s", err, md.Text)
	}
	s, err := lib.Section(ctx, d.ID, "timing & frames")
	if err != nil || s.Section.Lines.First != 6 || s.Section.Level != 2 {
		t.Errorf("Section = %+v, %v", s, err)
	}
	res := search(t, lib, "rasters", nil)
	if len(res.Hits) != 1 || len(res.Hits[0].Tables) != 1 || res.Hits[0].Tables[0].Rows[2][0] != "FR1" {
		t.Errorf("Search for a table: %+v", res.Hits)
	}
	for _, q := range []string{"hidden_word", "secret", "Home"} {
		if got := names(search(t, lib, q, nil)); len(got) != 0 {
			t.Errorf("Search(%q) finds %v, which no reader sees", q, got)
		}
	}
}

func TestHTMLEncodings(t *testing.T) {
	lib := open(t, nil)
	for name, data := range map[string]string{
		"declared.html": "<meta charset=iso-8859-1><p>caf\xe9 declared",
		"bom.html":      "\xef\xbb\xbf<p>café bom",
		"plain.html":    "<p>café plain",
		"utf16.html":    "\xff\xfe<\x00p\x00>\x00c\x00a\x00f\x00\xe9\x00 \x00w\x00i\x00d\x00e\x00",
		"silent.html":   "<p>caf\xe9 silent",
		"deep.html":     strings.Repeat("<div>", 200_000) + "<p>café deep" + strings.Repeat("</div>", 200_000),
		"tables.html":   strings.Repeat("<table><tr><td>", 20_000) + "café tables",
		"open.html":     "<p>café open <b><i><table><tr><td>x <script>never ends",
	} {
		if d := add(t, lib, name, data); d.Status != docsearch.StatusReady {
			t.Errorf("%s: %+v", name, d)
		}
	}
	res := search(t, lib, "café", nil)
	if len(res.Hits) != 8 {
		t.Errorf("found in %v, want 8", names(res))
	}
	for name, data := range map[string]string{"pdf.html": "%PDF-1.7 x", "zero.html": "<p>a\x00b</p>\x00", "none.html": "<html><body><script>x</script></body></html>"} {
		if d, err := lib.Add(t.Context(), docsearch.Bytes(name, []byte(data))); d == nil || d.Status != docsearch.StatusFailed || !errors.As(err, new(*docsearch.IngestError)) {
			t.Errorf("%s: %+v, %v, want it to fail", name, d, err)
		}
	}
}

func TestHTMLFiles(t *testing.T) {
	dir := tree(t, map[string]string{"a.htm": "<p>a", "B.HTML": "<p>b", "c.xhtml": "<p>c"})
	n := 0
	lib := open(t, nil)
	for d, err := range lib.AddAll(t.Context(), docsearch.Files(dir)) {
		if n++; err != nil || d.Status != docsearch.StatusReady {
			t.Errorf("%+v, %v", d, err)
		}
	}
	if _, err := os.Stat(dir); err != nil || n != 3 {
		t.Errorf("%d files were added, want 3", n)
	}
}

func FuzzHTML(f *testing.F) {
	f.Add([]byte(pageHTML))
	f.Add([]byte("<meta charset=utf-8>x<h1>\xff\xff</h1>y"))
	f.Add([]byte("<table><tr><td colspan=999><td><table><li><h1>x<pre>\n\ny"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lib, err := memstore.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		d, err := lib.Add(t.Context(), docsearch.Bytes("f.html", data))
		if err != nil {
			if !errors.As(err, new(*docsearch.IngestError)) {
				t.Fatal(err)
			}
			return
		}
		x, err := lib.Read(t.Context(), d.ID, nil)
		if err != nil || !utf8.ValidString(x.Text) {
			t.Fatalf("Read: %v", err)
		}
		sections, err := lib.Sections(t.Context(), d.ID)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Split(x.Text, "\n")
		for _, s := range sections {
			if s.Lines.First < 1 || s.Lines.First > len(all) || !strings.Contains(all[s.Lines.First-1], s.Title) {
				t.Errorf("section %+v is not on its line", s)
			}
		}
	})
}
