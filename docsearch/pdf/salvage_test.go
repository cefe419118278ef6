package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/findspot/findspot/internal/errs"
)

func texts(t *testing.T, data []byte) []string {
	t.Helper()
	var out []string
	for p, err := range open(t, data, nil).Pages(context.Background(), 1, 0) {
		s := strings.TrimSpace(p.Text)
		if err != nil {
			s = "error: " + err.Error()
		}
		out = append(out, s)
	}
	return out
}

func TestPageTree(t *testing.T) {
	all := []string{"one", "two", "three"}
	tests := []struct {
		name     string
		old, new string // changed in the file
		want     []string
	}{
		{"good", "", "", all},
		{"a null kid", "/Kids[4 0 R 6 0 R", "/Kids[null 4 0 R 6 0 R", all},
		{"a kid that is missing", "/Kids[4 0 R 6 0 R", "/Kids[4 0 R 99 0 R 6 0 R", all},
		{"a kid that is lost", "/Kids[4 0 R 6 0 R 8 0 R", "/Kids[4 0 R 2 0 R 8 0 R", []string{"one", "three"}},
		{"a tree that holds itself", "/Kids[4 0 R", "/Kids[2 0 R 4 0 R", all},
		{"wrong count", "/Count 3", "/Count 7", all},
		{"no kids", "/Kids[", "/Kidz[", all},
		{"kids that are none", "/Kids[4 0 R 6 0 R 8 0 R ]", "/Kids 5 0 R", all},
		{"no page tree", "/Pages 2 0 R", "/Pages 77 0 R", all},
		{"the tree is a page", "/Pages 2 0 R", "/Pages 6 0 R", []string{"two"}},
		{"no catalog", "/Type/Catalog/Pages 2 0 R", "/Nothing true", all},
		{"pages without type", "/Type/Page/", "/", all},
		{"pages without type or tree", "/Type/Page/Parent 2 0 R", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data := pdftest.ThreePages().Bytes()
			if tt.old != "" {
				if !bytes.Contains(data, []byte(tt.old)) {
					t.Fatalf("no %q in the file", tt.old)
				}
				data = bytes.ReplaceAll(data, []byte(tt.old), []byte(tt.new))
			}
			want := tt.want
			if want == nil {
				want = all
			}
			if diff := cmp.Diff(want, texts(t, data)); diff != "" {
				t.Errorf("pages (-want +got):\n%s", diff)
			}
		})
	}
}

// A page that cannot be read keeps its number.
func TestLostPage(t *testing.T) {
	b := pdftest.ThreePages()
	b.Objs[6] = strings.Repeat("[", 1000)
	got := texts(t, b.Bytes())
	if len(got) != 3 || got[0] != "one" || got[2] != "three" || !strings.Contains(got[1], "page 2: ") || !strings.Contains(got[1], "object 6 0 at byte") {
		t.Errorf("pages %q, want an error that names page 2 and object 6", got)
	}
}

// The page's text is there for every cut behind its content, and no cut makes it panic.
func TestCut(t *testing.T) {
	data := pdftest.OnePage(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (kept) Tj ET")
	last := bytes.Index(data, []byte("endobj\nxref"))
	for i := range data {
		d, err := New(nil).Open(context.Background(), bytes.NewReader(data[:i]), int64(i))
		if err != nil {
			if !errors.Is(err, errs.Format) || i > last {
				t.Errorf("cut at %d: %v", i, err)
			}
			continue
		}
		for p, err := range d.Pages(context.Background(), 1, 0) {
			if err != nil && strings.Contains(err.Error(), "internal fault") || i > last && p.Text != "kept\n" {
				t.Errorf("cut at %d: text %q, %v", i, p.Text, err)
			}
		}
	}
}

func TestPassword(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("internal", "cos", "testdata", "aes-256.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"user", "owner"} {
		for p, err := range open(t, data, &Options{Password: p}).Pages(context.Background(), 1, 0) {
			if err != nil || p.Text != "secret\n" {
				t.Errorf("text %q, %v", p.Text, err)
			}
		}
	}
	for p, want := range map[string]string{"": "encrypted: a password is needed", "wrong": "encrypted: this is not the password"} {
		if _, err := New(&Options{Password: p}).Open(context.Background(), bytes.NewReader(data), int64(len(data))); !errors.Is(err, errs.Encrypted) || err.Error() != want {
			t.Errorf("password %q: %v, want %s", p, err, want)
		}
	}
}

func TestSize(t *testing.T) {
	for size, want := range map[int64]error{-1: errs.Format, 0: errs.Format, 5000: errs.Format, 1 << 40: errs.TooLarge} {
		if _, err := New(nil).Open(t.Context(), strings.NewReader("%PDF-1.4"), size); !errors.Is(err, want) || strings.Contains(err.Error(), "fault") {
			t.Errorf("size %d: %v, want %v", size, err, want)
		}
	}
}

// Files made to take all memory or time open or fail, within bounds.
func TestHostile(t *testing.T) {
	bomb := func() []byte {
		b := pdftest.NewBuilder()
		b.Page(pdftest.Helvetica, strings.Repeat("\n", 100<<20), "")
		return b.Bytes()
	}
	shared := func() []byte { // few nodes, each of which has the next one many times
		b := pdftest.NewBuilder()
		b.Page(pdftest.Helvetica, "", "")
		leaf := b.Pages[0]
		kids := strings.Repeat(fmt.Sprintf("%d 0 R ", leaf), 1000)
		for range 4 {
			n := b.Add("<</Type/Pages/Kids[" + kids + "]>>")
			kids = strings.Repeat(fmt.Sprintf("%d 0 R ", n), 1000)
		}
		b.Catalog = fmt.Sprintf("/Pages %d 0 R", b.Next-1)
		data := b.Bytes()
		return bytes.Replace(data, []byte("/Pages 2 0 R"), nil, 1)
	}
	million := func() []byte {
		b := pdftest.NewBuilder()
		b.Page(pdftest.Helvetica, "", "")
		for range 999_999 {
			b.Pages = append(b.Pages, b.Pages[0])
		}
		return b.Bytes()
	}
	forms := func() []byte { // each form draws the next one twice
		b := pdftest.NewBuilder()
		for i := range 40 {
			b.Flate(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>", b.Next+1), strings.Repeat("/X Do ", 2+i%2))
		}
		b.Page("/XObject<</X 3 0 R>>", "/X Do", "")
		return b.Bytes()
	}
	page := func(c string) []byte { return pdftest.OnePage(pdftest.Helvetica, c) }
	tests := []struct {
		name string
		data []byte
		open error // of Open
		page error // of the page
	}{
		{"content of 100 MB", bomb(), nil, errs.TooLarge},
		{"shared nodes", shared(), nil, nil},
		{"a million pages", million(), errs.TooLarge, nil},
		{"forms in forms", forms(), nil, nil},
		{"an array of a million numbers", page("BT /F 12 Tf 50 700 Td [" + strings.Repeat("1 ", 1<<20) + "] TJ (x) Tj ET"), nil, nil},
		{"arrays in arrays", page(strings.Repeat("[", 1<<20)), nil, nil},
		{"no operators", page(strings.Repeat("1 ", 1<<20)), nil, nil},
		{"a string of ten million characters", page("BT /F 12 Tf (" + strings.Repeat("x", 10_000_000) + ") Tj q q"), nil, errs.TooLarge},
		{"more operators than there may be", page(strings.Repeat("q ", content.MaxOperators+2000)), nil, errs.TooLarge},
		{"objects in objects", []byte("%PDF-1.4\n" + strings.Repeat("1 0 obj <<", 200_000)), errs.Format, nil},
		{"open strings", []byte("%PDF-1.4\n" + strings.Repeat("1 0 obj (", 200_000)), errs.Format, nil},
		{"streams without end", []byte("%PDF-1.4\n" + strings.Repeat("1 0 obj <</Type/ObjStm>> stream\n", 50_000)), errs.Format, nil},
		{"trailers without end", []byte("%PDF-1.4\n" + strings.Repeat("trailer <<", 200_000)), errs.Format, nil},
		{"a huge table", []byte("%PDF-1.4\nxref\n0 99999999999\n0000000000 65535 f \ntrailer <<>>\nstartxref\n9\n%%EOF"), errs.Format, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := New(nil).Open(context.Background(), bytes.NewReader(tt.data), int64(len(tt.data)))
			if !errors.Is(err, tt.open) {
				t.Fatalf("Open: %v, want %v", err, tt.open)
			}
			if err != nil {
				return
			}
			for _, err := range d.Pages(context.Background(), 1, 1) {
				if !errors.Is(err, tt.page) {
					t.Errorf("page: %v, want %v", err, tt.page)
				}
			}
		})
	}
}

// What a cancelled call could not read is read by the next one.
func TestCancelledFontsAreReadAgain(t *testing.T) {
	b := pdftest.NewBuilder()
	u := b.Flate("", pdftest.ToUnicode)
	for range 3 {
		b.Page(fmt.Sprintf("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 65/LastChar 71/Widths[500 500 500 500 500 500 500]/ToUnicode %d 0 R>>>>", u),
			"BT /F 12 Tf 50 700 Td (ABCDEFG) Tj ET", "")
	}
	ctx, cancel := context.WithCancel(context.Background())
	data := b.Bytes()
	d, err := New(nil).Open(ctx, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for _, err := range d.Pages(ctx, 1, 0) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
	}
	for p, err := range d.Pages(context.Background(), 1, 0) {
		if err != nil || p.Text != "ff𝐀αβγXY\n" {
			t.Errorf("text %q, %v", p.Text, err)
		}
	}
}
