package page

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, method, target string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func TestHandler(t *testing.T) {
	for _, tt := range []struct {
		method, target string
		code           int
		kind           string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8"},
		{"HEAD", "/", 200, "text/html; charset=utf-8"},
		{"GET", "/assets/js/main.js", 200, "text/javascript; charset=utf-8"},
		{"GET", "/assets/css/base.css", 200, "text/css; charset=utf-8"},
		{"GET", "/assets/icon.svg", 200, "image/svg+xml"},
		{"GET", "/assets/pdfjs/pdf.min.mjs", 200, "text/javascript; charset=utf-8"},
		{"GET", "/assets/pdfjs/wasm/openjpeg.wasm", 200, "application/wasm"},
		{"GET", "/assets/pdfjs/cmaps/H.bcmap", 200, "application/octet-stream"},
		{"POST", "/", 405, ""},
		{"GET", "/assets/", 404, ""},
		{"GET", "/assets/none.js", 404, ""},
		{"GET", "/assets/../page.go", 404, ""},
		{"GET", "/assets/js/../js/main.js", 404, ""},
		{"GET", "/index.html", 404, ""},
		{"GET", "/elsewhere", 404, ""},
	} {
		res := get(t, tt.method, tt.target)
		if res.StatusCode != tt.code {
			t.Errorf("%s %s = %d, want %d", tt.method, tt.target, res.StatusCode, tt.code)
		} else if kind := res.Header.Get("Content-Type"); tt.kind != "" && kind != tt.kind {
			t.Errorf("%s %s is %q, want %q", tt.method, tt.target, kind, tt.kind)
		}
	}
}

func TestHeaders(t *testing.T) {
	for target, policy := range map[string]string{
		"/":                                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"/assets/js/main.js":               "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		"/assets/pdfjs/pdf.worker.min.mjs": "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'",
	} {
		h := get(t, "GET", target).Header
		if got := h.Get("Content-Security-Policy"); got != policy {
			t.Errorf("%s: policy %q, want %q", target, got, policy)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s: headers %v", target, h)
		}
	}
}

func TestUnchangedIsNotSentAgain(t *testing.T) {
	tag := get(t, "GET", "/assets/js/main.js").Header.Get("Etag")
	if res := get(t, "GET", "/assets/js/main.js", "If-None-Match", tag); tag == "" || res.StatusCode != http.StatusNotModified {
		t.Errorf("with the tag %s: %d, want 304", tag, res.StatusCode)
	}
}

// own calls f for each file that is ours, and not pdf.js's.
func own(t *testing.T, f func(name, text string)) {
	t.Helper()
	err := fs.WalkDir(embedded, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, "assets/pdfjs/") {
			return err
		}
		data, err := embedded.ReadFile(name)
		f(name, string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNothingBecomesMarkup: what would parse text as markup, or run it, is not written anywhere.
func TestNothingBecomesMarkup(t *testing.T) {
	bad := regexp.MustCompile(`\b(innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|setHTMLUnsafe|srcdoc|eval|Function|execCommand)\b|document\.write|\bimport\([^)]*\+|javascript:`)
	own(t, func(name, text string) {
		for i, line := range strings.Split(text, "\n") {
			if found := bad.FindString(line); found != "" && !strings.HasPrefix(strings.TrimSpace(line), "//") {
				t.Errorf("%s:%d has %s", name, i+1, found)
			}
		}
		if path.Ext(name) == ".html" && regexp.MustCompile(`(?i)\s(on\w+|style)=|<script>|https?://`).MatchString(text) {
			t.Errorf("%s has a handler, a style or a script of its own, or an address elsewhere", name)
		}
	})
}

// TestFilesAreThere: every file that one names is embedded, and none is long.
func TestFilesAreThere(t *testing.T) {
	index, err := embedded.ReadFile("assets/index.html")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`(?:from|href=|src=)\s*['"]([^'"#]+\.(?:js|mjs|css|svg))['"]`)
	own(t, func(name, text string) {
		if lines := strings.Count(text, "\n"); lines > 600 {
			t.Errorf("%s has %d lines", name, lines)
		}
		// Modules are asked for at once, not one after the other as they name each other.
		if path.Ext(name) == ".js" && !strings.Contains(string(index), `="`+name+`"`) {
			t.Errorf("index.html does not load %s beforehand", name)
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			to := path.Join(path.Dir(name), m[1])
			if path.Ext(name) == ".html" {
				to = m[1]
			}
			if _, err := fs.Stat(embedded, to); err != nil {
				t.Errorf("%s names %s: %v", name, m[1], err)
			}
		}
	})
}

// TestPDFJS: the version that README.md names, with its licence, and not much larger than it was when it was chosen.
func TestPDFJS(t *testing.T) {
	const version = "6.5.438"
	for _, name := range []string{"pdf.min.mjs", "pdf.worker.min.mjs", "README.md"} {
		data, err := embedded.ReadFile("assets/pdfjs/" + name)
		if err != nil || !strings.Contains(string(data), version) {
			t.Errorf("%s does not name version %s (%v)", name, version, err)
		}
	}
	for _, name := range []string{"LICENSE", "cmaps/LICENSE", "fonts/LICENSE_FOXIT", "wasm/LICENSE_OPENJPEG", "wasm/LICENSE_JBIG2"} {
		if _, err := fs.Stat(embedded, "assets/pdfjs/"+name); err != nil {
			t.Error(err)
		}
	}
	var all, ours int64
	err := fs.WalkDir(embedded, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		all += info.Size()
		if !strings.HasPrefix(name, "assets/pdfjs/") {
			ours += info.Size()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the page is %d kB, %d kB of them ours", all/1000, ours/1000)
	if all > 3_500_000 || ours > 250_000 {
		t.Errorf("the page has grown to %d bytes, %d of them ours", all, ours)
	}
}
