package page_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/findspot/findspot"
)

func itoa(n int) string { return strconv.Itoa(n) }

// files writes files below a folder and returns it.
func files(t *testing.T, named map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range named {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// drop drops files or folders of this machine on the page.
func (b *tab) drop(paths ...string) {
	b.t.Helper()
	data := &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}
	for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver} {
		call(b, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: 400, Y: 400, Data: data})
	}
	b.wait("!document.querySelector('#dropping').hidden")
	call(b, input.DispatchDragEvent, input.DispatchDragEventParams{Type: input.DispatchDragEventTypeDrop, X: 400, Y: 400, Data: data})
}

// TestUpload: files and folders are dropped or picked, each with its progress and its error; what cannot be read does not stop the others.
func TestUpload(t *testing.T) {
	w := newWorld(t)
	pdf, err := os.ReadFile("../../testdata/papers/pss-detection.pdf")
	if err != nil {
		t.Fatal(err)
	}
	dir := files(t, map[string]string{
		"box/osprey.md": "# Ospreys\n\nAn osprey dives for fish.\n", "box/left/notes.md": "# Left notes\n\nleft", "box/right/notes.md": "# Right notes\n\nright",
		"box/broken.pdf": "%PDF-1.7\nnothing else", "box/tool.exe": "MZ", "box/.hidden.md": "# Hidden", "copy.pdf": string(pdf),
	})
	b := w.open(t, "#/documents")
	b.sees("table", "FS 12.401")
	b.drop(filepath.Join(dir, "box"), filepath.Join(dir, "copy.pdf"))
	b.sees(".tray-title", "4 files added, 1 not")
	b.sees(".tray li.failed", "broken.pdf")
	b.sees("table.documents", "Ospreys")
	b.sees("table.documents", "Left notes")
	b.sees("table.documents", "Right notes")
	b.sees("table.documents", "copy.pdf")
	for _, name := range []string{"tool.exe", "Hidden"} {
		if strings.Contains(b.text("main")+b.text(".tray"), name) {
			t.Errorf("%s was not to be added", name)
		}
	}
	b.clickText(".tray-close", "Close")
	b.wait("!document.querySelector('.tray')")

	// What was uploaded is shown as it is.
	b.clickText("table.documents a.title", "Ospreys")
	b.sees(".lines.prose", "dives for fish")

	b.do(chromedp.NavigateBack())
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#pick-files"), []string{filepath.Join(dir, "box", "osprey.md")}))
	b.sees(".tray li", "was here already")
}

// TestAddFolder: a folder that the server does not allow is refused in words.
func TestAddFolder(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/documents")
	b.click(".on-server summary")
	b.fill(".on-server input", t.TempDir()+kb.Enter)
	b.sees(".tray li.failed .bad", "")
	b.sees(".tray li.failed", "not added")
	if said := b.text(".tray li.failed ul"); said == "" {
		t.Error("no reason is given")
	}
}

// TestCounts: the list and the status count the documents that can be read, and apart from them the others.
func TestCounts(t *testing.T) {
	w := newWorld(t, func(ctx context.Context, ws *findspot.Workspace) {
		if _, err := ws.AddDocument(ctx, "broken.pdf", []byte("no PDF")); err == nil {
			t.Fatal("broken.pdf was read")
		}
	})
	b := w.open(t, "#/documents")
	b.sees(".page-head", "4 documents, and 1 that could not be read")
	b.sees("table.documents", "Not read: ")
	eval[bool](b, "(location.hash = '#/status', true)")
	b.sees("dl.facts", "4, and 1 that could not be read")
}

// TestDocuments: the list, its search, deleting, and what the address bar says meanwhile.
func TestDocuments(t *testing.T) {
	w := newWorld(t, addText(t, "heron.md", "# Herons\n\nA heron waits at the water for a long time.\n"))
	b := w.open(t, "#/documents")
	b.sees(".page-head", "5 documents")

	b.fill("main [data-search]", "heron waits")
	b.sees(".hit mark", "heron")
	b.wait("location.hash === '#/documents?q=heron+waits'")
	b.click(".hit")
	b.sees(".lines.prose mark", "heron")
	b.do(chromedp.NavigateBack())
	b.wait("document.querySelector('main [data-search]')?.value === 'heron waits'")

	eval[bool](b, "(location.hash = '#/documents', true)")
	b.sees("table.documents", "Herons")
	b.click(`[aria-label="Delete Herons"]`)
	b.clickText(".deleting button", "Keep")
	b.click(`[aria-label="Delete Herons"]`)
	b.clickText(".deleting button", "Delete it")
	b.sees(".page-head", "4 documents")
	if strings.Contains(b.text("main"), "Herons") {
		t.Error("the document is still there")
	}
	b.sees("#said", "Herons is deleted")
}

// TestDocument: pages, sections as a tree, the text, and back and forward.
func TestDocument(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/documents")
	b.clickText("a.title", "FS 12.401 Cell search procedure")
	b.wait("document.querySelector('.sheet canvas')")
	if title := eval[string](b, "document.title"); title != "FS 12.401 Cell search procedure · findspot" {
		t.Errorf("the title is %q", title)
	}
	b.sees(".sections a", "Scope")
	b.click("[aria-label='Next page']")
	b.wait("location.hash.endsWith('?page=2') && document.querySelector('.sheet').getAttribute('aria-label') === 'Page 2'")
	b.do(chromedp.KeyEvent("p"))
	b.wait("document.querySelector('.sheet').getAttribute('aria-label') === 'Page 1'")
	b.fill(".page-field", "4"+kb.Enter)
	b.wait("document.querySelector('.sheet').getAttribute('aria-label') === 'Page 4'")
	b.fill(".page-field", "99"+kb.Enter)
	b.wait("document.querySelector('.page-field').value === '4'")

	b.wait("document.querySelectorAll('.sections li li').length > 0 || document.querySelector('.sections button.twig')")
	eval[bool](b, "([...document.querySelectorAll('.sections a')].find((a) => a.textContent.includes('Threshold')).click(), true)")
	b.wait("location.hash.includes('section=') && document.querySelector('.alone').dataset.marked === 'marked'")
	if marked := eval[string](b, "[...document.querySelectorAll('.sheet mark')].map((m) => m.textContent).join('')"); !strings.Contains(marked, "Threshold") {
		t.Errorf("marked for its heading: %q", marked)
	}
	b.clickText(".doc-tools a", "As text")
	b.sees(".lines.prose mark", "")
	b.do(chromedp.NavigateBack())
	b.wait("document.querySelector('.sheet mark')")

	// A reload shows the same.
	before := b.hash()
	b.do(chromedp.Reload())
	b.wait("document.querySelector('.sheet mark')")
	if h := b.hash(); h != before {
		t.Errorf("after a reload the address is %s, want %s", h, before)
	}
	eval[bool](b, "(location.hash = '#/documents/ffffffffffffffffffffffffffffffff', true)")
	b.allow("404")
	b.sees(".alone [role=alert]", "not in the library any more")
}
