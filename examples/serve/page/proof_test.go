package page_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	devtools "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/examples/serve"
	"github.com/findspot/findspot/internal/typeset"
	"github.com/findspot/findspot/skill/evidence"
)

// downloads has the tab save files in a folder.
func (b *tab) downloads() (dir string) {
	b.t.Helper()
	dir = b.t.TempDir()
	call(b, devtools.SetDownloadBehavior, devtools.SetDownloadBehaviorParams{
		Behavior: devtools.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID,
	})
	return dir
}

// saved waits for a file in a folder.
func saved(t *testing.T, dir, ending string) (name string, data []byte) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(dir, "*"+ending))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) == 0 {
			continue
		}
		if data, err = os.ReadFile(files[0]); err == nil && len(data) > 0 {
			return filepath.Base(files[0]), data
		}
	}
	t.Fatalf("no %s is saved in %s", ending, dir)
	return "", nil
}

// birds adds PDFs of one page: one that can be marked, one that is encrypted and one that is signed.
func birds(t *testing.T) func(context.Context, *findspot.Workspace) {
	return func(ctx context.Context, ws *findspot.Workspace) {
		dir := t.TempDir()
		for name, make := range map[string]func(...[]typeset.Line) string{"heron.pdf": typeset.PDF, "locked.pdf": typeset.Encrypted, "signed.pdf": typeset.Signed} {
			var lines []typeset.Line
			for i := range 40 {
				lines = append(lines, typeset.Line{Text: fmt.Sprintf("Garden %d has a path of gravel and a fence of wood, and nobody minds.", i)})
			}
			lines[20].Text = "The heron of " + name + " waits at the water."
			if err := os.WriteFile(filepath.Join(dir, name), []byte(make(lines)), 0o600); err != nil {
				t.Error(err)
			}
		}
		for _, err := range ws.AddDocs(ctx, dir) {
			if err != nil {
				t.Error(err)
			}
		}
	}
}

var quads = regexp.MustCompile(`/QuadPoints\[([^\]]*)\]`)

// highlighted are the words of a PDF of one page whose middle lies under a highlight.
func highlighted(t *testing.T, data []byte) (out []string) {
	t.Helper()
	doc, err := pdf.New(nil).Open(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close() // read only
	var boxes [][8]float64
	for _, m := range quads.FindAllSubmatch(data, -1) {
		for q := range slices.Chunk(strings.Fields(string(m[1])), 8) {
			var n [8]float64
			for i, s := range q {
				if n[i], err = strconv.ParseFloat(s, 64); err != nil {
					t.Fatal(err)
				}
			}
			boxes = append(boxes, n)
		}
	}
	for page, err := range doc.Pages(t.Context(), 1, 1) {
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range regexp.MustCompile(`\S+`).FindAllStringIndex(page.Text, -1) {
			for _, box := range page.Locate(at[0], at[1]) {
				x, y := (box.X0+box.X1)/2, page.Height-(box.Y0+box.Y1)/2
				if slices.ContainsFunc(boxes, func(q [8]float64) bool { return q[0] <= x && x <= q[2] && q[5] <= y && y <= q[1] }) {
					out = append(out, page.Text[at[0]:at[1]])
				}
			}
		}
	}
	return out
}

// TestProof: of an answer, a PDF with its marks and a bundle are saved by keyboard; of a PDF that is not marked, the reason is said.
func TestProof(t *testing.T) {
	b := newWorld(t, birds(t)).open(t, "#/ask?q=where+does+the+heron+wait%3F")
	dir := b.downloads()
	choose := func(name string) {
		t.Helper()
		eval[bool](b, fmt.Sprintf(`(() => {
			const s = document.querySelector('.proof select');
			s.value = [...s.options].find((o) => o.text === %q).value;
			return true;
		})()`, name))
	}
	b.sees(".proof button", "Bundle")
	choose("heron.pdf")
	b.tabTo("PDF to mark")
	b.tabTo("Marked PDF")
	b.keys(kb.Enter)
	b.sees(".proof [role=status]", "heron-marked.pdf: marks on 1 page.")
	if on := b.focused(); on != "Marked PDF" {
		t.Errorf("the focus is on %q after the PDF was saved", on)
	}
	name, marked := saved(t, dir, ".pdf")
	b.tabTo("Bundle")
	b.keys(kb.Enter)
	b.sees(".proof [role=status]", "begin with answer.html.")
	for _, part := range []string{"findspot-proof.zip: ", "locked.pdf is in it without marks: encrypted: ", "signed.pdf is in it without marks: unsupported: a signed file"} {
		b.sees(".proof [role=status]", part)
	}
	_, bundle := saved(t, dir, ".zip")
	archive, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"answer.html", "answer.md", "README.txt", "SHA256SUMS", "documents/heron.pdf", "documents/locked.pdf"} {
		if _, err := archive.Open(want); err != nil {
			t.Error(err)
		}
	}
	f, err := archive.Open("answer.json")
	if err != nil {
		t.Fatal(err)
	}
	a, err := evidence.ReadAnswer(f)
	if err != nil || a.Question != "where does the heron wait?" {
		t.Fatalf("answer.json: %+v, %v", a, err)
	}
	var want []string
	for _, it := range a.Items {
		if it.At.Name == "heron.pdf" {
			want = append(want, strings.Fields(it.Text)...)
		}
	}
	if words := highlighted(t, marked); name != "heron-marked.pdf" || len(words) > 200 || !strings.Contains(strings.Join(words, " "), "The heron of heron.pdf waits at the water.") || !slices.Equal(words, want) {
		t.Errorf("%s has marks on %q, want %q", name, words, want)
	}
	for doc, why := range map[string]string{"locked.pdf": "encrypted: an encrypted file is not marked: take its encryption off", "signed.pdf": "a signed file is not marked, since any change makes its signature void"} {
		choose(doc)
		b.clickText(".proof button", "Marked PDF")
		b.sees(".proof .note.error[role=status]", why)
	}
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		for _, what := range eval[[]string](b, audit) {
			t.Errorf("%s: %s", scheme, what)
		}
	}
	if shots := os.Getenv("FINDSPOT_SHOTS"); shots != "" {
		b.shoot(filepath.Join(shots, "proof-dark.png"))
		b.scheme("light")
		b.shoot(filepath.Join(shots, "proof-light.png"))
		b.do(chromedp.EmulateViewport(360, 740))
		b.shoot(filepath.Join(shots, "proof-narrow.png"))
	}
}

func (b *tab) shoot(name string) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(name, png, 0o600)
	}
	if err != nil {
		b.t.Error(err)
	}
}

// TestNoProof: a server that proves nothing, and an answer without evidence, offer no proof.
func TestNoProof(t *testing.T) {
	b := newServed(t, serve.Options{}).open(t, "#/ask?q=how+is+the+PSS+detected%3F")
	b.sees(".summary", "pieces from")
	b.wait("!document.querySelector('[data-working]')")
	if n := b.count(".proof"); n != 0 {
		t.Errorf("%d proofs without what makes them", n)
	}
	c := newWorld(t).open(t, "#/ask?q=xyzzyqwertz")
	c.sees(".summary", "Nothing found")
	c.wait("!document.querySelector('[data-working]')")
	if n := c.count(".proof"); n != 0 {
		t.Errorf("%d proofs of nothing", n)
	}
}
