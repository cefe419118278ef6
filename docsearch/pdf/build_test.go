package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
)

// A builder writes small PDFs for tests. Objects 1 and 2 are the catalog and the page tree.
type builder struct {
	objs    map[int]string
	pages   []int
	next    int
	trailer string // added to the trailer dictionary
	catalog string // added to the catalog
}

func newBuilder() *builder { return &builder{objs: map[int]string{}, next: 3} }

func (b *builder) add(body string) int {
	n := b.next
	b.next++
	b.objs[n] = body
	return n
}

func (b *builder) stream(dict, data string) int {
	return b.add(fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data))
}

func (b *builder) flate(dict, data string) int {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write([]byte(data))
	w.Close()
	return b.stream(dict+"/Filter/FlateDecode", z.String())
}

// page adds a page; resources is the inside of its dictionary, extra more page entries.
func (b *builder) page(resources, content, extra string) {
	c := b.flate("", content)
	n := b.add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<%s>>/Contents %d 0 R%s>>", resources, c, extra))
	b.pages = append(b.pages, n)
}

func (b *builder) bytes() []byte {
	var kids strings.Builder
	for _, p := range b.pages {
		fmt.Fprintf(&kids, "%d 0 R ", p)
	}
	b.objs[1] = "<</Type/Catalog/Pages 2 0 R" + b.catalog + ">>"
	b.objs[2] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(b.pages), kids.String())
	nums := make([]int, 0, len(b.objs))
	for n := range b.objs {
		nums = append(nums, n)
	}
	sort.Ints(nums)
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	offs := map[int]int{}
	for _, n := range nums {
		offs[n] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", n, b.objs[n])
	}
	xref := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", b.next)
	for n := 1; n < b.next; n++ {
		fmt.Fprintf(&out, "%010d 00000 n \n", offs[n])
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", b.next, b.trailer, xref)
	return out.Bytes()
}

// helvetica is the inside of a resource dictionary with font F.
const helvetica = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>"

func open(t testing.TB, data []byte, o *Options) docsearch.Doc {
	t.Helper()
	d, err := New(o).Open(context.Background(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func read(t testing.TB, data []byte) []*docsearch.Page {
	t.Helper()
	var out []*docsearch.Page
	for p, err := range open(t, data, nil).Pages(context.Background(), 1, 0) {
		if err != nil {
			t.Fatalf("Pages: %v", err)
		}
		out = append(out, p)
	}
	return out
}

func onePage(resources, content string) []byte {
	b := newBuilder()
	b.page(resources, content, "")
	return b.bytes()
}
