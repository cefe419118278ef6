package findspot_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/typeset"
	"github.com/findspot/findspot/skill/evidence"
)

// printed makes a PDF of pages of lines.
func printed(pages ...[]string) string {
	var set [][]typeset.Line
	for _, lines := range pages {
		var page []typeset.Line
		for _, l := range lines {
			page = append(page, typeset.Line{Text: l})
		}
		set = append(set, page)
	}
	return typeset.PDF(set...)
}

var (
	pageOne   = []string{"Cell search begins with the primary signal.", "This page says nothing more of it."}
	pageTwo   = []string{"The primary synchronization signal is an", "m-sequence of length 127, and has three shapes.", "A table of the shapes is in the annex."}
	pageThree = []string{"A peak counts when it stands 12 dB above the noise floor.", "The floor is the median of all lags."}
	preface   = []string{"A preface to the second edition.", "It was written later."}
)

// A new edition of a PDF moves what it says to other pages.
func TestRecheckPages(t *testing.T) {
	at := func(page, line, last int, text string) evidence.Item {
		return evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Name: "pss.pdf", Page: page, Line: line, EndLine: last}, Text: text}
	}
	onPage := func(page int, text string) evidence.Item {
		it := at(page, 0, 0, text)
		return it
	}
	items := []evidence.Item{at(2, 3, 4, "The primary synchronization signal is an m-sequence of length 127"), onPage(3, pageThree[0])}
	const text = "It has length 127 [D1]. A peak is high [D2]."
	for _, tt := range []struct {
		name   string
		change map[string]string
		want   string
	}{
		{"unchanged", nil, "D1 holds p. 2, l. 3-4 (pss.pdf)\nD2 holds p. 3 (pss.pdf)"},
		{"a page before", map[string]string{"docs/pss.pdf": printed(preface, pageOne, pageTwo, pageThree)}, "D1 moved p. 3, l. 5-6 (pss.pdf)\nD2 moved p. 4 (pss.pdf)"},
		{"a page before, and another number", map[string]string{"docs/pss.pdf": printed(preface, pageOne, []string{pageTwo[0], strings.Replace(pageTwo[1], "127", "63", 1)}, pageThree)},
			"D1 changed p. 3, l. 5-6 (pss.pdf) [-127-]{+63+}\nD2 moved p. 4 (pss.pdf)"},
		{"set in other lines", map[string]string{"docs/pss.pdf": printed(pageOne, []string{"The primary synchro-", "nization signal is an m-", "sequence of length 127, and has", "three shapes."}, pageThree)},
			"D1 moved p. 2, l. 3-5 (pss.pdf)\nD2 holds p. 3 (pss.pdf)"},
		{"another name", map[string]string{"docs/pss.pdf": "", "docs/second.pdf": printed(preface, pageTwo, pageThree)}, "D1 moved p. 2, l. 3-4 (second.pdf)\nD2 moved p. 3 (second.pdf)"},
		{"as text", map[string]string{"docs/pss.pdf": "", "docs/pss.txt": strings.Join(append(pageTwo, pageThree...), "\n")}, "D1 moved p. 1, l. 1-2 (pss.txt)\nD2 moved p. 1 (pss.txt)"},
		{"no PDF any more", map[string]string{"docs/pss.pdf": "\x00\x01\x02"}, "D1 gone\nD2 gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := cite(t, map[string]string{"docs/pss.pdf": printed(pageOne, pageTwo, pageThree), "docs/other.md": "Cables are measured.\n", "code/x.py": "x = 1\n"}, text, items...)
			s.change(tt.change)
			r := s.recheck(nil)
			if got := states(r); got != tt.want {
				t.Errorf("items:\n%s\nwant:\n%s", got, tt.want)
			}
			s.updates(r)
		})
	}
}

// states are what has become of the items, without notes.
func states(r *evidence.Recheck) string {
	var out []string
	for _, it := range r.Items {
		line := it.Key + " " + it.State
		if it.State != evidence.StateGone {
			line += " " + place(it.At)
			if d := diff(it.Words); d != "" {
				line += " " + d
			}
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// A table stands in no line of its document as it is shown.
func TestRecheckTable(t *testing.T) {
	table := func(floor string) string {
		return "| name | level |\n|---|---|\n| floor | " + floor + " |\n| peak | 12 dB |\n"
	}
	s := cite(t, map[string]string{"docs/levels.md": paragraphs(about, table("3 dB")), "code/x.py": "x = 1\n"}, "The floor is 3 dB [D1].",
		evidence.Item{Kind: evidence.KindTable, At: evidence.Place{Name: "levels.md", Page: 1}, Text: "name | level\nfloor | 3 dB\npeak | 12 dB"})
	s.change(map[string]string{"docs/levels.md": paragraphs(about, length, table("3 dB"))})
	r := s.recheck(nil)
	if got := states(r); got != "D1 holds p. 1 (levels.md)" || !r.Holds {
		t.Errorf("what is around it changed: %s", got)
	}
	s.updates(r)
	s.change(map[string]string{"docs/levels.md": paragraphs(about), "docs/annex.md": paragraphs(lags, table("3 dB"))})
	r = s.recheck(nil)
	if got := states(r); got != "D1 moved p. 1 (annex.md)" || !r.Holds {
		t.Errorf("moved to another document: %s", got)
	}
	s.updates(r)
	s.change(map[string]string{"docs/annex.md": paragraphs(lags, table("4 dB"))})
	if r = s.recheck(nil); r.Holds || r.Items[0].State != evidence.StateChanged || !strings.Contains(diff(r.Items[0].Words), "[-3-]{+4+}") {
		t.Errorf("a cell changed: %s", states(r))
	}
}

// Of several places with the same code, that in the entity of the same name is meant; where it is no longer there, the one in the file of the same name.
func TestRecheckSameCode(t *testing.T) {
	const class = "class %s:\n    def open(self):\n        self.count = self.count + 1\n        return self\n\n\n"
	files := map[string]string{"code/meter.py": fmt.Sprintf(class, "Meter"), "docs/x.md": "A word.\n"}
	it := evidence.Item{Kind: evidence.KindEntity, At: evidence.Place{Path: "meter.py", Line: 2, EndLine: 4, Entity: "meter.py:Meter.open"},
		Text: "    def open(self):\n        self.count = self.count + 1\n        return self"}
	s := cite(t, files, "It counts [C1].", it)
	s.change(map[string]string{"code/meter.py": fmt.Sprintf(class, "Gate") + fmt.Sprintf(class, "Valve") + fmt.Sprintf(class, "Meter")})
	r := s.recheck(nil)
	if got, want := states(r), "C1 moved meter.py:14-16"; got != want || r.Items[0].Note != "" || r.Items[0].At.Entity != "meter.py:Meter.open" {
		t.Errorf("%s (%s), want %s", got, r.Items[0].Note, want)
	}
	s.updates(r)
	s.change(map[string]string{"code/meter.py": "", "code/a.py": fmt.Sprintf(class, "Gate"), "code/lib/meter.py": "\n" + fmt.Sprintf(class, "Meter"), "code/z.py": fmt.Sprintf(class, "Valve")})
	r = s.recheck(nil)
	if got, want := states(r), "C1 moved lib/meter.py:3-5"; got != want || !strings.Contains(r.Items[0].Note, "3 files") {
		t.Errorf("%s (%s), want %s in one of 3 files", got, r.Items[0].Note, want)
	}
	s.updates(r)
}

// Go code moves to another file and receiver; a signature stands for its entity, also when what is in it changes.
func TestRecheckGo(t *testing.T) {
	const head, body = "func (m *Meter) Gauge(\n\tsamples []float64,\n) float64 {", "\n\treturn most(samples)\n}\n"
	files := map[string]string{"code/go.mod": "module m\n", "code/meter.go": "package m\n\ntype Meter struct{}\n\n" + head + body, "docs/x.md": "A word.\n"}
	s := cite(t, files, "It gauges [C1].", evidence.Item{Kind: evidence.KindEntity, At: evidence.Place{Path: "meter.go", Line: 5, EndLine: 9, Entity: "meter.go:Meter.Gauge"}, Text: "func (m *Meter) Gauge( samples []float64, ) float64"})
	s.change(map[string]string{"code/meter.go": "package m\n\ntype Meter struct{}\n", "code/gauge.go": "package m\n\n" + head + strings.Replace(body, "most", "least", 1)})
	r := s.recheck(nil)
	if got, want := states(r), "C1 moved gauge.go:3-7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s.updates(r)
	s.change(map[string]string{"code/gauge.go": "package m\n\n" + strings.Replace(head, "float64 {", "float32 {", 1) + body})
	if r := s.recheck(nil); r.Holds || r.Items[0].State != evidence.StateChanged || !strings.Contains(diff(r.Items[0].Words), "[-float64-]{+float32+}") {
		t.Errorf("another signature: %s", states(r))
	}
}

// A file as evidence is its name: no words of its text.
func TestRecheckFile(t *testing.T) {
	s := cite(t, map[string]string{"code/rx.py": other, "docs/x.md": "A word.\n"}, "There is a receiver [C1].", evidence.Item{Kind: evidence.KindEntity, At: evidence.Place{Path: "rx.py", Line: 1, EndLine: 2, Entity: "rx.py"}, Text: "rx.py"})
	s.change(map[string]string{"code/rx.py": other + gauge})
	r := s.recheck(nil)
	if got := states(r); got != "C1 holds rx.py:1-2" && got != "C1 moved rx.py:1-5" {
		t.Errorf("with more in it: %s", got)
	}
	s.updates(r)
	s.change(map[string]string{"code/rx.py": "", "code/lib/rx.py": other + other + gauge})
	r = s.recheck(nil)
	if got := states(r); got != "C1 moved lib/rx.py:1-7" {
		t.Errorf("in another folder: %s", got)
	}
	s.updates(r)
	s.change(map[string]string{"code/lib/rx.py": "", "code/lib/tx.py": other})
	if r = s.recheck(nil); r.Holds {
		t.Errorf("under another name: %s", states(r))
	}
}

// What an answer quotes must stand at the new places; a forged answer does not hold; the result of a search is believed only if that is said.
func TestRecheckRest(t *testing.T) {
	s := cite(t, map[string]string{"docs/pss.md": paragraphs(about, length, floor), "code/x.py": "x = 1\n"}, "The signal is long [D1].", passage("pss.md", 3, "The primary synchronization signal"))
	led := evidence.NewLedger()
	it := s.answer.Items[0]
	led.Add(it)
	led.Add(evidence.Item{Kind: evidence.KindReference, Tier: evidence.TierVerdict, At: evidence.Place{Entity: "x.py:x"}, Text: "Nothing calls x."})
	s.answer = &evidence.Answer{Text: `It is "an m-sequence of length 127" [D1]. Nobody calls x [C1].`, Rules: evidence.Rules{EveryClaim: true, Quotes: true}, Quotes: []evidence.Quote{{Key: "D1", Text: "of length 127"}}}
	if err := s.answer.Seal(t.Context(), s.ws, led); err != nil {
		t.Fatal(err)
	}
	s.change(map[string]string{"docs/pss.md": paragraphs("New.", about, length, floor)})
	if r := s.recheck(nil); r.Holds || !r.Sentences[0].Holds || r.Sentences[1].Holds || r.Items[1].State != evidence.StateUnread || r.Updated != nil {
		t.Errorf("the result of a search is not believed: %+v", r)
	}
	derived := &findspot.RecheckOptions{Derived: true}
	r := s.recheck(derived)
	if !r.Holds || r.Updated == nil || r.Items[0].State != evidence.StateMoved {
		t.Errorf("moved: %+v", r)
	}
	s.change(map[string]string{"docs/pss.md": paragraphs("New.", about, strings.Replace(length, "127", "63", 1), floor)})
	if r := s.recheck(derived); r.Holds || r.Sentences[0].Holds || r.Updated != nil { // what the item shows is the same, what is quoted is not
		t.Errorf("another quote: %+v", r)
	}
	s.change(map[string]string{"docs/pss.md": paragraphs(about, length, floor)})
	s.answer.Text = strings.Replace(s.answer.Text, "Nobody", "Everybody", 1)
	if r := s.recheck(derived); r.Holds || len(r.Problems) == 0 || r.Updated != nil {
		t.Errorf("forged: %+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := s.ws.Recheck(ctx, s.answer, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %+v, %v", r, err)
	}
}

// Words that stand among changed evidence are told, and a sentence does not hold by them.
func TestRecheckStands(t *testing.T) {
	s := cite(t, map[string]string{"docs/pss.md": paragraphs(about, length, floor), "code/x.py": "x = 1\n"}, about+" [D1]\n\nThe signal is long [D1].",
		evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Name: "pss.md", Line: 1, EndLine: 3}, Text: about + " " + length})
	s.change(map[string]string{"docs/pss.md": paragraphs(about, strings.Replace(length, "127", "63", 1), floor)})
	r := s.recheck(nil)
	if len(r.Sentences) != 2 || r.Sentences[0].Holds || !r.Sentences[0].Stands || r.Sentences[1].Holds || r.Sentences[1].Stands {
		t.Errorf("%+v", r.Sentences)
	}
}

// A quote must stand at the new place, whether the text has it in quotation marks or it is in the list, also where what the item shows is the same.
func TestRecheckQuotes(t *testing.T) {
	for name, a := range map[string]*evidence.Answer{
		"in the text": {Text: `It is "an m-sequence of length 127" [D1].`, Rules: evidence.Rules{Quotes: true}},
		"in the list": {Text: "It is long [D1].", Quotes: []evidence.Quote{{Key: "D1", Text: "of length 127"}}},
	} {
		s := cite(t, map[string]string{"docs/pss.md": paragraphs(about, length, floor), "code/x.py": "x = 1\n"}, "It is long [D1].", passage("pss.md", 3, "The primary synchronization signal"))
		led := evidence.NewLedger()
		led.Add(s.answer.Items[0])
		s.answer = a
		if err := a.Seal(t.Context(), s.ws, led); err != nil {
			t.Fatal(err)
		}
		s.change(map[string]string{"docs/pss.md": paragraphs("New.", about, length, floor)})
		if r := s.recheck(nil); !r.Holds || r.Updated == nil {
			t.Errorf("%s, moved: %+v", name, r)
		}
		s.change(map[string]string{"docs/pss.md": paragraphs("New.", about, strings.Replace(length, "127", "63", 1), floor)})
		if r := s.recheck(nil); r.Holds || r.Sentences[0].Holds || r.Updated != nil {
			t.Errorf("%s, changed: %+v", name, r)
		}
	}
}
