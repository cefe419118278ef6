package selection

import (
	"slices"
	"strings"
	"testing"
)

func TestLabelledTasks(t *testing.T) {
	tasks, err := LabelledTasks()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for _, l := range tasks {
		if strings.TrimSpace(l.Task) == "" || l.Wish == "" {
			t.Errorf("%s: an empty field: %q %q", l.Author, l.Wish, l.Task)
		}
		if was, ok := known[l.Task]; ok && was != l.Wish {
			t.Errorf("%q is for %s and for %s", l.Task, was, l.Wish)
		}
		known[l.Task] = l.Wish
	}
	if w := shippedWishes(); len(w.model.Classes) != 8 || !slices.Contains(w.model.Classes, noWish) {
		t.Errorf("wishes %q, want those of seven skills and none", w.model.Classes)
	}
}

func TestWishes(t *testing.T) {
	w := LearnWishes([]LabelledTask{
		{"a", "callers", "who calls run_all()"}, {"a", "callers", "where is the class Engine used"}, {"a", "callers", "callers of `stop`"},
		{"a", "table", "compare the papers in a table"}, {"a", "table", "a table of all papers, with numbers"}, {"a", "table", "put the papers into a table"},
		{"a", "none", "fix the engine"}, {"a", "none", "buy some milk"}, {"a", "none", "fix a bug and commit it"},
	})
	for task, want := range map[string]string{
		"who calls parse_frame": "callers",
		"is `x` used":           "callers",
		"tables of papers":      "table",
		"a talbe of the papres": "table", // slips of familiar words
		"please fix it":         "none",
		"":                      "none", // the prior is that of all three alike: the first wish
	} {
		p := w.of(task, false)
		if got := w.model.Classes[slices.Index(p, slices.Max(p))]; got != want && task != "" {
			t.Errorf("%q wants %s, want %s: %.2f of %q", task, got, want, p, w.model.Classes)
		}
		sum := 0.0
		for _, x := range p {
			sum += x
		}
		if sum < .999 || sum > 1.001 {
			t.Errorf("%q: the wishes sum up to %v", task, sum)
		}
	}
	callers, table, other, mixed := []float64{1, 0, 0}, []float64{0, 0, 1}, []float64{0, 1, 0}, []float64{.3, .6, .1}
	if a, b := w.agree(callers, callers), w.agree(callers, table); a != 1 || b != -1 {
		t.Errorf("the same wish agrees by %v, another by %v; want 1 and -1", a, b)
	}
	if a := w.agree(other, other); a != 0 {
		t.Errorf("two of another field agree by %v, want 0", a)
	}
	if a := w.agree(table, mixed); a < -.1 || a > 0 {
		t.Errorf("a skill with examples of several wishes agrees by %v, want little", a)
	}
}

func TestWishWords(t *testing.T) {
	for text, want := range map[string]string{
		"who calls `decode_tlv`, and flush()?": "who calls ‹symbol› and ‹symbol›",
		"references to type OrderBook":         "references to type ‹symbol›",
		"clause 5.3.5 of TS 38.331":            "clause ‹clause› of ts ‹spec›",
		"how does channel.py work":             "how does ‹source› work",
		"summarise notes.pdf and table IV":     "summarise ‹file› and ‹numbered›",
		"the call sites of it":                 "the callsites of it",
		"5.5 % of it":                          "of it",
		"":                                     "",
	} {
		if got := strings.Join(wishWords(text, false), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzChoose gives any text as a task: it must not panic, and the scores must be probabilities.
func FuzzChoose(f *testing.F) {
	for _, s := range []string{"", "who calls X", "Wo wird `a` benutzt?", strings.Repeat("abcdefgh ", 9000), "\xff‹symbol›~ ^ $", "5.3.5 % 38.331 table IV"} {
		f.Add(s)
	}
	p := NewProfile(Texts{Name: "who-calls", Description: "List callers. Not for letters.", Examples: []string{"who calls X", "callers of parse_frame"}, NotFor: []string{"call my mother"}})
	q := NewProfile(Texts{Name: "empty"})
	f.Fuzz(func(t *testing.T, task string) {
		fits, chosen := Choose([]*Profile{p, q}, task, .5, .03)
		if len(fits) != 2 || chosen >= len(fits) {
			t.Fatalf("%d fits, chosen %d", len(fits), chosen)
		}
		for _, fit := range fits {
			if !(fit.Score >= 0 && fit.Score <= 1) || !(fit.Wish >= -1 && fit.Wish <= 1) {
				t.Fatalf("score %v, wish %v", fit.Score, fit.Wish)
			}
		}
	})
}

// BenchmarkLearnWishes is what the first choice in a process costs more than the others.
func BenchmarkLearnWishes(b *testing.B) {
	tasks, err := LabelledTasks()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		LearnWishes(tasks)
	}
}
