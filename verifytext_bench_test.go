package findspot_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill/evidence"
)

// BenchmarkVerifyText checks an answer of sentences that cite whole pages, ten a page, as people cite.
func BenchmarkVerifyText(b *testing.B) {
	papers := filepath.Join("examples", "testdata", "papers")
	ws, err := findspot.Open(b.Context(), b.TempDir(), nil)
	if err != nil {
		b.Fatal(err)
	}
	defer ws.Close()
	lib, err := ws.Docs(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for _, err := range lib.AddAll(b.Context(), docsearch.Files(papers)) {
		if err != nil {
			b.Fatal(err)
		}
	}
	text := citingPages(b, ws)
	folders, err := findspot.OpenFolders([]string{papers}, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer folders.Close()
	for name, verify := range map[string]func() (*evidence.TextCheck, error){
		"index":   func() (*evidence.TextCheck, error) { return ws.VerifyText(b.Context(), text, nil) },
		"folders": func() (*evidence.TextCheck, error) { return folders.VerifyText(b.Context(), text, nil) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				rep, err := verify()
				if err != nil {
					b.Fatal(err)
				}
				n = len(rep.Sentences)
			}
			b.ReportMetric(float64(n), "sentences")
		})
	}
}

// citingPages is an answer of sentences of the documents, each of which cites its page.
func citingPages(tb testing.TB, ws *findspot.Workspace) string {
	tb.Helper()
	lib, err := ws.Docs(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	list, err := lib.List(tb.Context(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	var out strings.Builder
	for _, d := range list.Documents {
		for p := 1; p <= d.Pages; p++ {
			page, err := ws.Text(tb.Context(), evidence.Place{Doc: d.ID, Page: p})
			if err != nil {
				tb.Fatal(err)
			}
			n := 0
			for _, s := range evidence.Sentences(page) {
				text := strings.Join(strings.Fields(s.Text), " ")
				if len(text) < 40 || len(text) > 300 || !strings.HasSuffix(text, ".") || strings.ContainsAny(text, "[]\"") {
					continue
				}
				fmt.Fprintf(&out, "%s [%s p. %d].\n", strings.TrimSuffix(text, "."), d.Name, p)
				if n++; n == 10 {
					break
				}
			}
		}
	}
	return out.String()
}
