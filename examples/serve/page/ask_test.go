package page_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestNowhere: an address that names no view says so, and leads on.
func TestNowhere(t *testing.T) {
	b := newWorld(t).open(t, "#/nowhere/at-all")
	b.sees("h1", "No such page")
	b.clickText("main a", "Ask a question")
	b.wait("location.hash === '#/ask'")
	b.sees("#views [aria-current]", "Ask")
}

// TestAsk: a question is typed, its pieces come, and a key opens the page of the PDF with the passage marked.
func TestAsk(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "")
	b.sees(".welcome", "4 documents")
	b.sees(".welcome", "1 repository")
	t.Logf("first view: %d ms to the first paint, %d ms until it is whole", eval[int](b, "Math.round(performance.getEntriesByName('first-contentful-paint')[0].startTime)"), eval[int](b, "Math.round(Math.max(...performance.getEntriesByType('resource').map((r) => r.responseEnd)))"))

	b.fill("#question", "how is the PSS detected?"+kb.Enter)
	b.sees(".piece .key", "D1")
	b.sees(".summary", "pieces from 4 documents and 1 repository")
	if h := b.hash(); h != "#/ask?q=how+is+the+PSS+detected%3F" {
		t.Errorf("the address is %s", h)
	}
	t.Logf("ask to first piece: %s ms", eval[string](b, "document.querySelector('.answer').dataset.firstPieceIn"))
	if n := b.count(".piece mark"); n == 0 {
		t.Error("no word of a piece is marked")
	}

	b.wait("performance.getEntriesByType('resource').some((r) => r.name.endsWith('/pdf.worker.min.mjs'))") // before anybody opens a page
	b.click(`.piece [href*="at=D1"]`)
	b.wait("document.querySelector('.pair-body').dataset.shownIn && document.querySelector('.pair-body').dataset.marked === 'marked'")
	t.Logf("first page of a PDF with mark, pdf.js loaded since the answer came: %s ms", eval[string](b, "document.querySelector('.pair-body').dataset.shownIn"))
	marked := eval[string](b, "[...document.querySelectorAll('.sheet mark')].map((m) => m.textContent).join(' ')")
	if !strings.Contains(strings.ToLower(marked), "pss") && !strings.Contains(strings.ToLower(marked), "primary synchronization") {
		t.Errorf("marked on the page: %q", marked)
	}
	// The mark lies on the page, in sight, and the page is drawn.
	if !eval[bool](b, `(() => {
		const m = document.querySelector('.sheet mark').getBoundingClientRect(), s = document.querySelector('.sheet').getBoundingClientRect();
		return m.width > 5 && m.height > 5 && m.left >= s.left && m.right <= s.right && m.top >= 0 && m.bottom <= innerHeight;
	})()`) {
		t.Error("the mark is not in sight on the page")
	}
	if !eval[bool](b, `(() => {
		const c = document.querySelector('.sheet canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
		let dark = 0;
		for (let i = 0; i < d.length; i += 4) if (d[i] < 128) dark++;
		return dark > 500;
	})()`) {
		t.Error("nothing is drawn on the page")
	}

	b.do(chromedp.KeyEvent("j"))
	b.wait("location.hash.includes('at=D2')")
	b.wait("document.querySelector('.piece.open')?.dataset.key === 'D2'")
	b.wait("document.querySelector('.pair-body').dataset.shownIn")
	t.Logf("page of a PDF with mark, afterwards: %s ms", eval[string](b, "document.querySelector('.pair-body').dataset.shownIn"))
	b.do(chromedp.KeyEvent(kb.Escape))
	b.wait("document.querySelector('.pair-source').hidden && !location.hash.includes('at=')")
	if on := eval[string](b, "document.activeElement.textContent"); on != "D2" {
		t.Errorf("the focus is on %q after the source was closed, want on the key that opened it", on)
	}
}

// TestAskCode: callers with their verdict, and code with its lines marked.
func TestAskCode(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/ask?q=who+calls+detect_pss%3F")
	b.sees(".uses h2", "detect_pss")
	b.wait("document.querySelectorAll('.uses tbody tr').length > 0")
	b.sees(".proof", "Bundle")
	if moved := eval[bool](b, `(() => {
		const top = () => document.querySelector('.uses').getBoundingClientRect().top, ended = top();
		for (const e of document.querySelectorAll('.summary, .proof')) e.style.display = 'none'; // as before it ended
		document.querySelector('.answer').prepend(document.createElement('progress'));
		const moved = top() !== ended;
		for (const e of document.querySelectorAll('.summary, .proof')) e.style.display = '';
		document.querySelector('.answer > progress').remove();
		return moved;
	})()`); moved {
		t.Error("the uses move when the answer ends, under the mouse that is on them")
	}
	b.click(".uses tbody a.key")
	b.wait("document.querySelector('.pair-body').dataset.marked === 'marked'")
	b.sees(".pair-body .lines.code", "detect_pss")
	if n := b.count(".pair-body .line.marked"); n == 0 {
		t.Error("no line is marked")
	}
	b.clickText(".pair-body a", "In the graph")
	b.wait("location.hash.startsWith('#/graph?id=') && document.querySelectorAll('.node').length > 1")
}

// TestAskText: the passage of an HTML document is marked in its text, and what an old address names may be gone.
func TestAskText(t *testing.T) {
	w := newWorld(t, addText(t, "kestrel.md", "# Kestrels\n\nA kestrel hovers.\n\n"+strings.Repeat("Filler about gardens and their paths.\n\n", 400)+"The windhover was painted by Edmund Quillfeather in 1911.\n"))
	b := w.open(t, "#/ask?q=who+painted+the+windhover%3F&at=D1")
	b.wait("document.querySelector('.pair-body').dataset.marked === 'marked'")
	b.sees(".lines.prose mark", "Quillfeather")
	b.sees(".more", "lines before")
	first := b.count(".lines.prose .line")
	b.click(".more")
	b.wait("document.querySelectorAll('.lines.prose .line').length > " + itoa(first))

	eval[bool](b, "(location.hash = '#/ask?q=who+painted+the+windhover%3F&at=D77', true)")
	b.sees(".pair-body", "has no piece D77")
}

// TestNothingFound says so.
func TestNothingFound(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/ask?q=xyzzyqwertz")
	b.sees(".summary", "Nothing found from 4 documents")
}

// TestUnmarked: a passage that the page does not have is said to be missing, and the page is shown all the same.
func TestUnmarked(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/documents")
	b.clickText("a.title", "FS 12.401 Cell search procedure")
	b.wait("document.querySelector('.sheet canvas')")
	id := strings.Split(strings.TrimPrefix(b.hash(), "#/documents/"), "?")[0]
	// Bytes of another page than the one that is named: the reader turned the page.
	eval[bool](b, "(location.hash = '#/documents/"+id+"?page=3&start=10&end=120', true)")
	b.wait("document.querySelector('.alone').dataset.marked === 'none' && document.querySelector('.page-field').value === '3'")
	eval[bool](b, "(location.hash = '#/documents/"+id+"?start=10&end=120', true)")
	b.wait("document.querySelector('.alone').dataset.marked === 'marked' && document.querySelector('.page-field').value === '1'")
}
