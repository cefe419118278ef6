package evidence_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill/evidence"
)

// readPages reads a PDF, at most so many pages; what cannot be read is left out.
func readPages(t testing.TB, path string, most int) (out []string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := pdf.New(nil).Open(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil
	}
	defer doc.Close()
	for p, err := range doc.Pages(t.Context(), 1, most) {
		if p == nil || err != nil {
			out = append(out, "")
			continue
		}
		out = append(out, p.Text)
	}
	return out
}

// trueQuotes takes sentences out of a page, of six words and more.
func trueQuotes(page string, most int) (out []string) {
	for _, s := range evidence.Sentences(page) {
		n := utf8.RuneCountInString(s.Text)
		if n >= 40 && n <= 400 && len(strings.Fields(s.Text)) >= 6 && len(out) < most && !strings.ContainsFunc(s.Text, odd) {
			out = append(out, s.Text)
		}
	}
	return out
}

// odd are characters of broken fonts.
func odd(r rune) bool {
	return r == utf8.RuneError || unicode.Is(unicode.Co, r) || r < ' ' && r != '\n' && r != '\t'
}

// attackPages runs every attack and every noise on the quotes of the pages.
func attackPages(t *testing.T, pages []string, perPage int, refused, accepted *report) {
	r := rand.New(rand.NewPCG(7, 5))
	src := pageSource{}
	type place struct {
		it     evidence.Item
		page   string
		quotes []string
	}
	var places []place
	for i, p := range pages {
		at := evidence.Place{Doc: "d", Page: i + 1}
		src[at] = p
		if qs := trueQuotes(p, perPage); len(qs) > 0 {
			places = append(places, place{evidence.Item{Key: "D1", At: at}, p, qs})
		}
	}
	for i, p := range places {
		squeezed := squeeze(p.page)
		other := places[(i+1)%len(places)].quotes[0]
		for _, q := range p.quotes {
			for _, n := range noises() {
				noisy := n.make(r, q)
				err := evidence.VerifyQuote(t.Context(), src, p.it, noisy)
				accepted.add(n.name, err == nil, fmt.Sprint(err))
			}
			flat := strings.Join(strings.Fields(q), " ")
			for _, a := range attacks() {
				bad := a.make(r, flat, other)
				if bad == "" || bad == flat || !a.spaced && strings.Contains(squeezed, squeeze(bad)) {
					continue // nothing to attack, or true elsewhere on the page
				}
				if a.spaced && (strings.Contains(p.page, bad) || strings.Contains(strings.Join(strings.Fields(p.page), " "), bad) && !strings.HasPrefix(a.name, "trunc")) {
					continue
				}
				err := evidence.VerifyQuote(t.Context(), src, p.it, bad)
				var qe *evidence.QuoteError
				refused.add(a.name, errors.As(err, &qe), fmt.Sprintf("%q is taken for %q", bad, flat))
			}
		}
	}
}

// TestQuoteAttacks attacks the quotes of our own papers. Its numbers are in docs/bench/skills.md.
func TestQuoteAttacks(t *testing.T) {
	var refused, accepted report
	var pages []string
	for _, name := range []string{"fs-12.401-cell-search", "pss-detection", "sync-raster"} {
		pages = append(pages, readPages(t, filepath.Join("..", "..", "examples", "testdata", "papers", name+".pdf"), 0)...)
	}
	attackPages(t, pages, 40, &refused, &accepted)
	checkAttacks(t, "attacks.txt", &refused, &accepted, 300, 300)
}

// TestQuoteAttacksOnPublicPapers does the same with PDFs of many producers.
func TestQuoteAttacksOnPublicPapers(t *testing.T) {
	need.NoRace(t)
	if testing.Short() {
		t.Skip("reads many documents")
	}
	corpus := need.Shared(t, "pdf", "corpus")
	files, err := filepath.Glob(filepath.Join(corpus, "*.pdf"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	var refused, accepted report
	for _, f := range files {
		attackPages(t, readPages(t, f, 6), 4, &refused, &accepted)
	}
	checkAttacks(t, "attacks-shared.txt", &refused, &accepted, 3000, 1000)
}

func checkAttacks(t *testing.T, file string, refused, accepted *report, wantAttacks, wantTrue int) {
	t.Helper()
	if good, of := refused.total(); good != of || of < wantAttacks || len(refused.names) < 10 {
		t.Errorf("%d of %d attacks were refused, want all of %d or more\n%s", good, of, wantAttacks, strings.Join(refused.odd, "\n"))
	}
	if good, of := accepted.total(); good*100 < of*99 || of < wantTrue {
		t.Errorf("%d of %d true quotes were accepted, want 99 %% of %d or more\n%s", good, of, wantTrue, strings.Join(accepted.odd, "\n"))
	}
	golden.Compare(t, filepath.Join("testdata", file), []byte("# attacks refused\n"+refused.String()+"\n# true quotes accepted\n"+accepted.String()))
}

// TestQuotesOfAnotherReader takes quotes from what another program reads on the same pages.
func TestQuotesOfAnotherReader(t *testing.T) {
	need.NoRace(t)
	if testing.Short() {
		t.Skip("reads many documents")
	}
	f, err := os.Open(need.Shared(t, "pdf", "silver.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var got, back report
	differ := 0
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var d struct {
			File    string
			Pymupdf []string
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		theirs := d.Pymupdf[:min(len(d.Pymupdf), 6)]
		if len(theirs) == 0 {
			continue
		}
		ours := readPages(t, filepath.Join(need.Shared(t, "pdf", "corpus"), d.File), len(theirs))
		for i := range min(len(ours), len(theirs)) {
			at := evidence.Place{Doc: "d", Page: i + 1}
			for _, way := range []struct {
				from, in string
				rep      *report
				name     string
			}{{theirs[i], ours[i], &got, "their quotes in our text"}, {ours[i], theirs[i], &back, "our quotes in their text"}} {
				squeezed := squeeze(way.in)
				for _, q := range trueQuotes(way.from, 6) {
					if !strings.Contains(squeezed, squeeze(q)) {
						differ++ // another order or other letters: no noise of typesetting
						continue
					}
					err := evidence.VerifyQuote(t.Context(), pageSource{at: way.in}, evidence.Item{Key: "D1", At: at}, q)
					way.rep.add(way.name, err == nil, fmt.Sprintf("%s p. %d: %v", d.File, i+1, err))
				}
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for _, rep := range []*report{&got, &back} {
		if good, of := rep.total(); good*100 < of*99 || of < 1000 {
			t.Errorf("%d of %d, want 99 %% of 1000 or more", good, of)
		}
		t.Log("\n" + strings.Join(rep.odd, "\n"))
	}
	golden.Compare(t, filepath.Join("testdata", "readers.txt"),
		fmt.Appendf(nil, "%s%sread otherwise (order, letters)    %6d\n", got.String(), back.String(), differ))
}
