package mark_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/findspot/findspot/docsearch/pdf/mark"
)

// rawText is the text of all pages as our own reader has it; ok is false where it does not open the file.
func rawText(ctx context.Context, data []byte) (pages []string, ok bool) {
	doc, err := pdf.New(&pdf.Options{Plain: true}).Open(ctx, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, false
	}
	defer doc.Close()
	for p, err := range doc.Pages(ctx, 1, 0) {
		if ctx.Err() != nil {
			return nil, false
		}
		text := fmt.Sprint(err)
		if p != nil {
			text = p.Text
		}
		pages = append(pages, text)
	}
	return pages, true
}

// sound marks a file and makes sure that nothing is lost: either there is an error of ours and nothing is written, or what is written begins with the file, is opened by our own reader, and
// has the same text on the same pages.
func sound(t *testing.T, ctx context.Context, data []byte, marks ...mark.Mark) (*mark.Report, []byte, error) {
	t.Helper()
	var out bytes.Buffer
	rep, err := mark.Write(ctx, &out, bytes.NewReader(data), int64(len(data)), marks, nil)
	if err != nil {
		known := []error{docsearch.ErrFormat, docsearch.ErrEncrypted, docsearch.ErrTooLarge, docsearch.ErrUnsupported, context.Canceled, context.DeadlineExceeded}
		if out.Len() > 0 || !slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) }) {
			t.Errorf("%d bytes, and an error that is none of ours: %v", out.Len(), err)
		}
		if strings.Contains(err.Error(), "internal fault") {
			t.Logf("a fault of the writer: %v", err)
		}
		return rep, nil, err
	}
	if out.Len() == 0 {
		if rep.Placed() > 0 {
			t.Errorf("%d marks have a place, and nothing is written", rep.Placed())
		}
		return rep, nil, nil
	}
	if !bytes.HasPrefix(out.Bytes(), data) || rep.Original != int64(len(data)) {
		t.Error("the original is not the beginning")
	}
	before, _ := rawText(ctx, data)
	after, ok := rawText(ctx, out.Bytes())
	if ctx.Err() == nil && (!ok || !slices.Equal(before, after)) {
		t.Errorf("the text is %q, was %q (opened: %v)", after, before, ok)
	}
	for _, bad := range []string{"NaN", "Inf"} {
		if bytes.Contains(out.Bytes()[len(data):], []byte(bad)) {
			t.Errorf("%s in what was added", bad)
		}
	}
	return rep, out.Bytes(), nil
}

// hostilePages are files that are made to keep a reader busy, to lead it in circles, or to break what writes; with bombs also some that unpack to much.
func hostilePages(bombs bool) map[string][]byte {
	out := map[string][]byte{}
	words := set(50, 700, "some words to mark")
	page := func(name, extra string, how func(b *pdftest.Builder)) {
		b := pdftest.NewBuilder()
		b.Page(pdftest.Helvetica, words, extra)
		if how != nil {
			how(b)
		}
		out[name] = b.Bytes()
	}
	for name, box := range map[string]string{
		"huge": "[0 0 1e300 1e300]", "not numbers": "[/a /b (c) null]", "infinite": "[0 0 " + strings.Repeat("9", 400) + " 800]", "empty": "[0 0 0 0]", "tiny": "[0 0 1e-300 1e-300]",
		"one number": "[7]", "in itself": "9999 0 R", "negative": "[-1e30 -1e30 1e30 1e30]", "long numbers": "[0 0 " + strings.Repeat("1", 5000) + " " + strings.Repeat("1", 5000) + "]",
	} {
		page("a box: "+name, "/MediaBox"+box, nil)
		page("a crop box: "+name, "/CropBox"+box, nil)
	}
	page("units", "/UserUnit 1e308", nil)
	page("units that are none", "/UserUnit 0", nil)
	page("turned by a part", "/Rotate 33.3", nil)
	page("turned far", "/Rotate 99999999999999999999990", nil)
	page("annotations that are themselves", "/Annots 5 0 R", func(b *pdftest.Builder) { b.Add("5 0 R") })
	page("annotations in a circle", "/Annots 5 0 R", func(b *pdftest.Builder) { b.Add("6 0 R"); b.Add("5 0 R") })
	page("annotations that hold themselves", "/Annots 5 0 R", func(b *pdftest.Builder) { b.Add("[5 0 R 5 0 R]") })
	page("annotations that are the page", "/Annots 4 0 R", nil)
	page("annotations that are no list", "/Annots(text)", nil)
	page("annotations that are nowhere", "/Annots 77 0 R", nil)
	page("annotations that are parents of each other", "/Annots[5 0 R 6 0 R]", func(b *pdftest.Builder) {
		b.Add("<</Subtype/Widget/Parent 6 0 R/Kids[6 0 R]>>")
		b.Add("<</Subtype/Widget/Parent 5 0 R/Kids[5 0 R]>>")
	})
	deep := strings.Repeat("[", 3000) + strings.Repeat("]", 3000)
	page("annotations in many brackets", "/Annots"+deep, nil)
	page("dictionaries in each other", "/Annots[]/PieceInfo"+strings.Repeat("<</a", 3000)+" 1"+strings.Repeat(">>", 3000), nil)
	page("many annotations", "/Annots["+strings.Repeat("null ", 200_000)+"]", nil)
	page("a page that says that there are many", "", func(b *pdftest.Builder) { b.Trailer = "/Count 2147483647" })
	b := pdftest.NewBuilder()
	b.Page(pdftest.Helvetica, words, "")
	data := b.Bytes()
	out["a page tree of 2 milliards"] = bytes.Replace(data, []byte("/Count 1/"), []byte("/Count 2147483647/"), 1) // the offsets of the table are wrong then
	out["a table that says that there are many"] = bytes.Replace(data, []byte("xref\n0 5\n"), []byte("xref\n0 2147483647\n"), 1)
	out["a size of 2 milliards"] = bytes.Replace(data, []byte("/Size 5"), []byte("/Size 2147483647"), 1)
	out["a negative size"] = bytes.Replace(data, []byte("/Size 5"), []byte("/Size -5"), 1)
	out["no size"] = bytes.Replace(data, []byte("/Size 5"), nil, 1)
	out["a table that begins elsewhere"] = bytes.Replace(data, []byte("xref\n0 5\n"), []byte("xref\n4294967290 5\n"), 1)
	out["a table before itself"] = bytes.Replace(data, []byte("/Root 1 0 R"), fmt.Appendf(nil, "/Root 1 0 R/Prev %d", bytes.LastIndex(data, []byte("xref\n0 "))), 1)
	out["a table far before"] = bytes.Replace(data, []byte("/Root 1 0 R"), []byte("/Root 1 0 R/Prev 99999999999"), 1)
	out["a table before the beginning"] = bytes.Replace(data, []byte("/Root 1 0 R"), []byte("/Root 1 0 R/Prev -1"), 1)
	out["a root that is nowhere"] = bytes.Replace(data, []byte("/Root 1 0 R"), []byte("/Root 9 0 R"), 1)
	out["a root that is the pages"] = bytes.Replace(data, []byte("/Root 1 0 R"), []byte("/Root 2 0 R"), 1)
	out["two ends"] = append(slices.Clone(data), []byte("\nstartxref\n0\n%%EOF\n")...)
	out["cut off"] = data[:len(data)-9]
	out["cut in half"] = data[:len(data)/2]
	stream := compact()
	for name, change := range map[string][2]string{
		"a stream of objects that says that there are many": {"/N 3", "/N 2147483647"}, "a stream of objects of none": {"/N 3", "/N 0"}, "a stream of objects before itself": {"/N 3", "/Extends 4 0 R/N 3"},
		"a stream of objects that begins far behind": {"/First ", "/First 99999999"}, "widths of a hundred": {"/W[1 2 1]", "/W[100 100 100]"}, "widths of none": {"/W[1 2 1]", "/W[0 0 0]"},
		"negative widths": {"/W[1 2 1]", "/W[-1 2 1]"}, "an index of many": {"/Size 8", "/Index[0 2147483647]/Size 8"}, "a size of many": {"/Size 8", "/Size 999999999"},
	} {
		out[name] = bytes.Replace(stream, []byte(change[0]), []byte(change[1]), 1)
	}
	page("a length that is itself", "", func(b *pdftest.Builder) {
		b.Objs[3] = "<</Length 3 0 R>>\nstream\n" + words + "\nendstream"
	})
	page("names with signs", "/Annots[]/../../etc/passwd 1/a#00b 2/#zz 3", nil)
	if !bombs {
		return out
	}
	bomb := strings.Repeat("\x00", 150<<20)
	page("a bomb in a stream of objects", "/Annots 5 0 R", func(b *pdftest.Builder) { b.Add("[]"); b.Flate("/Type/ObjStm/N 1/First 4", bomb) })
	page("a page of bombs", "", func(b *pdftest.Builder) {
		c := b.Flate("", bomb)
		b.Objs[b.Pages[0]] = strings.Replace(b.Objs[b.Pages[0]], "/Contents 3 0 R", fmt.Sprintf("/Contents[3 0 R%s]", strings.Repeat(fmt.Sprintf(" %d 0 R", c), 200)), 1)
	})
	return out
}

// TestHostile marks files that are made to do harm: it ends soon, takes bounded memory, and nothing is lost.
func TestHostile(t *testing.T) {
	files := hostilePages(true)
	for _, name := range slices.Sorted(mapsKeys(files)) {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			peak := watchMemory(t)
			begin := time.Now()
			rep, _, err := sound(t, ctx, files[name], mark.Mark{Key: "D1", Text: "words to mark"})
			t.Logf("it took %s", time.Since(begin))
			if n := peak(); n > 1<<30 {
				t.Errorf("it took %d MB", n>>20)
			}
			if testing.Verbose() {
				placed := 0
				if rep != nil {
					placed = rep.Placed()
				}
				t.Logf("%d placed, %.120v", placed, err)
			}
		})
	}
}

func mapsKeys(m map[string][]byte) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// watchMemory measures the most that is live from now on, until what it returns is called.
func watchMemory(t *testing.T) func() uint64 {
	t.Helper()
	runtime.GC()
	var first runtime.MemStats
	runtime.ReadMemStats(&first)
	var most atomic.Uint64
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			var s runtime.MemStats
			runtime.ReadMemStats(&s)
			if s.HeapInuse > first.HeapInuse {
				most.Store(max(most.Load(), s.HeapInuse-first.HeapInuse))
			}
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return func() uint64 {
		close(done)
		<-ended
		return most.Load()
	}
}

// What a key, a note or a text has of control characters, markup or paths is text in the file, and nothing else.
func TestHostileNotes(t *testing.T) {
	data := pdftest.OnePage(pdftest.Helvetica, set(50, 700, "some words to mark"))
	for _, s := range []string{
		")>>endobj 9 0 obj<</S/JavaScript/JS(app.alert(1))>>", "<script>alert(1)</script>", "../../../etc/passwd", "\x00\x01\x1b[31m\x7f", "\u202eback\u2066", strings.Repeat("long ", 5000), "\xff\xfe\xff",
		"\U0001F600 \uD7FF \uFFFD", "\r\n%%EOF\r\nstartxref\n0\n", "(((\\", "<FEFF",
	} {
		rep, out, err := sound(t, t.Context(), data, mark.Mark{Key: s, Note: s, Text: "words to mark"}, mark.Mark{Key: s, Note: s, Text: "words " + s[:min(len(s), 100)], Optional: true})
		if err != nil || rep.Placed() != 1 {
			t.Errorf("%q: %+v, %v", s, rep, err)
			continue
		}
		added := string(out[len(data):])
		for _, bad := range []string{"/JavaScript", "<script", "passwd", "\x1b", "\u202e"} {
			if strings.Contains(added, bad) {
				t.Errorf("%q: %q stands in the file as it is", s, bad)
			}
		}
		if n := strings.Count(added, "startxref"); n != 1 {
			t.Errorf("%q: %d ends", s, n)
		}
	}
}

// changing is a file that is another one with each read.
type changing struct {
	files [][]byte
	n     int
}

func (c *changing) ReadAt(p []byte, off int64) (int, error) {
	data := c.files[min(c.n, len(c.files)-1)]
	c.n++
	return bytes.NewReader(data).ReadAt(p, off)
}

// A file that is replaced while it is marked is marked as it was read first, or not at all.
func TestReplaced(t *testing.T) {
	first := pdftest.OnePage(pdftest.Helvetica, set(50, 700, "some words to mark"))
	for name, next := range map[string][]byte{
		"another one": pdftest.OnePage(pdftest.Helvetica, set(50, 700, "others are to mark")), "a shorter one": first[:len(first)-100], "nothing": nil,
	} {
		for _, files := range [][][]byte{{first, next}, {next, first}} {
			var out bytes.Buffer
			_, err := mark.Write(t.Context(), &out, &changing{files: files}, int64(len(first)), []mark.Mark{{Text: "words to mark"}}, nil)
			if err == nil && out.Len() > 0 && !bytes.HasPrefix(out.Bytes(), first) {
				t.Errorf("%s: what is written begins with neither", name)
			}
			if err != nil && out.Len() > 0 {
				t.Errorf("%s: %d bytes with %v", name, out.Len(), err)
			}
		}
	}
}

// counted is a context that ends when it was asked so many times.
type counted struct {
	context.Context
	left *atomic.Int64
}

func (c counted) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever a call is ended it says so, and has written nothing.
func TestEnded(t *testing.T) {
	data := pdftest.ThreePages().Bytes()
	marks := []mark.Mark{{Text: "one"}, {Text: "two", All: true}, {Text: "nowhere"}}
	var left atomic.Int64
	left.Store(1 << 40)
	if _, err := mark.Write(counted{t.Context(), &left}, &bytes.Buffer{}, bytes.NewReader(data), int64(len(data)), marks, nil); err != nil {
		t.Fatal(err)
	}
	n := 1<<40 - left.Load()
	for i := range n {
		left.Store(i)
		var out bytes.Buffer
		_, err := mark.Write(counted{t.Context(), &left}, &out, bytes.NewReader(data), int64(len(data)), marks, nil)
		if !errors.Is(err, context.Canceled) || out.Len() > 0 {
			t.Errorf("ended at %d of %d: %v, and %d bytes", i, n, err, out.Len())
		}
	}
}

// FuzzWrite marks files that are nearly PDFs.
func FuzzWrite(f *testing.F) {
	f.Add(pdftest.OnePage(pdftest.Helvetica, set(50, 700, "some words to mark")))
	f.Add(compact())
	f.Add(pdftest.ThreePages().Bytes())
	for _, data := range hostilePages(false) {
		if len(data) < 8<<10 {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		sound(t, ctx, data, mark.Mark{Key: "D1", Text: "words to mark", Note: "A note."}, mark.Mark{Text: "two", All: true}, mark.Mark{Text: "some", Table: true, Optional: true})
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			t.Error("it took over 20 seconds")
		}
	})
}
