package cos

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// objects are the bodies of a test file's objects by number.
type objects map[int]string

// onePage is a file of one page, in five objects.
func onePage() objects {
	return objects{
		1: "<</Type/Catalog/Pages 2 0 R>>",
		2: "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		3: "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>",
		4: "<</Length 5 0 R>>stream\nBT (x) Tj ET\nendstream",
		5: "12",
	}
}

// with returns a copy in which an object is another one.
func (o objects) with(num int, body string) objects {
	c := maps.Clone(o)
	c[num] = body
	return c
}

// body writes the objects and returns their offsets.
func (o objects) body(out *bytes.Buffer) map[int]int {
	offs := map[int]int{}
	for _, n := range slices.Sorted(maps.Keys(o)) {
		offs[n] = out.Len()
		fmt.Fprintf(out, "%d 0 obj\n%s\nendobj\n", n, o[n])
	}
	return offs
}

// table writes a cross-reference table and trailer, and returns where it begins.
func (o objects) table(out *bytes.Buffer, offs map[int]int, trailer string) int {
	at := out.Len()
	out.WriteString("xref\n0 1\n0000000000 65535 f \n")
	for _, n := range slices.Sorted(maps.Keys(offs)) {
		fmt.Fprintf(out, "%d 1\n%010d 00000 n \n", n, offs[n])
	}
	fmt.Fprintf(out, "trailer\n<</Size %d%s>>\nstartxref\n%d\n%%%%EOF\n", len(o)+1, trailer, at)
	return at
}

func (o objects) pdf(trailer string) []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	o.table(&out, o.body(&out), "/Root 1 0 R"+trailer)
	return out.Bytes()
}

// packed writes the objects that have no streams into an object stream (number 90), and a cross-reference stream (91).
func (o objects) packed(trailer string) []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	plain, head, rest := objects{}, "", ""
	var inside []int
	for _, n := range slices.Sorted(maps.Keys(o)) {
		if strings.Contains(o[n], "stream") {
			plain[n] = o[n]
			continue
		}
		inside = append(inside, n)
		head += fmt.Sprintf("%d %d ", n, len(rest))
		rest += o[n] + " "
	}
	plain[90] = flated(fmt.Sprintf("/Type/ObjStm/N %d/First %d", len(inside), len(head)), head+rest)
	offs := plain.body(&out)
	at := out.Len()
	rows := make([]byte, 92*4)
	put := func(n, kind, a, b int) { copy(rows[4*n:], []byte{byte(kind), byte(a >> 8), byte(a), byte(b)}) }
	for n, off := range offs {
		put(n, 1, off, 0)
	}
	for i, n := range inside {
		put(n, 2, 90, i)
	}
	put(91, 1, at, 0)
	fmt.Fprintf(&out, "91 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n", flated("/Type/XRef/W[1 2 1]/Size 92/Root 1 0 R"+trailer, string(rows)), at)
	return out.Bytes()
}

// flated is a stream object with compressed data.
func flated(dict, data string) string {
	z := deflate([]byte(data))
	return fmt.Sprintf("<<%s/Filter/FlateDecode/Length %d>>stream\n%s\nendstream", dict, len(z), z)
}

func deflate(data []byte) []byte {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(data)
	w.Close()
	return z.Bytes()
}

func openBytes(data []byte, o *Options) (*File, error) {
	return Open(context.Background(), bytes.NewReader(data), int64(len(data)), o)
}

// content returns what the first page of a file shows, found through the page tree.
func content(t testing.TB, f *File) (string, error) {
	t.Helper()
	ctx := context.Background()
	pages, _ := f.Resolve(ctx, f.Catalog(ctx)["Pages"]).(Dict)
	kids, _ := f.Resolve(ctx, pages["Kids"]).(Array)
	if len(kids) == 0 {
		return "", fmt.Errorf("no kids")
	}
	page, _ := f.Resolve(ctx, kids[0]).(Dict)
	s, ok := f.Resolve(ctx, page["Contents"]).(*Stream)
	if !ok {
		return "", fmt.Errorf("no contents")
	}
	data, _, err := s.Decode(ctx, nil)
	return string(data), err
}

const shown = "BT (x) Tj ET"
