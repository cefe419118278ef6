package mark_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/findspot/findspot/docsearch/pdf/mark"
	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill/evidence"
)

// set sets lines of text from a point of the page downwards.
func set(x, y int, lines ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "BT /F 10 Tf 12 TL %d %d Td ", x, y)
	for _, l := range lines {
		fmt.Fprintf(&b, "(%s) Tj T* ", l)
	}
	return b.String() + "ET\n"
}

func write(t testing.TB, data []byte, marks ...mark.Mark) ([]byte, *mark.Report) {
	t.Helper()
	var out bytes.Buffer
	rep, err := mark.Write(t.Context(), &out, bytes.NewReader(data), int64(len(data)), marks, nil)
	if err != nil {
		t.Fatalf("Write: %v", err)
	}
	return out.Bytes(), rep
}

// TestPlaces marks a quote on pages that are turned, cut and set in all ways, and has Poppler say which words are under the marks.
func TestPlaces(t *testing.T) {
	p := needPoppler(t)
	around := []string{"Alpha beta gamma delta epsilon", "zeta eta the quick brown fox", "jumps over a dog theta iota"}
	const quote = "the quick brown fox jumps over a dog"
	onePage := func(extra string) []byte {
		b := pdftest.NewBuilder()
		b.Page(pdftest.Helvetica, set(150, 500, around...), extra)
		return b.Bytes()
	}
	for _, tt := range []struct {
		name  string
		data  []byte
		quote string
		want  map[int]string // words by page
	}{
		{name: "upright", data: onePage("")},
		{name: "turned right", data: onePage("/Rotate 90")},
		{name: "upside down", data: onePage("/Rotate 180")},
		{name: "turned left", data: onePage("/Rotate 270")},
		{name: "turned backwards", data: onePage("/Rotate -90")},
		{name: "cut", data: onePage("/CropBox[100 300 500 700]")},
		{name: "cut and turned right", data: onePage("/CropBox[100 300 500 700]/Rotate 90")},
		{name: "cut and upside down", data: onePage("/CropBox[100 300 500 700]/Rotate 180")},
		{name: "cut and turned left", data: onePage("/CropBox[100 300 500 700]/Rotate 270")},
		{name: "cut, beyond the page", data: onePage("/CropBox[-50 300 5000 700]")},
		{name: "origin elsewhere", data: onePage("/MediaBox[-200 -100 500 600]")},
		{name: "corners the other way", data: onePage("/MediaBox[600 800 0 0]")},
		{name: "large units", data: onePage("/UserUnit 2")},
		{name: "written upwards", data: func() []byte {
			b := pdftest.NewBuilder()
			b.Page(pdftest.Helvetica, "BT /F 10 Tf 12 TL 0 1 -1 0 200 200 Tm (Alpha beta gamma) Tj T* (zeta the quick brown fox) Tj T* (jumps over a dog iota) Tj ET", "")
			return b.Bytes()
		}()},
		{name: "columns", data: func() []byte {
			b := pdftest.NewBuilder()
			var left, right []string
			for i := range 30 {
				left = append(left, fmt.Sprintf("line %d of the left column is long", i))
				right = append(right, fmt.Sprintf("line %d of the right column too", i))
			}
			left[29], right[0] = "and here the quick brown fox", "jumps over a dog and then on"
			b.Page(pdftest.Helvetica, set(50, 700, left...)+set(320, 700, right...), "")
			return b.Bytes()
		}()},
		{name: "hyphens", quote: "the quick brownish foxes jump", want: map[int]string{1: "the quick brown- ish foxes jump"}, data: func() []byte {
			b := pdftest.NewBuilder()
			b.Page(pdftest.Helvetica, set(150, 500, "Alpha beta the quick brown-", "ish foxes jump over it"), "")
			return b.Bytes()
		}()},
		{name: "over pages", want: map[int]string{1: "the quick brown fox", 2: "jumps over a dog"}, data: func() []byte {
			b := pdftest.NewBuilder()
			b.Page(pdftest.Helvetica, set(150, 760, "Journal of Foxes")+set(150, 500, "Alpha beta gamma", "zeta the quick brown fox")+set(300, 40, "1"), "")
			b.Page(pdftest.Helvetica, set(150, 760, "Journal of Foxes")+set(150, 700, "jumps over a dog theta iota")+set(300, 40, "2"), "")
			return b.Bytes()
		}()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			quote := quote
			if tt.quote != "" {
				quote = tt.quote
			}
			if tt.want == nil {
				tt.want = map[int]string{1: quote}
			}
			out, rep := write(t, tt.data, mark.Mark{Key: "D1", Text: quote, Page: 1})
			file := filepath.Join(t.TempDir(), "marked.pdf")
			if err := os.WriteFile(file, out, 0o600); err != nil {
				t.Fatal(err)
			}
			quads := written(t, string(out[rep.Original:]))
			got := map[int]string{}
			for i, place := range rep.Marks[0].Places {
				q := quads[fmt.Sprintf("findspot-1-%d", i+1)]
				if q == nil {
					q = quads["findspot-1-1"]
				}
				got[place.Page] = strings.Join(under(p.words(t, file, place.Page), q), " ")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("words under the marks (-want +got):\n%s", diff)
			}
			shown(t, file, len(tt.want))
		})
	}
}

// TestAslant makes sure that a line set aslant is not marked by a box that covers others.
func TestAslant(t *testing.T) {
	b := pdftest.NewBuilder()
	b.Page(pdftest.Helvetica, "BT /F 10 Tf .866 .5 -.5 .866 100 300 Tm (a line that is set aslant over the page) Tj ET "+set(300, 350, "an upright word"), "")
	out, rep := write(t, b.Bytes(), mark.Mark{Text: "a line that is set aslant over the page"})
	quads := written(t, string(out[rep.Original:]))["findspot-1-1"]
	if len(quads) < 20 {
		t.Errorf("%d quadrilaterals, want one for each letter", len(quads))
	}
	for _, q := range quads {
		if w := q[1].x - q[0].x; w > 20 {
			t.Errorf("a quadrilateral is %g points wide", w)
		}
	}
}

// TestAnnotation reads what was appended as text.
func TestAnnotation(t *testing.T) {
	b := pdftest.ThreePages()
	data := b.Bytes()
	out, rep := write(t, data, mark.Mark{Key: "D7", Text: "two", Note: "There are two. (Really.)\nAnd \u202Ebackwards."})
	if !bytes.HasPrefix(out, data) || rep.Original != int64(len(data)) {
		t.Errorf("the original of %d bytes is not the beginning, Original = %d", len(data), rep.Original)
	}
	added := string(out[len(data):])
	m := annotObject.FindStringSubmatch(added)
	if m == nil {
		t.Fatalf("no highlight in %q", added)
	}
	for key, want := range map[string]string{
		"Contents": "[D7] There are two. (Really.)\nAnd [U+202E]backwards.", "T": "findspot", "Subj": "Evidence D7", "NM": "findspot-1-1",
	} {
		hex := regexp.MustCompile(`/` + key + `<([0-9A-Fa-f]+)>`).FindStringSubmatch(m[1])
		if hex == nil || unhex(t, hex[1]) != want {
			t.Errorf("%s: %v, want %q", key, hex, want)
		}
	}
	for _, want := range []string{"/F 4", "/P 6 0 R", "/AP<</N ", "/Popup ", "/C[1"} {
		if !strings.Contains(m[1], want) {
			t.Errorf("the highlight has no %s: %s", want, m[1])
		}
	}
	for _, want := range []string{"/BM/Multiply", "/Subtype/Popup", "/Subtype/Form", "6 0 obj", "/Prev "} {
		if !strings.Contains(added, want) {
			t.Errorf("what was appended has no %s", want)
		}
	}
	// The corners: upper left, upper right, lower left, lower right, with y upwards.
	q := written(t, added)["findspot-1-1"][0]
	if !(q[0].x < q[1].x && q[0].y == q[1].y && q[2].x == q[0].x && q[3].x == q[1].x && q[2].y < q[0].y && q[3].y == q[2].y) {
		t.Errorf("corners in the order %v", q)
	}
	again, _ := write(t, data, mark.Mark{Key: "D7", Text: "two", Note: "There are two. (Really.)\nAnd \u202Ebackwards."})
	if !bytes.Equal(out, again) {
		t.Error("the same marks give other bytes")
	}
	// Marks may be marked again.
	twice, rep := write(t, out, mark.Mark{Key: "D8", Text: "two"}, mark.Mark{Key: "D9", Text: "three"})
	if n := strings.Count(string(twice), "/Subtype/Highlight"); n != 3 || rep.Original != int64(len(out)) {
		t.Errorf("%d highlights after the second time, want 3", n)
	}
	kept := regexp.MustCompile(`(?s)/Annots\[([^\]]*)\]`).FindAllStringSubmatch(string(twice[len(out):]), -1)
	if len(kept) != 2 || len(strings.Fields(kept[0][1])) != 12 || len(strings.Fields(kept[1][1])) != 6 { // three parts each
		t.Errorf("annotations of the pages after the second time: %q", kept)
	}
}

// TestOthersStay makes sure that the annotations that there are stay, wherever the page keeps them.
func TestOthersStay(t *testing.T) {
	for name, indirect := range map[string]bool{"in the page": false, "in an array of its own": true} {
		b := pdftest.NewBuilder()
		var refs strings.Builder
		for range 1000 {
			fmt.Fprintf(&refs, "%d 0 R ", b.Add("<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(other)>>"))
		}
		annots := "[" + refs.String() + "]"
		if indirect {
			annots = fmt.Sprintf("%d 0 R", b.Add(annots))
		}
		b.Page(pdftest.Helvetica, set(50, 700, "some words to mark"), "/Annots "+annots)
		data := b.Bytes()
		out, _ := write(t, data, mark.Mark{Text: "words to mark"})
		m := regexp.MustCompile(`(?s)/Annots\[([^\]]*)\]`).FindStringSubmatch(string(out[len(data):]))
		if m == nil || !strings.HasPrefix(strings.Join(strings.Fields(m[1]), " "), strings.TrimSpace(refs.String())) || len(strings.Fields(m[1])) != 3*1002 {
			t.Errorf("%s: the page does not have its 1,000 annotations and two more", name)
		}
	}
}

// compact is a file as newer programs write it: its page in an object stream, and a stream of cross-references. Object 7 was deleted.
func compact() []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.5\n%\xE2\xE3\xCF\xD3\n")
	offs := map[int]int{}
	add := func(n int, body string) {
		offs[n] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", n, body)
	}
	stream := func(n int, dict, data string) {
		add(n, fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data))
	}
	objs := []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[3 0 R]>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<" + pdftest.Helvetica + ">>/Contents 5 0 R>>"}
	head, body := "", ""
	for i, o := range objs {
		head += fmt.Sprintf("%d %d ", i+1, len(body))
		body += o + " "
	}
	stream(4, fmt.Sprintf("/Type/ObjStm/N 3/First %d", len(head)), head+body)
	stream(5, "", set(50, 700, "some words to mark"))
	at := b.Len()
	offs[6] = at
	table := []byte{0, 0, 7, 255}
	for i := range 3 {
		table = append(table, 2, 0, 4, byte(i))
	}
	for n := 4; n <= 6; n++ {
		table = append(table, 1, byte(offs[n]>>8), byte(offs[n]), 0)
	}
	table = append(table, 0, 0, 0, 1)
	stream(6, "/Type/XRef/Size 8/W[1 2 1]/Root 1 0 R", string(table))
	fmt.Fprintf(&b, "startxref\n%d\n%%%%EOF\n", at)
	return b.Bytes()
}

// TestUpdate makes sure that what is appended is an update in the way of the file.
func TestUpdate(t *testing.T) {
	p := needPoppler(t)
	plain := pdftest.OnePage(pdftest.Helvetica, set(50, 700, "some words to mark"))
	start := bytes.Index(plain, []byte("\nxref\n")) + 1
	deleted := bytes.Replace(plain, []byte("0 5\n0000000000 65535 f \n"), []byte("0 6\n0000000005 65535 f \n"), 1)
	deleted = bytes.Replace(deleted, []byte("trailer\n<</Size 5"), []byte("0000000000 00001 f \ntrailer\n<</Size 6"), 1)
	if len(deleted) <= len(plain) {
		t.Fatalf("the table is another one: %s", plain[start:])
	}
	for _, tt := range []struct {
		name string
		data []byte
		has  []string // what was appended has
		not  string
	}{
		{"a table", plain, []string{fmt.Sprintf("/Prev %d", start), "trailer", "\nxref\n"}, "/XRef"},
		{"a stream", compact(), []string{"/Type/XRef", "\n3 0 obj\n", "\n8 0 obj\n"}, "\n7 0 obj\n"},
		{"something before the header", append([]byte("HTTP/1.1 200 OK\r\n\r\n"), plain...), []string{fmt.Sprintf("/Prev %d/", start)}, "/XRef"},
		{"no line end at the end", bytes.TrimSpace(plain), []string{fmt.Sprintf("/Prev %d", start), "\n\n5 0 obj\n"}, "/XRef"},
		{"a deleted object", deleted, []string{"\n6 0 obj\n"}, "\n5 0 obj\n"},
	} {
		out, rep := write(t, tt.data, mark.Mark{Text: "words to mark"})
		added := "\n" + string(out[rep.Original:])
		for _, want := range tt.has {
			if !strings.Contains(added, want) {
				t.Errorf("%s: what was appended has no %q:\n%s", tt.name, want, added)
			}
		}
		if strings.Contains(added, tt.not) {
			t.Errorf("%s: what was appended has %q:\n%s", tt.name, tt.not, added)
		}
		file := filepath.Join(t.TempDir(), "marked.pdf")
		if err := os.WriteFile(file, out, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(under(p.words(t, file, 1), written(t, added)["findspot-1-1"]), " "); got != "words to mark" {
			t.Errorf("%s: words under the marks: %q", tt.name, got)
		}
		shown(t, file, 1)
	}
}

// TestCycle marks a file whose page tree leads into itself.
func TestCycle(t *testing.T) {
	b := pdftest.NewBuilder()
	b.Page(pdftest.Helvetica, set(50, 700, "some words to mark"), "")
	loop := b.Add("<</Type/Pages/Count 9/Kids[2 0 R]/Parent 2 0 R>>")
	b.Objs[loop] = fmt.Sprintf("<</Type/Pages/Count 9/Kids[%d 0 R 2 0 R]>>", loop)
	b.Pages = append(b.Pages, loop)
	data := b.Bytes()
	var out bytes.Buffer
	rep, err := mark.Write(t.Context(), &out, bytes.NewReader(data), int64(len(data)), []mark.Mark{{Text: "words to mark"}}, nil)
	if err == nil && rep.Placed() != 1 || err != nil && !errors.Is(err, docsearch.ErrFormat) {
		t.Errorf("Write = %+v, %v", rep, err)
	}
}

func TestRefused(t *testing.T) {
	signature := func(how func(b *pdftest.Builder, sig int)) []byte {
		b := pdftest.NewBuilder()
		sig := b.Add("<</Type/Sig/Filter/Adobe.PPKLite/Contents<00>/ByteRange[0 1 2 3]>>")
		b.Page(pdftest.Helvetica, set(50, 700, "some words to mark"), "")
		how(b, sig)
		return b.Bytes()
	}
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join("..", "internal", "cos", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	plain := pdftest.OnePage(pdftest.Helvetica, set(50, 700, "some words to mark"))
	for _, tt := range []struct {
		name string
		data []byte
		is   error
		say  string
	}{
		{"encrypted", read("aes-256.pdf"), docsearch.ErrEncrypted, "qpdf --decrypt"},
		{"encrypted with an empty password", read("aes-256-empty.pdf"), docsearch.ErrEncrypted, "qpdf --decrypt"},
		{"a field of the form", signature(func(b *pdftest.Builder, sig int) {
			b.Catalog = fmt.Sprintf("/AcroForm<</Fields[%d 0 R]>>", b.Add(fmt.Sprintf("<</FT/Sig/T(s)/V %d 0 R>>", sig)))
		}), docsearch.ErrUnsupported, "a signature field has a value"},
		{"a field below another", signature(func(b *pdftest.Builder, sig int) {
			kid := b.Add(fmt.Sprintf("<</T(k)/V %d 0 R>>", sig))
			b.Catalog = fmt.Sprintf("/AcroForm<</Fields[%d 0 R]>>", b.Add(fmt.Sprintf("<</FT/Sig/T(s)/Kids[%d 0 R]>>", kid)))
		}), docsearch.ErrUnsupported, "a signature field has a value"},
		{"a field of the page", signature(func(b *pdftest.Builder, sig int) {
			w := b.Add(fmt.Sprintf("<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/FT/Sig/T(s)/V %d 0 R>>", sig))
			b.Objs[b.Pages[0]] = strings.Replace(b.Objs[b.Pages[0]], "/Type/Page", fmt.Sprintf("/Type/Page/Annots[%d 0 R]", w), 1)
		}), docsearch.ErrUnsupported, "on page 1"},
		{"permissions", signature(func(b *pdftest.Builder, sig int) { b.Catalog = fmt.Sprintf("/Perms<</DocMDP %d 0 R>>", sig) }), docsearch.ErrUnsupported, "DocMDP"},
		{"usage rights", signature(func(b *pdftest.Builder, sig int) { b.Catalog = fmt.Sprintf("/Perms<</UR3 %d 0 R>>", sig) }), docsearch.ErrUnsupported, "UR3"},
		{"damaged", bytes.Replace(plain, []byte("startxref\n"), []byte("startxref\n9"), 1), docsearch.ErrFormat, "its cross-references are damaged"},
		{"no PDF", []byte("nothing of it"), docsearch.ErrFormat, ""},
		{"empty", nil, docsearch.ErrFormat, ""},
	} {
		var out bytes.Buffer
		_, err := mark.Write(t.Context(), &out, bytes.NewReader(tt.data), int64(len(tt.data)), []mark.Mark{{Text: "words to mark"}}, nil)
		if !errors.Is(err, tt.is) || !strings.Contains(fmt.Sprint(err), tt.say) || out.Len() > 0 {
			t.Errorf("%s: Write = %v and %d bytes, want %v with %q and none", tt.name, err, out.Len(), tt.is, tt.say)
		}
	}
	// A field that nobody has signed is no signature.
	unsigned := signature(func(b *pdftest.Builder, _ int) {
		b.Catalog = fmt.Sprintf("/AcroForm<</Fields[%d 0 R]>>", b.Add("<</FT/Sig/T(s)>>"))
	})
	write(t, unsigned, mark.Mark{Text: "words to mark"})

	many := make([]mark.Mark, 2001)
	for name, err := range map[string]error{
		"marks": second(mark.Locate(t.Context(), bytes.NewReader(plain), int64(len(plain)), many, nil)),
		"text":  second(mark.Locate(t.Context(), bytes.NewReader(plain), int64(len(plain)), []mark.Mark{{Text: strings.Repeat("x", 16385)}}, nil)),
		"file":  second(mark.Locate(t.Context(), bytes.NewReader(plain), int64(len(plain)), nil, &mark.Options{MaxFile: 10})),
	} {
		if !errors.Is(err, docsearch.ErrTooLarge) {
			t.Errorf("too large a %s: %v", name, err)
		}
	}
	if err := second(mark.Locate(t.Context(), bytes.NewReader(plain), int64(len(plain)), []mark.Mark{{Text: "--"}}, nil)); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("a text without a word: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := mark.Write(ended, &bytes.Buffer{}, bytes.NewReader(plain), int64(len(plain)), []mark.Mark{{Text: "words"}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestMissing(t *testing.T) {
	data := pdftest.OnePage(pdftest.Helvetica, set(50, 700, "The threshold is six decibels over the floor."))
	out, rep := write(t, data, mark.Mark{Key: "D1", Text: "The threshold is nine decibels over the floor."}, mark.Mark{Key: "D2", Text: "Cabbages.", Optional: true})
	if len(out) > 0 || rep.Original != 0 {
		t.Errorf("%d bytes were written without a mark", len(out))
	}
	if len(rep.Marks) != 1 || !strings.Contains(rep.Marks[0].Missing, `"is nine" where the source has "is six"`) {
		t.Errorf("report = %+v, want the nearest text", rep.Marks)
	}
	out, rep = write(t, data, mark.Mark{Key: "D1", Text: "nine decibels"}, mark.Mark{Key: "D2", Text: "six decibels"})
	if len(out) == 0 || rep.Placed() != 1 || rep.Marks[0].Missing == "" || len(written(t, string(out[rep.Original:]))["findspot-2-1"]) != 1 {
		t.Errorf("of two marks, one found: %d bytes, %+v", len(out), rep.Marks)
	}
}

// TestWhich makes sure that of equal texts the one at the place of the mark is taken, and whole words before parts.
func TestWhich(t *testing.T) {
	b := pdftest.NewBuilder()
	b.Page(pdftest.Helvetica, set(50, 700, "unstable", "a stable clock", "other words", "a stable clock"), "")
	b.Page(pdftest.Helvetica, set(50, 700, "a stable clock"), "")
	data := b.Bytes()
	for _, tt := range []struct {
		m    mark.Mark
		want []int // page, line
	}{
		{mark.Mark{Text: "stable"}, []int{1, 2}},
		{mark.Mark{Text: "A Stable clock"}, []int{1, 2}},
		{mark.Mark{Text: "a stable clock", Page: 1, Line: 4}, []int{1, 4}},
		{mark.Mark{Text: "a stable clock", Page: 2}, []int{2, 5}}, // lines count through the document
		{mark.Mark{Text: "a stable clock", Page: 99}, []int{2, 5}},
		{mark.Mark{Text: "stable clocks", All: true}, []int{1, 2, 1, 4, 2, 5}}, // as search has it
	} {
		rep, err := mark.Locate(t.Context(), bytes.NewReader(data), int64(len(data)), []mark.Mark{tt.m}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, p := range rep.Marks[0].Places {
			got = append(got, p.Page, p.Line)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v is at %v, want %v", tt.m, got, tt.want)
		}
	}
}

// TestTable marks rows of a table where they are lines of the page, and else the whole of it.
func TestTable(t *testing.T) {
	papers := filepath.Join("..", "..", "..", "examples", "testdata", "papers")
	data, err := os.ReadFile(filepath.Join(papers, "pss-detection.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := mark.Locate(t.Context(), bytes.NewReader(data), int64(len(data)), []mark.Mark{
		{Text: "−12 | 0.74 | 0.89 | 0.14 | 0.086\n−9 | 0.95 | 1.00 | 0.48 | 0.067", Page: 2, Table: true},
		{Text: "SNR (dB) | Detected with 1 hyp. | Detected with 5 hyp. | Identified with 5 hyp. | Frequency error", Page: 2, Table: true},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var table extract.Box
	doc, err := pdf.New(nil).Open(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	for p := range doc.Pages(t.Context(), 2, 2) {
		table = p.Tables[0].BBox
	}
	if got := rows.Marks[0].Places; len(got) != 2 || got[0].Boxes[0].Y1-got[0].Boxes[0].Y0 > 20 || got[0].Boxes[0].Y0 < table.Y0 {
		t.Errorf("two rows are at %+v, want two lines in %v", got, table)
	}
	if got := rows.Marks[1].Places; len(got) != 1 || got[0].Boxes[0] != table {
		t.Errorf("the head is at %+v, want the table at %v", got, table)
	}
}

func TestOfAnswer(t *testing.T) {
	at := func(name string, page int) evidence.Place {
		return evidence.Place{Doc: name, Name: name + ".pdf", Page: page, Line: 3, EndLine: 4}
	}
	a := &evidence.Answer{
		Text: "The threshold is six. [D1]\n\nNobody doubts it [D1, D2]. Code does it. [C1]\n\nIt starts from \\[x(6) 1]. [D2]\n",
		Items: []evidence.Item{
			{Key: "D1", Kind: evidence.KindPassage, At: at("a", 2), Text: "all of the passage"},
			{Key: "D2", Kind: evidence.KindTable, At: at("b", 1), Text: "x | y"},
			{Key: "C1", Kind: evidence.KindEntity, At: evidence.Place{Path: "a.go", Line: 1}, Text: "func"},
		},
		Sources: []evidence.Sealed{{Key: "D1", File: "aaaa"}, {Key: "D2", File: "bbbb"}, {Key: "C1", File: "aaaa"}},
		Quotes:  []evidence.Quote{{Key: "D1", Text: "of the"}, {Key: "D2", Text: "y"}},
	}
	got, err := mark.OfAnswer(a, "aaaa")
	if err != nil {
		t.Fatal(err)
	}
	const note = "The threshold is six.\nNobody doubts it."
	want := []mark.Mark{
		{Key: "D1", Text: "all of the passage", Note: note, Page: 2, Line: 3, Faint: true},
		{Key: "D1", Text: "of the", Note: note, Page: 2, Line: 3},
		{Key: "D1", Text: "The threshold is six.", Note: "The threshold is six.", Page: 2, Line: 3, Optional: true},
		{Key: "D1", Text: "Nobody doubts it.", Note: "Nobody doubts it.", Page: 2, Line: 3, Optional: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("OfAnswer (-want +got):\n%s", diff)
	}
	if got, err := mark.OfAnswer(a, "bbbb"); err != nil || !strings.HasSuffix(got[0].Note, "It starts from [x(6) 1].") {
		t.Errorf("OfAnswer with signs that are escaped: %+v, %v", got, err)
	}
	if _, err := mark.OfAnswer(a, "cccc"); !errors.Is(err, docsearch.ErrNotFound) || !strings.Contains(fmt.Sprint(err), "a.pdf (aaaa), b.pdf (bbbb)") {
		t.Errorf("OfAnswer of another file: %v", err)
	}
	if _, err := mark.OfAnswer(a, ""); !errors.Is(err, docsearch.ErrNotFound) {
		t.Errorf("OfAnswer without a hash: %v", err)
	}
}

// TestHome makes sure that nothing is read from or made in the user's home.
func TestHome(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "AppData", "USERPROFILE"} {
		t.Setenv(name, dir)
	}
	write(t, pdftest.OnePage(pdftest.Helvetica, set(50, 700, "some words to mark")), mark.Mark{Text: "words"})
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("in the user's home: %v, %v", list, err)
	}
}

// TestRepetitive makes sure that texts made to be searched for ever are not.
func TestRepetitive(t *testing.T) {
	b := pdftest.NewBuilder()
	for range 10 {
		var lines []string
		for range 60 {
			lines = append(lines, strings.Repeat("ab ab ab ab ", 8))
		}
		b.Page(pdftest.Helvetica, set(20, 790, lines...), "")
	}
	data := b.Bytes()
	var marks []mark.Mark
	for i := range 5 {
		marks = append(marks, mark.Mark{Text: strings.Repeat("ab ab ", 2000+i) + "abc"}, mark.Mark{Text: strings.Repeat("ab ", 3000) + "x" + strings.Repeat(" ab", 2000)})
	}
	rep, err := mark.Locate(t.Context(), bytes.NewReader(data), int64(len(data)), marks, nil)
	if err != nil || rep.Placed() != 0 || rep.Marks[9].Missing == "" {
		t.Errorf("Locate: %d marks, %v", rep.Placed(), err)
	}
}

// TestJoint marks a quote that goes on over the end of a page, and a passage that has what stands between: page number, figure and caption are not marked.
func TestJoint(t *testing.T) {
	data, err := os.ReadFile("../../../examples/testdata/papers/pss-detection.pdf")
	if err != nil {
		t.Fatal(err)
	}
	const passage = "The detector is a matched\n1\nPSS PBCH SSS\nPBCH\nPBCH\nPBCH\n0 1 2 3\nOFDM symbol\n0\n56\n182\n239\nsubcarrier\nFigure 1: The synchronization signal block: four sym-\n" +
		"bols of 240 subcarriers, with the primary signal in sym-\nbol 0.\nfilter for each of the three references"
	for _, m := range []mark.Mark{{Text: "The detector is a matched filter for each of the three references", Page: 1}, {Text: passage, Page: 1}, {Text: passage, All: true}} {
		rep, err := mark.Locate(t.Context(), bytes.NewReader(data), int64(len(data)), []mark.Mark{m}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range rep.Marks[0].Places {
			got = append(got, fmt.Sprintf("p. %d, l. %d: %s", p.Page, p.Line, strings.TrimSpace(p.Text)))
		}
		if diff := cmp.Diff([]string{"p. 1, l. 99: The detector is a matched", "p. 2, l. 115: filter for each of the three references"}, got); diff != "" {
			t.Errorf("%.40q, all %v (-want +got):\n%s", m.Text, m.All, diff)
		}
	}
}

// TestDividedOverPages marks words that the end of a page divides.
func TestDividedOverPages(t *testing.T) {
	data, err := os.ReadFile(need.Shared(t, "pdf", "corpus", "papers-we-lo-distributed_systems__in-search-of-an-understandable-consensus-algorithm.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	const text = "to solve a variety of fault-tolerance problems in distributed systems"
	marks := []mark.Mark{{Text: text, All: true}, {Text: text, Page: 1}, {Text: "fault-tolerance problems in disturbed systems", All: true}}
	rep, err := mark.Locate(t.Context(), bytes.NewReader(data), int64(len(data)), marks, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range rep.Marks {
		var got []string
		for _, p := range m.Places {
			got = append(got, fmt.Sprintf("%d %s", p.Page, p.Text))
		}
		want := []string{"1 to solve a variety of fault-tolerance problems in dis", "2 tributed systems"}
		if i == 2 {
			want = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("mark %d (-want +got):\n%s", i+1, diff)
		}
	}
}
