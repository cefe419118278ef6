package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// views are addresses with what must be there before they are looked at: each view, in each of its states.
var views = []struct{ hash, ready string }{
	{"#/ask", ".welcome a"},
	{"#/ask?q=how+is+the+PSS+detected%3F", ".summary:not(:empty)"},
	{"#/ask?q=how+is+the+PSS+detected%3F&at=D1", ".sheet mark"},
	{"#/ask?q=who+calls+detect_pss%3F&at=C1", ".pair-body mark"},
	{"#/documents", "table.documents"},
	{"#/documents?q=threshold", ".hit"},
	{"#/documents?q=threshold", ".hit"},
	{"#/code", ".repos li"},
	{"#/code?q=pss", ".entities li"},
	{"#/code?q=pss&how=text&path=receiver/pss.py&line=67&end_line=70", ".pair-body .line.marked"},
	{"#/graph", ".stage .empty"},
	{"#/graph?id=receiver/pss.py:detect_pss", ".node"},
	{"#/graph?id=receiver/pss.py:detect_pss&as=list", ".ranks li"},
	{"#/skills", ".skill-list li"},
	{"#/skills/who-calls", ".skill-steps li"},
	{"#/status", "table"},
	{"#/nowhere", "main p a"},
}

// audit looks for what keeps people out: controls without a name, pictures without words, ids that stand twice, headings that skip a level, text that
// is too pale, and things that can be clicked but not reached.
const audit = `(() => {
	const wrong = [];
	const tell = (e, what) => wrong.push(what + ': ' + (e.outerHTML || '').slice(0, 110));
	const shown = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });
	const name = (e) => (e.getAttribute('aria-label') || [...(e.labels || [])].map((l) => l.textContent).join(' ') ||
		(e.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.textContent || '').join(' ') || e.textContent || e.title || '').trim();
	for (const e of document.querySelectorAll('a[href], button, input, select, textarea, summary, [role=button], dialog, [role=listbox], nav, aside, [role=toolbar], progress, table[aria-label]')) {
		if (shown(e) && !e.closest('[aria-hidden=true]') && !name(e)) tell(e, 'no name');
	}
	for (const e of document.querySelectorAll('[onclick], [tabindex]')) if (e.tabIndex > 0) tell(e, 'a tab order of its own');
	for (const e of document.querySelectorAll('[aria-controls], [aria-labelledby], label[for]')) {
		for (const id of (e.getAttribute('aria-controls') || e.getAttribute('aria-labelledby') || e.getAttribute('for')).split(' ')) if (!document.getElementById(id)) tell(e, 'names an id that is not there');
	}
	const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
	for (const id of ids.filter((x, i) => ids.indexOf(x) !== i)) wrong.push('two elements have the id ' + id);
	let level = 0;
	for (const h of document.querySelectorAll('h1, h2, h3, h4')) {
		if (!shown(h)) continue;
		const n = Number(h.tagName[1]);
		if (n > level + 1) tell(h, 'a heading below level ' + level);
		level = n;
	}
	if (document.querySelectorAll('h1').length !== 1) wrong.push(document.querySelectorAll('h1').length + ' headings of the first level');
	for (const tag of ['header', 'main', 'nav']) if (!document.querySelector(tag)) wrong.push('no ' + tag);
	for (const e of document.querySelectorAll('ul, ol')) if ([...e.children].some((c) => c.tagName !== 'LI')) tell(e, 'a list with what is no item');
	for (const e of document.querySelectorAll('table')) if (!e.querySelector('th[scope]')) tell(e, 'a table without heads');

	// Contrast, WCAG 2.2: 4.5, and 3 for large text.
	const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	const rgba = (color) => {
		canvas.clearRect(0, 0, 1, 1);
		canvas.fillStyle = color;
		canvas.fillRect(0, 0, 1, 1);
		const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
		return [r, g, b, a / 255];
	};
	const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
	const ground = (e) => {
		const layers = [];
		for (let p = e; p; p = p.parentElement) {
			const c = rgba(getComputedStyle(p).backgroundColor);
			if (c[3] > 0) layers.push(c);
			if (c[3] === 1) break;
		}
		return layers.reverse().reduce((under, c) => over(c, under), [255, 255, 255, 1]);
	};
	const light = (c) => c.slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const seen = new Set();
	for (let n = walker.nextNode(); n; n = walker.nextNode()) {
		const e = n.parentElement;
		if (!n.data.trim() || seen.has(e) || !shown(e) || e.closest('.text-layer, .unseen, .skip, noscript, script, svg, :disabled, #dropping')) continue;
		seen.add(e);
		const style = getComputedStyle(e);
		const back = ground(e);
		const front = over(rgba(style.color), back);
		const [a, b] = [light(front), light(back)].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		const size = parseFloat(style.fontSize);
		const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
		if (ratio < (large ? 3 : 4.5)) tell(e, 'contrast ' + ratio.toFixed(2));
	}
	return [...new Set(wrong)];
})()`

// TestAudit plants faults, which the audit must find.
func TestAudit(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/status")
	b.sees("table", "receiver")
	eval[bool](b, `(() => {
		const main = document.querySelector('main');
		const add = (tag, set) => main.append(Object.assign(document.createElement(tag), set));
		add('button', { className: 'planted' });
		add('h4', { textContent: 'a step too deep' });
		add('table', {});
		add('p', { id: 'main', textContent: 'twice' });
		const pale = document.createElement('p');
		pale.textContent = 'pale words';
		pale.style.color = '#bbb';
		main.append(pale);
		return true;
	})()`)
	found := strings.Join(eval[[]string](b, audit), "\n")
	for _, want := range []string{"no name", "a heading below", "a table without heads", "two elements have the id main", "contrast 1."} {
		if !strings.Contains(found, want) {
			t.Errorf("the audit does not find %q in:\n%s", want, found)
		}
	}
}

// TestAccessible audits every view in light and dark.
func TestAccessible(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "")
	for _, scheme := range []string{"light", "dark"} {
		b.scheme(scheme)
		for _, v := range views {
			eval[bool](b, fmt.Sprintf("(location.hash = %q, true)", v.hash))
			b.wait(fmt.Sprintf("location.hash === %q && document.querySelector(%q)?.checkVisibility()", v.hash, v.ready))
			for _, what := range eval[[]string](b, audit) {
				t.Errorf("%s, %s: %s", v.hash, scheme, what)
			}
		}
	}
	b.keys("?")
	b.sees("dialog dl", "Ask")
	for _, what := range eval[[]string](b, audit) {
		t.Errorf("keys: %s", what)
	}
}

// TestDark: the system's choice holds until the reader makes one, which is kept.
func TestDark(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/status")
	ground := func() string { return eval[string](b, "getComputedStyle(document.documentElement).backgroundColor") }
	b.scheme("light")
	light := ground()
	b.scheme("dark")
	dark := ground()
	if light == dark {
		t.Fatalf("the ground is %s in light and dark", light)
	}
	b.clickText("#theme", "Auto")
	if got := ground(); got != light {
		t.Errorf("the ground is %s after light was chosen, want %s", got, light)
	}
	b.do(chromedp.Reload())
	b.wait("document.querySelector('#theme').textContent === 'Light'")
	if got := ground(); got != light {
		t.Errorf("the ground is %s after a reload, want %s", got, light)
	}
	b.keys("d")
	if got := ground(); got != dark {
		t.Errorf("the ground is %s after dark was chosen, want %s", got, dark)
	}
}

// TestNarrow: a window of 360 pixels needs no scrolling sideways, and everything can be reached.
func TestNarrow(t *testing.T) {
	w := newWorld(t)
	b := w.openSized(t, "", 360, 740)
	for _, v := range views {
		eval[bool](b, fmt.Sprintf("(location.hash = %q, true)", v.hash))
		b.wait(fmt.Sprintf("location.hash === %q && document.querySelector(%q)?.checkVisibility()", v.hash, v.ready))
		if got := eval[int](b, "document.documentElement.scrollWidth"); got > 360 {
			wide := eval[[]string](b, `[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > 361 && !e.closest('.lines.code, pre, .table-frame, .picture, .text-layer, nav')).slice(0, 5).map((e) => e.outerHTML.slice(0, 100))`)
			t.Errorf("%s is %d pixels wide: %s", v.hash, got, strings.Join(wide, "\n"))
		}
	}
	eval[bool](b, "(location.hash = '#/ask?q=how+is+the+PSS+detected%3F&at=D1', true)")
	b.sees(".pair-close button", "Back to the answer")
	b.click(".pair-close button")
	b.wait("document.querySelector('.piece').checkVisibility()")
}

// focused names what has the focus.
func (b *tab) focused() string {
	b.t.Helper()
	return eval[string](b, "(document.activeElement.getAttribute('aria-label') || document.activeElement.textContent || document.activeElement.id).trim()")
}

// tabTo presses Tab until something has the focus, and checks at each step that the focus can be seen.
func (b *tab) tabTo(name string) {
	b.t.Helper()
	var passed []string
	for range 60 {
		b.keys(kb.Tab)
		if !eval[bool](b, `(() => {
			const e = document.activeElement, s = getComputedStyle(e), r = e.querySelector('rect');
			return e === document.body || s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 || r && parseFloat(getComputedStyle(r).strokeWidth) >= 2;
		})()`) {
			b.t.Errorf("the focus on %q cannot be seen", b.focused())
		}
		on := b.focused()
		if strings.HasPrefix(on, name) {
			return
		}
		passed = append(passed, on)
	}
	b.t.Fatalf("Tab does not lead to %q: %q", name, passed)
}

// TestKeyboard asks, reads the source, walks on to the graph and adds a file without a mouse.
func TestKeyboard(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/status")
	b.sees("main", "Repositories")
	b.keys(kb.Tab)
	if on := b.focused(); on != "To the content" {
		t.Errorf("the first stop is %q, want the way to the content", on)
	}
	b.keys(kb.Enter)
	if on := eval[string](b, "document.activeElement.id"); on != "main" {
		t.Errorf("the focus is on %q, want on the content", on)
	}
	b.keys("1")
	b.sees(".welcome", "4 documents")
	b.keys("/")
	b.wait("document.activeElement.id === 'question'")
	b.keys("how is the PSS detected?" + kb.Enter)
	b.sees(".piece .key", "D1")
	b.sees("#said", "piece")
	b.tabTo("D1, open the source")
	b.keys(kb.Enter)
	b.wait("document.querySelector('.sheet mark')")
	b.sees("#said", "the passage is marked")
	b.tabTo("Next page")
	b.keys(kb.Enter)
	b.wait("location.hash.includes('page=')")
	b.keys(kb.Escape)
	b.wait("document.querySelector('.pair-source').hidden")
	if on := b.focused(); !strings.HasPrefix(on, "D1") {
		t.Errorf("the focus is on %q after the source was closed", on)
	}
	b.keys("4")
	b.sees(".stage", "Choose where to start")
	b.keys("/")
	b.wait("document.activeElement.getAttribute('role') === 'combobox'")
	b.keys("DetectPSS")
	b.sees("#graph-found li", "DetectPSS")
	b.keys(kb.ArrowDown + kb.Enter)
	b.wait("document.querySelectorAll('.node').length > 1")
	b.tabTo("function ")
	b.keys("2")
	b.sees("table", "FS 12.401")
	b.tabTo("Add files")
	b.keys("?")
	b.sees("dialog", "Keys")
	b.keys(kb.Escape)
	b.wait("!document.querySelector('dialog')")
}
