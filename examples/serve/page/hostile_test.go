package page_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/serve"
)

// attack is text that would run in a page that takes text for markup.
const attack = `<img src=x onerror="pwned('img')"><script>pwned('script')</script><svg onload="pwned('svg')"></svg><a href="javascript:pwned('link')">click</a>"'><iframe srcdoc="<script>parent.pwned('frame')</script>"></iframe>`

// hostilePDF is a PDF whose title is an attack, and that asks its reader to run JavaScript: when it is opened, when its page is, in a link over the
// text, and in a field of a form. Another link leads elsewhere.
func hostilePDF() []byte {
	var b bytes.Buffer
	var at []int
	b.WriteString("%PDF-1.7\n")
	object := func(body string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), body)
	}
	text := "BT /F1 14 Tf 72 700 Td (Vulture: the passage that a hostile paper has about vultures.) Tj ET"
	js := `<< /S /JavaScript /JS (app.alert\('pdf'\); pwned\('pdf'\);) >>`
	object("<< /Type /Catalog /Pages 2 0 R /OpenAction " + js + " /Names << /JavaScript << /Names [(a) " + js + "] >> >> /AcroForm << /Fields [8 0 R] /DR << >> >> >>")
	object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R /Annots [6 0 R 7 0 R 8 0 R] /AA << /O " + js + " >> >>")
	object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	object("<< /Type /Annot /Subtype /Link /Rect [72 690 500 720] /A << /S /URI /URI (javascript:pwned\\('uri'\\)) >> >>")
	object("<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /A << /S /URI /URI (https://example.invalid/) >> >>")
	object("<< /Type /Annot /Subtype /Widget /FT /Tx /T (field) /V (" + `<script>pwned\('field'\)</script>` + ") /Rect [72 600 300 620] /AA << /F " + js + " /E " + js + " >> /A " + js + " >>")
	object("<< /Title (" + strings.NewReplacer("(", `\(`, ")", `\)`).Replace(attack) + ") /Author (" + strings.NewReplacer("(", `\(`, ")", `\)`).Replace(attack) + ") >>")
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 9 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.Bytes()
}

// clean fails when an element stands where text should be, or a link leads anywhere but within the page.
func (b *tab) clean(where string) {
	b.t.Helper()
	bad := eval[[]string](b, `[...document.querySelectorAll('script:not([src^="assets/"]), iframe, object, embed, img, base, meta[http-equiv], form[action], main svg:not(.picture svg), [onerror], [onload], [srcdoc], style')]
		.map((e) => e.outerHTML.slice(0, 120))
		.concat([...document.querySelectorAll('a[href]')].filter((a) => !a.href.startsWith(location.origin + '/')).map((a) => a.href))`)
	for _, e := range bad {
		b.t.Errorf("%s: the page has %s", where, e)
	}
}

// TestHostile opens documents and code that try to run something, everywhere that they are shown.
func TestHostile(t *testing.T) {
	name := "<img src=x onerror=pwned('name')>.md"
	repo := files(t, map[string]string{
		"<b onclick=pwned('path')>bold.py": "def vulture():\n    '''" + attack + "'''\n    return condor()\n\n\ndef condor():\n    '''</pre><script>pwned('code')</script>'''\n",
	})
	w := newWorld(t,
		addText(t, name, "# "+attack+"\n\nA falcon of "+attack+" stoops.\n\n## Falcon "+attack+"\n\nMore.\n"),
		addText(t, "page.html", "<html><head><title>"+strings.ReplaceAll(attack, "<", "&lt;")+"</title><base href='https://example.invalid/'><meta http-equiv=refresh content='0;url=https://example.invalid/'><script>pwned('html')</script></head><body onload=\"pwned('body')\"><p>The buzzard soars. &lt;script&gt;pwned('text')&lt;/script&gt;</p><a href=\"javascript:pwned('href')\">buzzard</a></body></html>"),
		func(ctx context.Context, ws *findspot.Workspace) {
			lib, err := ws.Docs(ctx)
			if err == nil {
				_, err = lib.Add(ctx, docsearch.Bytes("bidi\u202egnp.exe.md", []byte("# Over\u202eride \u2066isolated\n\nThe goshawk.\n")))
			}
			if err == nil {
				_, err = ws.AddRepo(ctx, repo, &findspot.RepoOptions{Name: "evil"})
			}
			if err != nil {
				t.Error(err)
			}
		})

	b := w.open(t, "#/documents")
	b.sees("table.documents", "<img src=x onerror")
	b.clean("list of documents")

	// Dropped as a file, so that its original is shown by pdf.js.
	dir := files(t, map[string]string{"vulture.pdf": string(hostilePDF()), "<script>pwned('up')<script>.txt": "harrier"})
	b.drop(dir+"/vulture.pdf", dir+"/<script>pwned('up')<script>.txt")
	b.sees(".tray", "2 files added")
	b.clean("tray")
	b.sees("table.documents", "pwned('svg')")

	for _, q := range []string{"vultures", "how does the falcon stoop?", "where does the buzzard soar?", "goshawk", attack, "who calls condor?"} {
		eval[bool](b, fmt.Sprintf("(location.hash = '#/ask?' + new URLSearchParams({q: %q}), true)", q))
		b.sees(".summary", "in ")
		b.clean("answer to " + q)
		for _, key := range eval[[]string](b, "[...document.querySelectorAll('.piece a.key')].slice(0, 3).map((a) => a.closest('.piece').dataset.key)") {
			eval[bool](b, fmt.Sprintf("(location.hash = '#/ask?' + new URLSearchParams({q: %q, at: %q}), true)", q, key))
			b.wait("document.querySelector('.pair-body').dataset.marked || document.querySelector('.pair-body .empty')")
			b.clean("source " + key + " of " + q)
		}
	}

	// The PDF: drawn and marked, and a click on its links does nothing.
	eval[bool](b, "(location.hash = '#/ask?q=vultures&at=D1', true)")
	b.wait("document.querySelector('.sheet mark')")
	b.click(".sheet mark")
	if n := b.count(".sheet a, .sheet input, .sheet textarea, .sheet button"); n != 0 {
		t.Errorf("%d links or fields were made of the PDF", n)
	}
	before := b.hash()
	b.click(".sheet")
	if h := b.hash(); h != before {
		t.Errorf("a click on the page led to %s", h)
	}

	eval[bool](b, "(location.hash = '#/documents?q=falcon', true)")
	b.sees(".hit", "onerror")
	b.clean("search")
	b.click(".hit")
	b.sees(".lines.prose", "<script>")
	b.sees(".sections", "pwned")
	b.clean("document")

	for _, hash := range []string{"#/code", "#/code?q=vulture", "#/code?q=pwned&how=text", "#/graph?id=" + attack, "#/skills/" + "%3Cscript%3Epwned('skill')%3C%2Fscript%3E", "#/status", "#/" + attack, "#/documents/" + "%3Cimg%20src%3Dx%3E"} {
		b.allow("404", "400") // of what is not there
		eval[bool](b, fmt.Sprintf("(location.hash = %q, true)", hash))
		b.wait("document.querySelector('main').innerText.length > 20")
		b.clean(hash)
	}
	eval[bool](b, "(location.hash = '#/code?q=vulture', true)")
	b.click(".entities a")
	b.sees(".pair-body .lines.code", "onerror")
	b.clean("code")
	b.clickText(".pair-body a", "In the graph")
	b.wait("document.querySelectorAll('.node').length > 1")
	b.clean("graph")
}

// TestPolicy: what the page never does is refused when a document's text did it after all. This shows that the policy is at work, and that the tests
// would see a violation.
func TestPolicy(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/status")
	b.sees("main", "Repositories")
	b.allow("policy: ", "security: ", "Content Security Policy", "blocked")
	eval[bool](b, `(() => {
		const d = document.createElement('div');
		d.innerHTML = '<img src="https://example.invalid/x.png"><p style="color: red" onclick="pwned(1)">';
		document.body.append(d);
		d.querySelector('p').click();
		const s = document.createElement('script');
		s.textContent = 'pwned("inline")';
		document.body.append(s);
		const f = document.createElement('iframe');
		f.src = 'https://example.invalid/';
		document.body.append(f);
		return true;
	})()`)
	b.wait("window.violations.length >= 4")
	if eval[bool](b, "(async () => { try { await fetch('https://example.invalid/'); return true; } catch { return false; } })()") {
		t.Error("a request to elsewhere was made")
	}
	got := strings.Join(eval[[]string](b, "window.violations"), "\n")
	for _, want := range []string{"img-src", "script-src", "frame-src", "connect-src", "style-src"} {
		if !strings.Contains(got, want) {
			t.Errorf("no violation of %s in:\n%s", want, got)
		}
	}
	b.mu.Lock()
	b.forgive = append(b.forgive, "request to elsewhere") // refused before it is sent, and told of all the same
	b.mu.Unlock()
}

// TestToken: the page asks for a token when the server wants one, keeps it for the tab, and takes it from the address without leaving it there.
func TestToken(t *testing.T) {
	const token = "0123456789abcdef-secret"
	w := newServed(t, serve.Options{Token: token})
	b := w.open(t, "#/documents")
	b.allow("401")
	b.sees("dialog h2", "asks for a token")
	b.keys("wrong" + kb.Enter)
	b.sees("dialog", "not the right one")
	b.keys(token + kb.Enter)
	b.sees("table", "FS 12.401")
	b.clickText("a.title", "FS 12.401 Cell search procedure")
	b.wait("document.querySelector('.sheet canvas')")

	c := w.open(t, "#token="+token+"&/documents")
	c.sees("table", "FS 12.401")
	if h := c.hash(); strings.Contains(h, token) {
		t.Errorf("the token stays in the address: %s", h)
	}
}

// TestSave: the file of a document is saved by keyboard, also from a server that asks for a token, and leaves memory afterwards.
func TestSave(t *testing.T) {
	const token = "0123456789abcdef-secret"
	w := newServed(t, serve.Options{Token: token})
	b := w.open(t, "#token="+token+"&/documents")
	to := b.downloads()
	b.sees("table", "FS 12.401")
	b.clickText("a.title", "FS 12.401 Cell search procedure")
	b.wait("document.querySelector('.sheet canvas')")
	eval[bool](b, `(() => {
		const { fetch: get, URL: { createObjectURL: made, revokeObjectURL: freed } } = window;
		window.asked = [];
		window.blobs = [];
		window.fetch = (url, init) => (String(url).endsWith('/file') && asked.push(init.headers.Authorization), get(url, init));
		URL.createObjectURL = (b) => { const url = made.call(URL, b); blobs.push(url); return url; };
		URL.revokeObjectURL = (url) => { blobs.splice(blobs.indexOf(url), 1, 'freed'); freed.call(URL, url); };
		return true;
	})()`)
	b.tabTo("Save")
	b.keys(kb.Enter)
	b.wait("blobs.length === 1")
	if on := b.focused(); on != "Save" {
		t.Errorf("the focus is on %q after saving", on)
	}
	b.wait("blobs[0] === 'freed'")
	if got := eval[[]string](b, "asked"); !slices.Equal(got, []string{"Bearer " + token}) {
		t.Errorf("the file was asked for with %q", got)
	}
	name, got := saved(t, to, ".pdf")
	want, err := os.ReadFile(filepath.Join("../../testdata/papers", name))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("saved %d bytes as %q, want %d: %v", len(got), name, len(want), err)
	}
}
