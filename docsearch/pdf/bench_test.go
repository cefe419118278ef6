package pdf_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/need"
)

// The documents of the benchmarks. Those of the shared corpus are left out where it is not there.
var benchmarks = []struct {
	name string
	data func(testing.TB) []byte
}{
	{"two columns", own("twocolumn")},
	{"chinese", own("chinese")},
	{"specification of 240 pages", func(testing.TB) []byte { return specification(240) }},
	{"TS 24.334", shared("3gpp-chatbox-data_processing__data_store__TS_24.334_v18_r18.pdf")},
	{"paper of two columns", shared("papers-we-lo-distributed_systems__in-search-of-an-understandable-consensus-algorithm.pdf")},
	{"paper of one column", shared("papers-we-lo-distributed_systems__paxos-made-simple.pdf")},
}

func own(name string) func(testing.TB) []byte {
	return func(t testing.TB) []byte { return readFile(t, "testdata/quality/"+name+".pdf") }
}

func shared(name string) func(testing.TB) []byte {
	return func(t testing.TB) []byte { return readFile(t, need.Shared(t, "pdf", "corpus", name)) }
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// BenchmarkText opens a document and reads the text of all its pages.
func BenchmarkText(b *testing.B) { benchmarkAll(b, pdf.Options{Plain: true, Workers: 1}) }

// BenchmarkFull reads tables, figures and Markdown too.
func BenchmarkFull(b *testing.B) { benchmarkAll(b, pdf.Options{Workers: 1}) }

// BenchmarkWorkers reads the text of a long document on one worker, and on two.
func BenchmarkWorkers(b *testing.B) {
	data := specification(240)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) { benchmarkPages(b, data, pdf.Options{Plain: true, Workers: workers}) })
	}
}

func benchmarkAll(b *testing.B, o pdf.Options) {
	for _, bm := range benchmarks {
		b.Run(strings.ReplaceAll(bm.name, " ", "-"), func(b *testing.B) { benchmarkPages(b, bm.data(b), o) })
	}
}

func benchmarkPages(b *testing.B, data []byte, o pdf.Options) {
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	x := pdf.New(&o)
	pages := 0
	for b.Loop() {
		doc, err := x.Open(b.Context(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			b.Fatal(err)
		}
		for _, err := range doc.Pages(b.Context(), 1, 0) {
			if err != nil {
				b.Fatal(err)
			}
			pages++
		}
		if err := doc.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
}

// specification makes a document as standards bodies publish them: clauses, paragraphs and a ruled table on every third page.
func specification(pages int) []byte {
	var out bytes.Buffer
	var offsets []int
	object := func(format string, args ...any) {
		offsets = append(offsets, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n", len(offsets))
		fmt.Fprintf(&out, format, args...)
		out.WriteString("\nendobj\n")
	}
	out.WriteString("%PDF-1.4\n")
	object("<</Type/Catalog/Pages 2 0 R>>")
	var kids strings.Builder
	for i := range pages {
		fmt.Fprintf(&kids, "%d 0 R ", 5+2*i)
	}
	object("<</Type/Pages/Count %d/Kids[%s]/MediaBox[0 0 595 842]/Resources<</Font<</F 3 0 R/B 4 0 R>>>>>>", pages, kids.String())
	object("<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>")
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>")
	for i := range pages {
		object("<</Type/Page/Parent 2 0 R/Contents %d 0 R>>", 6+2*i)
		s := specificationPage(i)
		object("<</Length %d>>\nstream\n%s\nendstream", len(s), s)
	}
	at := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, o := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, at)
	return out.Bytes()
}

func specificationPage(i int) string {
	var b strings.Builder
	y := 780
	line := func(font string, size, x int, text string) {
		fmt.Fprintf(&b, "BT /%s %d Tf %d %d Td [(%s)] TJ ET\n", font, size, x, y, strings.ReplaceAll(text, " ", ") -30 ( "))
		y -= size + 5
	}
	for k := range 4 {
		line("B", 12, 60, fmt.Sprintf("5.%d.%d Reception of message %d", i+1, k+1, 7*i+k))
		for n := range 7 {
			line("F", 10, 60, fmt.Sprintf("Upon reception the relay shall stop timer T%d and, if the group has changed, perform step %d of it.", 300+i%20, n+1))
		}
	}
	if i%3 == 0 {
		line("F", 10, 180, fmt.Sprintf("Table 5.%d-1: Timers of the relay", i+1))
		top := y + 10
		for r := range 6 {
			fmt.Fprintf(&b, "60 %d m 460 %d l S\n", top-18*r, top-18*r)
			for c := range 4 {
				fmt.Fprintf(&b, "BT /F 9 Tf %d %d Td (T%d value %d) Tj ET\n", 65+100*c, top-18*r-13, 300+r, c)
			}
		}
		fmt.Fprintf(&b, "60 %d m 460 %d l S\n", top-18*6, top-18*6)
		for c := range 5 {
			fmt.Fprintf(&b, "%d %d m %d %d l S\n", 60+100*c, top, 60+100*c, top-18*6)
		}
	}
	return b.String()
}
