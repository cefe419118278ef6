package blevestore_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/internal/text"
)

var boostSteps = []float64{0, .1, .2, .3, .5, .8}

// TestBoosts prints what each weight of a title, of headings and of captions finds, the other two at their defaults, where FINDSPOT_BOOSTS says how many
// questions of each sort are asked about places. Titles: nDCG@10 on the shared sets. Headings and captions: the shared PDFs, with words taken from a known place in
// random order, so that no phrase tells; MRR of the document, where one of what it shows lies at that place.
func TestBoosts(t *testing.T) {
	if os.Getenv("FINDSPOT_BOOSTS") == "" {
		t.Skip("FINDSPOT_BOOSTS is not set")
	}
	t.Run("titles", boostTitles)
	t.Run("headings and captions", boostPlaces)
}

func boostTitles(t *testing.T) {
	root := need.Shared(t, "relevance")
	var all [6]float64
	for _, name := range relevanceSets {
		set := readSet(t, filepath.Join(root, name))
		lib, err := blevestore.Open(t.Context(), t.TempDir(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer lib.Close()
		corpus, err := os.Open(filepath.Join(root, name, "corpus.jsonl.gz"))
		if err != nil {
			t.Fatal(err)
		}
		defer corpus.Close()
		for d, err := range lib.AddAll(t.Context(), docsearch.JSONLines("corpus.jsonl.gz", name, corpus)) {
			if err != nil && !strings.Contains(err.Error(), "no text") {
				t.Fatal(d, err)
			}
		}
		report := ""
		for i, w := range boostSteps {
			b := docsearch.Boosts{Title: 0.3, Headings: 0.2, Captions: 0.2} // the defaults
			b.Title = w
			got := score(t, set, lib, &docsearch.SearchOptions{Literal: true, Boosts: &b})
			all[i] += got / float64(len(relevanceSets))
			report += fmt.Sprintf("  %.1f: %.4f", w, got)
		}
		t.Logf("%-10s%s", name, report)
	}
	t.Logf("mean of %v: %.4f", boostSteps, all)
}

// A known is a question whose answer is known: a document, and in it a page or some lines.
type known struct {
	doc   string
	page  int
	lines extract.Lines
	words string
}

func (q *known) answered(h *docsearch.Hit) bool {
	if h.Name != q.doc {
		return false
	}
	if q.page == 0 {
		return slices.ContainsFunc(h.Passages, func(p docsearch.Passage) bool {
			return p.LineStart <= q.lines.Last && p.LineEnd >= q.lines.First
		})
	}
	return slices.ContainsFunc(h.Passages, func(p docsearch.Passage) bool { return p.Page == q.page }) ||
		slices.ContainsFunc(h.Figures, func(f docsearch.FigureHit) bool { return f.Page == q.page }) ||
		slices.ContainsFunc(h.Tables, func(f docsearch.TableHit) bool { return f.Page == q.page })
}

// contentWords returns the content words of a text, each once.
func contentWords(s string) []string {
	var out []string
	for _, tok := range text.Tokens(s) {
		if !tok.Stop && len(tok.Word) > 2 && !slices.Contains(out, tok.Word) {
			out = append(out, tok.Word)
		}
	}
	return out
}

func boostPlaces(t *testing.T) {
	most, err := strconv.Atoi(os.Getenv("FINDSPOT_BOOSTS"))
	if err != nil {
		t.Fatal(err)
	}
	root := need.Shared(t, "pdf", "corpus")
	files, err := filepath.Glob(filepath.Join(root, "*.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	var docs recorded
	lib, err := blevestore.Open(t.Context(), t.TempDir(), &blevestore.Options{Options: docsearch.Options{
		Extractors: map[string]extract.Extractor{".rec": &docs},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	r := rand.New(rand.NewPCG(7, 8))
	some := func(words []string, n int) []string {
		words = slices.Clone(words)
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		return words[:min(n, len(words))]
	}
	names := [4]string{"headings", "heading+text", "captions", "text"}
	var asked [4][]known
	add := func(kind int, q known, words []string) {
		q.words = strings.Join(some(words, len(words)), " ")
		asked[kind] = append(asked[kind], q)
	}
	x := pdf.New(nil)
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d, err := x.Open(t.Context(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			continue // broken and locked files are among them
		}
		var pages []*extract.Page
		for p, err := range d.Pages(t.Context(), 1, 60) { // a long one must not outweigh the others
			if err == nil {
				pages = append(pages, p)
			}
		}
		d.Close()
		docs = append(docs, pages)
		id := fmt.Sprintf("%d.rec", len(docs)-1)
		added, err := lib.Add(t.Context(), docsearch.Bytes(id, []byte(fmt.Sprint(len(docs)-1))))
		if err != nil {
			continue // no text
		}
		perDoc := [4]int{}
		for _, p := range pages {
			var captions []string
			for _, f := range p.Figures {
				captions = append(captions, f.Caption)
			}
			for _, f := range p.Tables {
				captions = append(captions, f.Caption)
			}
			for _, c := range captions {
				if ws := contentWords(c); len(ws) >= 4 && perDoc[2] < 8 {
					perDoc[2]++
					add(2, known{doc: id, page: p.Number}, some(ws, 3))
				}
			}
			if ws := contentWords(p.Text); len(ws) >= 60 && perDoc[3] < 4 {
				perDoc[3]++
				at := r.IntN(len(ws) - 20)
				add(3, known{doc: id, page: p.Number}, some(ws[at:at+20], 4))
			}
		}
		sections, err := lib.Sections(t.Context(), added.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range sections {
			last := s.Lines.Last
			if i+1 < len(sections) && sections[i+1].Lines.First <= last {
				last = sections[i+1].Lines.First - 1
			}
			head := contentWords(s.Title)
			if len(head) < 2 || last-s.Lines.First < 8 || r.IntN(2) == 0 {
				continue
			}
			q := known{doc: id, lines: extract.Lines{First: s.Lines.First, Last: last}}
			if perDoc[0] < 8 {
				perDoc[0]++
				add(0, q, head)
			}
			v, err := lib.View(t.Context(), added.ID, docsearch.Lines{First: s.Lines.First + 1 + (last-s.Lines.First)/2, Last: last})
			if err != nil {
				t.Fatal(err)
			}
			if ws := contentWords(v.Text); len(ws) >= 12 && perDoc[1] < 8 {
				perDoc[1]++
				at := r.IntN(len(ws) - 11)
				add(1, q, append(some(head, 2), some(ws[at:at+12], 2)...))
			}
		}
	}
	for i, qs := range asked {
		qs = slices.Clone(qs)
		r.Shuffle(len(qs), func(i, j int) { qs[i], qs[j] = qs[j], qs[i] })
		asked[i] = qs[:min(most, len(qs))]
		t.Logf("%d questions of %s", len(asked[i]), names[i])
	}
	for _, field := range []string{"headings", "captions"} {
		for _, w := range boostSteps {
			b := docsearch.Boosts{Title: 0.3, Headings: 0.2, Captions: 0.2} // the defaults
			if field == "headings" {
				b.Headings = w
			} else {
				b.Captions = w
			}
			report, mean := "", 0.0
			for i, qs := range asked {
				mrr := 0.0
				for _, q := range qs {
					res, err := lib.Search(t.Context(), q.words, &docsearch.SearchOptions{Literal: true, Boosts: &b})
					if err != nil {
						t.Fatal(err)
					}
					if at := slices.IndexFunc(res.Hits, func(h docsearch.Hit) bool { return q.answered(&h) }); at >= 0 {
						mrr += 1 / float64(at+1)
					}
				}
				mrr /= float64(max(1, len(qs)))
				mean += mrr / float64(len(asked))
				report += fmt.Sprintf("  %s %.3f", names[i], mrr)
			}
			t.Logf("%s %.1f: mean %.3f%s", field, w, mean, report)
		}
	}
}
