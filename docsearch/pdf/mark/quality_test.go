package mark_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/docsearch/pdf/mark"
	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/need"
)

const quotes = 200 // that TestQuality marks

// sentence is what is taken for one here: up to a stop behind which a capital follows.
var sentence = regexp.MustCompile(`(?s)[A-Z][a-z][^.!?\f]{20,}?[.!?](?:\s|$)`)

// A sample is a sentence of a page, as our reader has it.
type sample struct {
	page  int
	text  string
	lines int
}

// samples are the sentences of a document that may be drawn.
func samples(t *testing.T, data []byte) (out []sample) {
	t.Helper()
	doc, err := pdf.New(&pdf.Options{Plain: true}).Open(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil // another test's matter
	}
	defer doc.Close()
	for p, err := range doc.Pages(t.Context(), 1, 60) {
		if err != nil || p == nil {
			continue
		}
		for _, s := range sentence.FindAllString(p.Text, -1) {
			s = strings.TrimSpace(s)
			if n := len(strings.Fields(s)); n >= 4 && n <= 40 && strings.Count(p.Text, s) == 1 {
				out = append(out, sample{p.Number, s, strings.Count(s, "\n")})
			}
		}
	}
	return out
}

// TestQuality marks sentences of the corpus, drawn by a fixed seed, and compares the words that Poppler finds under the marks of the written
// files with those of the sentences. The golden file has the share, which may not sink below .99.
func TestQuality(t *testing.T) {
	need.NoRace(t)
	p := needPoppler(t)
	files, err := filepath.Glob(filepath.Join(need.Shared(t, "pdf", "corpus"), "*.pdf"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	slices.Sort(files)
	r := rand.New(rand.NewPCG(20261126, 7))
	r.Shuffle(len(files), func(i, k int) { files[i], files[k] = files[k], files[i] })
	dir := t.TempDir()
	var drawn, over, hyphens, docs, other, right, want int
	exact := 0
	for _, file := range files {
		if drawn == quotes {
			break
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list := samples(t, data)
		r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
		var chosen []sample
		var marks []mark.Mark
		for _, s := range list[:min(len(list), 12)] {
			// What Poppler reads otherwise, or reads into other words, says nothing of where the marks lie.
			have := p.words(t, file, s.page)
			var texts []string
			for _, w := range have {
				texts = append(texts, w.text)
			}
			if words := letters([]string{s.text}); common(letters(texts), words) < len(words) {
				other++
				continue
			}
			if chosen = append(chosen, s); len(chosen) == min(5, quotes-drawn) {
				break
			}
		}
		if len(chosen) == 0 {
			continue
		}
		for i, s := range chosen {
			marks = append(marks, mark.Mark{Key: fmt.Sprintf("D%d", i+1), Text: strings.Join(strings.Fields(s.text), " "), Page: s.page})
		}
		var out bytes.Buffer
		rep, err := mark.Write(t.Context(), &out, bytes.NewReader(data), int64(len(data)), marks, nil)
		if err != nil {
			t.Logf("%s is refused: %v", filepath.Base(file), err)
			continue
		}
		if !bytes.HasPrefix(out.Bytes(), data) {
			t.Errorf("%s: the original is not the beginning of what was written", filepath.Base(file))
		}
		marked := filepath.Join(dir, "marked.pdf")
		if err := os.WriteFile(marked, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		docs++
		quads := written(t, out.String()[rep.Original:])
		for i, s := range chosen {
			words := letters([]string{s.text})
			got := letters(under(p.words(t, marked, s.page), quads[fmt.Sprintf("findspot-%d-1", i+1)]))
			n := common(words, got)
			drawn, right, want = drawn+1, right+n, want+max(len(words), len(got))
			if s.lines > 0 {
				over++
			}
			if regexp.MustCompile(`\w-\n`).MatchString(s.text) {
				hyphens++
			}
			if n == max(len(words), len(got)) {
				exact++
			} else {
				t.Logf("%s p. %d: %q\n\twords under the marks: %q (%s)", filepath.Base(file), s.page, s.text, got, rep.Marks[i].Missing)
			}
		}
	}
	if drawn != quotes {
		t.Fatalf("%d quotes were drawn, want %d", drawn, quotes)
	}
	share := float64(right) / float64(want)
	if share < .99 {
		t.Errorf("share of words under the marks that are those of the quotes: %.4f, want .99", share)
	}
	golden.Compare(t, "testdata/quality.txt", fmt.Appendf(nil, "%d quotes of %d documents, %d of them over line ends, %d with a hyphen there; %d more were read otherwise by Poppler\n"+
		"words under the marks: %.4f\nquotes with exactly their words: %d\n", drawn, docs, over, hyphens, other, share, exact))
}
