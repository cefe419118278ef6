package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
)

// The files of pairs: those that the rules were fitted on, and those that are held out.
var sets = []string{"fit", "fit2", "fit3", "fit4", "fit5", "fit6", "held", "held2", "held3"}

// The kinds, and whether a pair of this kind is right.
var kinds = map[string]bool{
	"quote": true, "close": true, "free": true, "sum": true, "table": true,
	"number": false, "unit": false, "negation": false, "comparison": false, "quantifier": false, "subject": false, "row-column": false,
	"condition": false, "tense": false, "cause": false, "part": false, "other": false, "relation": false, "truncated": false, "invented": false,
}

func TestPairs(t *testing.T) {
	docs := map[string]string{}
	paths, err := filepath.Glob("corpus/*.md")
	if err != nil || len(paths) < 14 {
		t.Fatalf("corpus: %d documents, %v", len(paths), err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		docs[filepath.Base(p)] = string(text)
	}

	ids, sentences := map[string]bool{}, map[string]bool{}
	count, total := map[string]int{}, map[bool]int{}
	in := map[string]string{} // the file that cites a document
	for _, name := range sets {
		here := map[string]bool{}
		pairs, err := readPairs("pairs", name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pairs {
			right, known := kinds[p.Kind]
			switch {
			case p.ID == "" || ids[p.ID]:
				t.Errorf("%s: id %q is empty or there twice", name, p.ID)
			case !known || right != p.Right:
				t.Errorf("%s %s: kind %q, right %v", name, p.ID, p.Kind, p.Right)
			case p.Right != (p.Why == ""):
				t.Errorf("%s %s: a wrong pair says why, a right one does not: %q", name, p.ID, p.Why)
			case p.Sentence == "" || sentences[p.Sentence]:
				t.Errorf("%s %s: the sentence is empty or there twice: %q", name, p.ID, p.Sentence)
			case len(p.Evidence) == 0:
				t.Errorf("%s %s: no evidence", name, p.ID)
			}
			for _, c := range p.Evidence {
				if c.Text == "" || !strings.Contains(docs[c.Doc], c.Text) {
					t.Errorf("%s %s: not in %s: %q", name, p.ID, c.Doc, c.Text)
				}
				if f := in[c.Doc]; f != "" && f != name && (strings.HasPrefix(f, "held") || strings.HasPrefix(name, "held")) { // what is held out is about documents of its own
					t.Errorf("%s %s: %s is cited by %s too", name, p.ID, c.Doc, f)
				}
				in[c.Doc] = name
			}
			ids[p.ID], sentences[p.Sentence] = true, true
			count[p.Kind]++
			total[p.Right]++
			here[p.Kind] = true
		}
		for k := range kinds {
			if !here[k] {
				t.Errorf("%s: no pair of kind %s", name, k)
			}
		}
	}
	for k := range kinds {
		if count[k] < 14 {
			t.Errorf("%d pairs of kind %s, want 14 or more", count[k], k)
		}
	}
	if total[true] < 210 || total[false] < 210 {
		t.Errorf("%d right and %d wrong pairs, want 210 or more of each", total[true], total[false])
	}
	if len(in) != len(docs) {
		t.Errorf("%d of %d documents are cited", len(in), len(docs))
	}
}

// What is measured stands in golden files: a change of the rules shows in review. The pairs that are held out are among them; nothing is fitted to them.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, name := range sets {
		b.WriteString(measured(t, name, 0, name))
	}
	golden.Compare(t, "testdata/verdicts.md", []byte(b.String()))
}

// TestVerdictsMatched has the numbers of the pairs that are alike.
func TestVerdictsMatched(t *testing.T) {
	t.Parallel()
	golden.Compare(t, "testdata/matched.md", []byte(measured(t, matched, 0, matched)))
}

// TestVerdictsPages has the numbers for evidence as long as a page: those of docs/bench/proof.md, which has one row for all that is fitted.
func TestVerdictsPages(t *testing.T) {
	t.Parallel()
	out := measured(t, "fitted", page, sets[:6]...)
	for _, name := range sets[6:] {
		out += measured(t, name, page, name)
	}
	golden.Compare(t, "testdata/pages.md", []byte(out))
}

// page is by how many bytes evidence is widened to be like a page.
const page = 1500

// measured is what the verdicts on pairs of some files are; with short evidence also what a reader who is always right leaves wrong.
func measured(t *testing.T, title string, around int, names ...string) string {
	t.Helper()
	var pairs []pair
	for _, name := range names {
		more, err := readPairs("pairs", name)
		if err == nil && around > 0 {
			err = widen(more, "corpus", around)
		}
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, more...)
	}
	counted := table{}
	for _, p := range pairs {
		v, _, _, err := verdict(p, nil)
		if err != nil {
			t.Fatalf("%s: %v", p.ID, err)
		}
		counted.add(p, v)
	}
	out := title + "\n\n" + counted.String() + "\n"
	if around > 0 {
		return out
	}
	reader, err := withReader(pairs)
	if err != nil {
		t.Fatal(err)
	}
	return out + reader + "\n"
}

// TestMatched: of each line one sentence is right and the other, of a known kind, is not.
func TestMatched(t *testing.T) {
	pairs, err := readPairs("pairs", matched)
	if err != nil || len(pairs) < 2500 {
		t.Fatal(len(pairs), err)
	}
	count := map[string]int{}
	for i := 0; i < len(pairs); i += 2 {
		r, w := pairs[i], pairs[i+1]
		if !r.Right || w.Right || r.Sentence == w.Sentence || r.Evidence[0] != w.Evidence[0] {
			t.Errorf("%s and %s are no pair", r.ID, w.ID)
		}
		if right, known := kinds[w.Kind]; !known || right || r.Kind != "close" && r.Kind != "free" {
			t.Errorf("%s: kind %q, style %q", w.ID, w.Kind, r.Kind)
		}
		count[w.Kind]++
	}
	for k, right := range kinds {
		if n := count[k]; !right && k != "row-column" && k != "cause" && n < 80 { // a cause is a relation here, and the evidence has few tables
			t.Errorf("%d lines of kind %s", n, k)
		}
	}
}

// TestWiden: a piece of evidence becomes whole lines of its document, which have it in their middle; what has no document is refused.
func TestWiden(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("one\ntwo\nthree four\nfive\nsix\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{1: "three four", 3: "two\nthree four\nfive", 100: "one\ntwo\nthree four\nfive\nsix\n"} {
		pairs := []pair{{Evidence: []cited{{Doc: "a.md", Text: "ree fo"}}}}
		if err := widen(pairs, dir, n); err != nil || pairs[0].Evidence[0].Text != want {
			t.Errorf("%d: %q, %v, want %q", n, pairs[0].Evidence[0].Text, err, want)
		}
	}
	for _, c := range []cited{{Doc: "b.md", Text: "one"}, {Doc: "a.md", Text: "seven"}} {
		if err := widen([]pair{{Evidence: []cited{c}}}, dir, 1); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}
