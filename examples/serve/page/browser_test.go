package page_test

import (
	"context"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/serve"
	"github.com/findspot/findspot/examples/serve/proving"
	"github.com/findspot/findspot/internal/need"
)

// patience bounds what a test waits for; a machine that does other work as well is slow.
const patience = 90 * time.Second

// A world is a server with a workspace of its own.
type world struct {
	url string // with the slash at its end
}

// newWorld serves the documents and the repository of the examples, and what more brings.
func newWorld(t *testing.T, more ...func(context.Context, *findspot.Workspace)) *world {
	t.Helper()
	return newServed(t, serve.Options{Proof: proving.New(nil)}, more...)
}

// newServed is newWorld with options of the server, such as a token that it asks for.
func newServed(t *testing.T, o serve.Options, more ...func(context.Context, *findspot.Workspace)) *world {
	t.Helper()
	ctx := t.Context()
	feed := serve.NewFeed(nil)
	dir := t.TempDir()
	ws, err := findspot.Open(ctx, dir, &findspot.Options{
		NoServers: true, Progress: feed.Progress, Logger: feed.Logger(), Skills: []fs.FS{os.DirFS("testdata/skills")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"../../testdata/papers", "../../testdata/papers-src/sync-raster.html"} {
		for _, err := range ws.AddDocs(ctx, dir) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := ws.AddRepo(ctx, "../../testdata/receiver", nil); err != nil {
		t.Fatal(err)
	}
	for _, f := range more {
		f(ctx, ws)
	}
	o.Dir, o.Feed = dir, feed
	svc, err := serve.New(ws, &o)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(svc.Handler())
	t.Cleanup(func() {
		if err := svc.Close(); err != nil {
			t.Error(err)
		}
		srv.CloseClientConnections()
		srv.Close()
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	return &world{url: srv.URL + "/"}
}

// addText adds a document from memory.
func addText(t *testing.T, name, text string) func(context.Context, *findspot.Workspace) {
	return func(ctx context.Context, ws *findspot.Workspace) {
		lib, err := ws.Docs(ctx)
		if err == nil {
			_, err = lib.Add(ctx, docsearch.Bytes(name, []byte(text)))
		}
		if err != nil {
			t.Errorf("add %q: %v", name, err)
		}
	}
}

// browser starts Chromium once for all tests of the package; TestMain ends it.
var browser struct {
	once sync.Once
	ctx  context.Context
	end  []func()
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, f := range browser.end {
		f()
	}
	os.Exit(code)
}

func startBrowser(path string) {
	dir, err := os.MkdirTemp("", "findspot-page")
	if err != nil {
		browser.err = err
		return
	}
	alloc, stop := chromedp.NewExecAllocator(context.Background(),
		append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(dir), chromedp.NoSandbox, chromedp.DisableGPU,
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true),
			chromedp.Flag("disable-sync", true), chromedp.Flag("no-first-run", true))...)
	ctx, cancel := chromedp.NewContext(alloc)
	browser.ctx = ctx
	browser.end = []func(){func() { _ = chromedp.Cancel(ctx) }, cancel, stop, func() { _ = os.RemoveAll(dir) }}
	browser.err = chromedp.Do(ctx)
}

// A tab is an open page. What goes wrong in it without anybody asking, such as an error in a script, a violation of the policy or a request to
// elsewhere, fails the test at its end.
type tab struct {
	t      *testing.T
	ctx    context.Context
	origin string

	mu      sync.Mutex // guards those below
	wrong   []string
	forgive []string // parts of what is meant to go wrong
}

// watch notes violations of the policy, and what documents would run.
const watch = `
window.violations = [];
document.addEventListener('securitypolicyviolation', (e) => window.violations.push(e.violatedDirective + ' ' + e.blockedURI));
window.pwned = (what) => { window.ran = (window.ran || '') + what; };
`

// open opens the page at an address within it, such as "#/ask".
func (w *world) open(t *testing.T, hash string) *tab {
	t.Helper()
	return w.openSized(t, hash, 1280, 800)
}

func (w *world) openSized(t *testing.T, hash string, width, height int64) *tab {
	t.Helper()
	path := need.Tool(t, "chromium", "--version")
	browser.once.Do(func() { startBrowser(path) })
	if browser.err != nil {
		t.Fatalf("chromium does not start: %v", browser.err)
	}
	b := &tab{t: t, origin: w.url}
	ctx, cancel := chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.note))
	b.ctx = ctx
	t.Cleanup(func() {
		b.finish()
		cancel()
	})
	// The tab lives as long as the context of the first run, which therefore has no deadline.
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, height)); err != nil {
		t.Fatal(err)
	}
	call(b, log.Enable, cdp.Empty{})
	call(b, network.Enable, network.EnableParams{})
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
	b.do(chromedp.Navigate(w.url + hash))
	return b
}

func call[P, R any](b *tab, cmd cdp.Command[P, R], p P) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if _, err := chromedp.Call(ctx, cmd, p); err != nil {
		b.t.Fatalf("%s: %v", cmd.Method, err)
	}
}

func (b *tab) note(ev any) {
	what := ""
	switch e := ev.(type) {
	case *runtime.EventExceptionThrown:
		what = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			what += " " + e.ExceptionDetails.Exception.Description
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == "error" || e.Entry.Source == "security" {
			what = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *page.EventJavascriptDialogOpening:
		what = "dialog: " + e.Message
	case *network.EventRequestWillBeSent:
		to := e.Request.URL
		if !strings.HasPrefix(to, b.origin) && !strings.HasPrefix(to, "data:") && !strings.HasPrefix(to, "blob:") {
			what = "request to elsewhere: " + to
		}
	}
	if what != "" {
		b.mu.Lock()
		b.wrong = append(b.wrong, what)
		b.mu.Unlock()
	}
}

// finish fails the test for what went wrong in the tab.
func (b *tab) finish() {
	var found []string
	if !b.t.Failed() { // else the page may be anywhere
		for _, v := range eval[[]string](b, "window.violations || []") {
			found = append(found, "policy: "+v)
		}
		if ran := eval[string](b, "window.ran || ''"); ran != "" {
			found = append(found, "a document ran: "+ran)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrong = append(b.wrong, found...)
	for _, w := range b.wrong {
		meant := false
		for _, f := range b.forgive {
			meant = meant || strings.Contains(w, f)
		}
		if !meant {
			b.t.Errorf("in the page: %s", w)
		}
	}
}

// allow says what is meant to go wrong, by a part of its words.
func (b *tab) allow(parts ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forgive = append(b.forgive, parts...)
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%v at %s", err, b.where())
	}
}

func (b *tab) where() string {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	s, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("location.hash + ' ' + document.querySelector('main').innerText.slice(0, 600)"))
	return s
}

// eval gives the value of an expression, which may be a promise.
func eval[T any](b *tab, expr string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expr, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expr, err)
	}
	return v
}

// wait waits until an expression holds. Polling from here, and not in the page, survives that it is left or loaded anew.
func (b *tab) wait(expr string) {
	b.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expr+")"))
		cancel()
		if err == nil && ok {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("%s: not within %v (%v), at %s", expr, patience, err, b.where())
		}
	}
}

// sees waits until an element's text has some words.
func (b *tab) sees(sel, words string) {
	b.t.Helper()
	b.wait(fmt.Sprintf("[...document.querySelectorAll(%q)].some((e) => e.checkVisibility() && e.textContent.includes(%q))", sel, words))
}

func (b *tab) text(sel string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", sel))
}

func (b *tab) count(sel string) int {
	b.t.Helper()
	return eval[int](b, fmt.Sprintf("document.querySelectorAll(%q).length", sel))
}

func (b *tab) hash() string {
	b.t.Helper()
	return eval[string](b, "location.hash")
}

// click clicks the first element of a selector with the mouse, once it is visible and nothing around it is being made, which may move it.
func (b *tab) click(sel string) {
	b.t.Helper()
	b.wait(fmt.Sprintf("((e) => e?.checkVisibility() && !e.closest('[aria-busy]'))(document.querySelector(%q))", sel))
	b.do(chromedp.Click(chromedp.CSS(sel)))
}

// clickText clicks the first element of a selector that has these words and no others.
func (b *tab) clickText(sel, words string) {
	b.t.Helper()
	find := fmt.Sprintf("[...document.querySelectorAll(%q)].find((e) => e.checkVisibility() && e.textContent.trim() === %q)", sel, words)
	b.wait(find)
	eval[bool](b, fmt.Sprintf("(%s.click(), true)", find))
}

// fill types into a field after emptying it.
func (b *tab) fill(sel, text string) {
	b.t.Helper()
	b.wait(fmt.Sprintf("document.querySelector(%q)?.checkVisibility()", sel))
	eval[bool](b, fmt.Sprintf("(document.querySelector(%q).focus(), document.querySelector(%q).select(), true)", sel, sel))
	b.do(chromedp.KeyEvent(text))
}

// keys presses keys on what has the focus.
func (b *tab) keys(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// scheme makes the system dark or light.
func (b *tab) scheme(name string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}
