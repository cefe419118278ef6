package blevestore_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/text"
)

// recorded is an extractor that gives the pages of documents read before: the bytes are the number of the document.
type recorded [][]*extract.Page

type recordedDoc []*extract.Page

func (recorded) Version() string { return "recorded" }

func (r recorded) Open(_ context.Context, in io.ReaderAt, size int64) (extract.Doc, error) {
	b, err := io.ReadAll(io.NewSectionReader(in, 0, size))
	if err != nil {
		return nil, err
	}
	var n int
	if _, err := fmt.Sscan(string(b), &n); err != nil {
		return nil, err
	}
	return recordedDoc(r[n]), nil
}

func (d recordedDoc) Meta() extract.Meta { return extract.Meta{Pages: len(d)} }
func (d recordedDoc) Close() error       { return nil }
func (d recordedDoc) Pages(context.Context, int, int) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		for _, p := range d {
			if !yield(p, nil) {
				return
			}
		}
	}
}

// TestChunking prints how well passages are found under each rule of cutting, in the PDFs of the folder FINDSPOT_CHUNKING. A query is every second content
// word of a run of 16 to 24 from a random page, in random order, so that no phrase tells; the answer is right where a passage shown lies on that page.
// MRR is the mean of one over the rank of the document when one of its three passages is right, and "first" how often the first passage of
// the first document is.
func TestChunking(t *testing.T) {
	dir := os.Getenv("FINDSPOT_CHUNKING")
	if dir == "" {
		t.Skip("FINDSPOT_CHUNKING names no folder of PDFs")
	}
	var docs recorded
	x := pdf.New(nil)
	files, err := filepath.Glob(filepath.Join(dir, "*.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		d, err := x.Open(t.Context(), f, info.Size())
		if err != nil {
			t.Fatal(name, err)
		}
		var all []*extract.Page
		for p, err := range d.Pages(t.Context(), 1, 0) {
			if err == nil {
				all = append(all, &extract.Page{Number: p.Number, Text: p.Text, Headings: p.Headings})
			}
		}
		d.Close()
		docs, pages = append(docs, all), pages+len(all)
	}
	type question struct {
		doc, page int
		words     string
	}
	r := rand.New(rand.NewPCG(5, 6))
	var questions []question
	for len(questions) < 400 {
		n := r.IntN(len(docs))
		p := docs[n][r.IntN(len(docs[n]))]
		var words []string
		for _, tok := range text.Tokens(p.Text) {
			if !tok.Stop && len(tok.Word) > 2 {
				words = append(words, tok.Word)
			}
		}
		size := 16 + r.IntN(9)
		if len(words) < 100 {
			continue
		}
		at := r.IntN(len(words) - size)
		var some []string
		for i := at + r.IntN(2); i < at+size; i += 2 {
			some = append(some, words[i])
		}
		r.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		questions = append(questions, question{n, p.Number, strings.Join(some, " ")})
	}
	t.Logf("%d documents, %d pages, %d questions", len(docs), pages, len(questions))
	for _, s := range []chunk.Splitter{
		chunk.Fixed(nil), chunk.Fixed(&chunk.FixedOptions{Runes: 1500}), chunk.Sentences(nil), chunk.Sentences(&chunk.SentencesOptions{Runes: 1500}),
		chunk.Sections(&chunk.SectionsOptions{Runes: 3000}), chunk.Sections(nil), chunk.Sections(&chunk.SectionsOptions{Overlap: -1}),
		chunk.Sections(&chunk.SectionsOptions{Runes: 1000}),
	} {
		lib, err := blevestore.Open(t.Context(), t.TempDir(), &blevestore.Options{Options: docsearch.Options{
			Splitter: s, Extractors: map[string]extract.Extractor{".rec": docs},
		}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range docs {
			if _, err := lib.Add(t.Context(), docsearch.Bytes(fmt.Sprintf("%d.rec", i), []byte(fmt.Sprint(i)))); err != nil {
				t.Fatal(err)
			}
		}
		var mrr, first float64
		chunks := 0
		for _, q := range questions {
			res, err := lib.Search(t.Context(), q.words, &docsearch.SearchOptions{Literal: true, Tiers: []docsearch.Tier{docsearch.TierAny}})
			if err != nil {
				t.Fatal(err)
			}
			chunks = res.Searched.Chunks
			for i, h := range res.Hits {
				if h.Name != fmt.Sprintf("%d.rec", q.doc) {
					continue
				}
				for j, p := range h.Passages {
					if p.Page == q.page {
						mrr += 1 / float64(i+1)
						if i+j == 0 {
							first++
						}
						break
					}
				}
			}
		}
		n := float64(len(questions))
		t.Logf("%-50s %6d chunks  MRR %.3f  first %.3f", s.Name(), chunks, mrr/n, first/n)
		lib.Close()
	}
}
