package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed assets
var embedded embed.FS

// policy lets the page load and run its own files and nothing else. Pictures and fonts of documents are made by pdf.js and come as blobs and data.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// workerPolicy is that of pdf.js's worker, which has no page and decodes two kinds of images with WebAssembly.
const workerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'"

const worker = "assets/pdfjs/pdf.worker.min.mjs"

// types are content types by the endings of the files; the system's own table may have others.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".wasm": "application/wasm",
}

// A file is one of the embedded files.
type file struct {
	data []byte
	etag string
	kind string
}

// Handler serves the page at / and its files below /assets/. Other paths are not found. Where it is mounted below a prefix, strip the prefix first.
func Handler() http.Handler {
	files := read()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "assets/index.html"
		}
		f, ok := files[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the page is only read", http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		if name == worker {
			h.Set("Content-Security-Policy", workerPolicy)
		}
		h.Set("Content-Type", f.kind)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
		h.Set("Cache-Control", "no-cache") // asked for each time, and answered with 304: a new version is seen at once
		h.Set("Etag", f.etag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
	})
}

func read() map[string]file {
	files := map[string]file{}
	err := fs.WalkDir(embedded, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		kind, ok := types[path.Ext(name)]
		if !ok {
			kind = "application/octet-stream"
		}
		files[name] = file{data: data, etag: `"` + hex.EncodeToString(sum[:12]) + `"`, kind: kind}
		return nil
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	return files
}
