package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/proving"
	"github.com/findspot/findspot/skill/evidence"
)

// TestShelf: copies are served under addresses of their own, in parts too, and the oldest go when there is no room.
func TestShelf(t *testing.T) {
	pdf, err := os.ReadFile(filepath.Join("..", "testdata", "papers", "pss-detection.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	request := func(pdf []byte, text string) findspot.MarkRequest {
		return findspot.MarkRequest{Doc: evidence.Place{Doc: "1", Name: "deep/pss.pdf"}, PDF: pdf, Texts: []string{text}}
	}
	copies := newShelf(int64(len(pdf)) * 5 / 2) // room for two
	o := copies.options(proving.New(nil))
	mux := http.NewServeMux()
	mux.Handle("GET /marked/{id}", copies)
	get := func(address, part string) *http.Response {
		r := httptest.NewRequest("GET", address, nil)
		if part != "" {
			r.Header.Set("Range", part)
		}
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		return w.Result()
	}
	var where []string
	for range 3 {
		got, err := o.Mark(t.Context(), request(pdf, "noise floor"))
		if err != nil || !strings.HasPrefix(got.Where, "/marked/") {
			t.Fatalf("%+v, %v", got, err)
		}
		where = append(where, got.Where)
	}
	if res := get(where[0], ""); res.StatusCode != http.StatusNotFound {
		t.Errorf("the oldest: %s", res.Status)
	}
	res := get(where[2], "")
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "application/pdf" || !strings.Contains(res.Header.Get("Content-Disposition"), "pss-marked.pdf") || !bytes.HasPrefix(body, pdf) || len(body) == len(pdf) {
		t.Errorf("the newest: %s, %v, %d bytes, %v", res.Status, res.Header, len(body), err)
	}
	if res := get(where[2], "bytes=10-19"); res.StatusCode != http.StatusPartialContent {
		t.Errorf("a part: %s", res.Status)
	}
	if res := get("/marked/1", ""); res.StatusCode != http.StatusNotFound {
		t.Errorf("no copy: %s", res.Status)
	}
	if newShelf(0).options(nil) != nil {
		t.Error("nobody marks, and there is a tool")
	}
	if _, err := newShelf(1000).options(proving.New(nil)).Mark(t.Context(), request(pdf, "noise floor")); !errors.Is(err, findspot.ErrTooLarge) {
		t.Errorf("no room at all: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	copies.places <- struct{}{}
	copies.places <- struct{}{}
	if _, err := o.Mark(ctx, request(pdf, "noise floor")); !errors.Is(err, context.Canceled) {
		t.Errorf("who waits and leaves: %v", err)
	}
}
