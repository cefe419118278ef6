package findspot_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill/evidence"
)

// A sealedAnswer is a workspace over folders of documents and code, with an answer that was sealed.
type sealedAnswer struct {
	t          *testing.T
	ws         *findspot.Workspace
	docs, code string
	answer     *evidence.Answer
}

// cite makes documents and code, and an answer of a sentence for each text: the key of a text is that of its place among those of its kind.
func cite(t *testing.T, files map[string]string, text string, items ...evidence.Item) *sealedAnswer {
	t.Helper()
	s := &sealedAnswer{t: t, docs: write(t, nil), code: write(t, nil), ws: open(t, t.TempDir(), nil)}
	s.change(files)
	led := evidence.NewLedger()
	for _, it := range items {
		if it.At.Name != "" {
			lib, err := s.ws.Docs(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			d, err := lib.Resolve(t.Context(), it.At.Name)
			if err != nil {
				t.Fatal(err)
			}
			it.At.Doc, it.At.Title = d.ID, d.Title
		}
		led.Add(it)
	}
	s.answer = &evidence.Answer{Text: text, Rules: evidence.Rules{EveryClaim: true}}
	if err := s.answer.Seal(t.Context(), s.ws, led); err != nil {
		t.Fatal(err)
	}
	return s
}

// change writes files, and brings the index up to date.
func (s *sealedAnswer) change(files map[string]string) {
	s.t.Helper()
	s.put(files)
	if err := addDocs(s.t.Context(), s.ws, s.docs); err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.ws.AddRepo(s.t.Context(), s.code, nil); err != nil {
		s.t.Fatal(err)
	}
}

// put writes files: "docs/..." and "code/..."; an empty text removes one.
func (s *sealedAnswer) put(files map[string]string) {
	s.t.Helper()
	for name, text := range files {
		root, rest, _ := strings.Cut(name, "/")
		p := filepath.Join(map[string]string{"docs": s.docs, "code": s.code}[root], filepath.FromSlash(rest))
		err := os.MkdirAll(filepath.Dir(p), 0o777)
		if err == nil && text == "" {
			err = os.Remove(p)
		} else if err == nil {
			err = os.WriteFile(p, []byte(text), 0o666)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *sealedAnswer) recheck(o *findspot.RecheckOptions) *evidence.Recheck {
	s.t.Helper()
	r, err := s.ws.Recheck(s.t.Context(), s.answer, o)
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

func passage(name string, line int, text string) evidence.Item {
	return evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Name: name, Line: line, EndLine: line}, Text: text}
}

func function(path, entity string, first, last int, text string) evidence.Item {
	return evidence.Item{Kind: evidence.KindEntity, At: evidence.Place{Path: path, Line: first, EndLine: last, Entity: path + ":" + entity}, Text: text}
}

// paragraphs are a document of paragraphs, a line each.
func paragraphs(texts ...string) string { return strings.Join(texts, "\n\n") + "\n" }

const (
	about  = "Cell search begins with the primary signal."
	length = "The primary synchronization signal is an m-sequence of length 127."
	floor  = "A peak counts when it stands 12 dB above the noise floor."
	lags   = "The correlation is computed for every lag of one half frame."
	gauge  = "def gauge(samples, threshold=12):\n    peak = max(abs(s) for s in samples)\n    return peak > threshold\n"
	other  = "def unrelated():\n    return None\n"
)

func TestRecheck(t *testing.T) {
	doc := paragraphs(about, length, floor, lags)
	files := map[string]string{"docs/pss.md": doc, "code/rx.py": other + "\n\n" + gauge}
	const text = "The sequence has length 127 [D1]. A peak is 12 dB above the floor [D2]. The gauge compares with the threshold [C1]."
	items := []evidence.Item{passage("pss.md", 3, length), passage("pss.md", 5, floor), function("rx.py", "gauge", 5, 7, strings.TrimSuffix(gauge, "\n"))}
	for _, tt := range []struct {
		name   string
		change map[string]string
		want   string // a line for each item: key, state, place, words that went and came, note
		holds  string // of the sentences
	}{
		{"unchanged", nil, "D1 holds l. 3 (pss.md)\nD2 holds l. 5 (pss.md)\nC1 holds rx.py:5-7", "+++"},
		{"moved within a file", map[string]string{"docs/pss.md": paragraphs("New.", about, lags, floor, length), "code/rx.py": gauge + "\n\n" + other},
			"D1 moved l. 9 (pss.md)\nD2 moved l. 7 (pss.md)\nC1 moved rx.py:1-3", "+++"},
		{"changed elsewhere", map[string]string{"docs/pss.md": doc + "\nMore.\n"}, "D1 holds l. 3 (pss.md) the file has changed elsewhere\nD2 holds l. 5 (pss.md) the file has changed elsewhere\nC1 holds rx.py:5-7", "+++"},
		{"renamed", map[string]string{"docs/pss.md": "", "docs/signals/primary.md": doc, "code/rx.py": "", "code/lib/detector.py": other + "\n\n" + gauge},
			"D1 moved l. 3 (primary.md) the document is no longer there\nD2 moved l. 5 (primary.md) the document is no longer there\nC1 moved lib/detector.py:5-7 the file is no longer there", "+++"},
		{"moved to another file", map[string]string{"docs/pss.md": paragraphs(about, lags), "docs/detect.md": paragraphs("Of peaks.", floor, length), "code/rx.py": other, "code/gauge.py": "import math\n\n\nclass Meter:\n    " + strings.ReplaceAll(strings.TrimSpace(gauge), "\n", "\n    ") + "\n"},
			"D1 moved l. 5 (detect.md)\nD2 moved l. 3 (detect.md)\nC1 moved gauge.py:5-7", "+++"},
		{"a number changed", map[string]string{"docs/pss.md": strings.Replace(doc, "12 dB", "9 dB", 1), "code/rx.py": other + "\n\n" + strings.Replace(gauge, "12", "9", 1)},
			"D1 holds l. 3 (pss.md) the file has changed elsewhere\nD2 changed l. 5 (pss.md) [-12-]{+9+}\nC1 changed rx.py:5-7 [-12-]{+9+}", "+--"},
		{"reworded, and moved on", map[string]string{"docs/pss.md": paragraphs(about, "New.", length, "A peak now counts when it stands at least 12 dB above the noise.", lags)},
			"D1 moved l. 5 (pss.md)\nD2 changed l. 7 (pss.md) {+now+}{+at least+}[-floor-]\nC1 holds rx.py:5-7", "+-+"},
		{"deleted", map[string]string{"docs/pss.md": paragraphs(about, length), "code/rx.py": other}, "D1 holds l. 3 (pss.md) the file has changed elsewhere\nD2 gone\nC1 gone", "+--"},
		{"all deleted", map[string]string{"docs/pss.md": "", "code/rx.py": ""}, "D1 gone the document is no longer there\nD2 gone the document is no longer there\nC1 gone the file is no longer there", "---"},
		{"said twice", map[string]string{"docs/pss.md": paragraphs(length, about, about, length, floor, lags), "code/rx.py": other + "\n\n\n" + gauge + "\n\n" + gauge},
			"D1 moved l. 7 (pss.md) the same words stand at 2 places of the document; this one is the nearest to where other evidence of the answer has moved to\nD2 moved l. 9 (pss.md)\nC1 moved rx.py:6-8", "+++"},
		{"a binary in its place", map[string]string{"docs/pss.md": "\x00\x01\x02\x03 no text \x00", "code/rx.py": "\x00\x01\x02 gauge"},
			"D1 gone the document cannot be read: ingest \"pss.md\": bad format: not text: byte 0 is zero\nD2 gone the document cannot be read: ingest \"pss.md\": bad format: not text: byte 0 is zero\nC1 gone the file cannot be read: rx.py: it is binary", "---"},
		{"an older edition stays", map[string]string{"docs/old.md": doc, "docs/pss.md": strings.Replace(doc, "12 dB", "9 dB", 1)},
			"D1 holds l. 3 (pss.md) the file has changed elsewhere\nD2 changed l. 5 (pss.md) [-12-]{+9+} the old words still stand in \"Cell search begins with the primary signal.\" l. 5 (old.md)\nC1 holds rx.py:5-7", "+-+"},
		{"an older function stays", map[string]string{"code/old.py": gauge, "code/rx.py": other + "\n\n" + strings.Replace(gauge, "12", "9", 1)},
			"D1 holds l. 3 (pss.md)\nD2 holds l. 5 (pss.md)\nC1 changed rx.py:5-7 [-12-]{+9+} the old words still stand in old.py:1-3", "++-"},
		{"renamed, and copied in part", map[string]string{"docs/pss.md": "", "docs/aa.md": paragraphs(length, floor), "docs/zz.md": doc},
			"D1 moved l. 3 (zz.md) the document is no longer there\nD2 moved l. 5 (zz.md) the document is no longer there\nC1 holds rx.py:5-7", "+++"},
		{"said twice, the nearer in other lines", map[string]string{"docs/pss.md": paragraphs(about, strings.Replace(length, "signal is", "signal\nis", 1), about, about, length, lags)},
			"D1 moved l. 3-4 (pss.md) the same words stand at 2 places of the document; this one is the nearest to the old place\nD2 gone\nC1 holds rx.py:5-7", "+-+"},
		{"a new edition under another name", map[string]string{"docs/pss.md": "", "docs/pss-v2.md": paragraphs("Version 2.", about, strings.Replace(length, "127", "63", 1), floor, lags)},
			"D1 changed l. 5 (pss-v2.md) [-127-]{+63+} the document is no longer there\nD2 moved l. 7 (pss-v2.md) the document is no longer there\nC1 holds rx.py:5-7", "-++"},
		{"wrapped otherwise", map[string]string{"docs/pss.md": paragraphs(about, strings.Replace(length, "synchronization", "synchroniza-\ntion", 1), floor, lags)},
			"D1 moved l. 3-4 (pss.md)\nD2 moved l. 6 (pss.md)\nC1 holds rx.py:5-7", "+++"},
		{"cut out of a longer word", map[string]string{"docs/pss.md": strings.Replace(doc, "A peak counts", "UA peak counts", 1)},
			"D1 holds l. 3 (pss.md) the file has changed elsewhere\nD2 changed l. 5 (pss.md) [-A-]{+UA+}\nC1 holds rx.py:5-7", "+-+"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := cite(t, files, text, items...)
			s.change(tt.change)
			r := s.recheck(nil)
			var got []string
			for _, it := range r.Items {
				line := it.Key + " " + it.State
				if it.State != evidence.StateGone {
					line += " " + place(it.At)
					if d := diff(it.Words); d != "" {
						line += " " + d
					}
				}
				if it.Note != "" {
					line += " " + it.Note
				}
				got = append(got, line)
			}
			if got := strings.Join(got, "\n"); got != tt.want {
				t.Errorf("items:\n%s\nwant:\n%s", got, tt.want)
			}
			holds := ""
			for _, x := range r.Sentences {
				holds += map[bool]string{true: "+", false: "-"}[x.Holds]
			}
			if holds != tt.holds || r.Holds != !strings.Contains(holds, "-") {
				t.Errorf("sentences %s, holds %v, want %s: %+v", holds, r.Holds, tt.holds, r.Sentences)
			}
			s.updates(r)
		})
	}
}

// place is a place without the title of a document.
func place(p evidence.Place) string {
	p.Title = ""
	return p.String()
}

// diff is what changed.
func diff(words []evidence.WordChange) string {
	var b strings.Builder
	for _, w := range words {
		if w.Went != "" {
			b.WriteString("[-" + w.Went + "-]")
		}
		if w.Came != "" {
			b.WriteString("{+" + w.Came + "+}")
		}
	}
	return b.String()
}

// updates makes sure that an answer is updated only if it holds, that what was updated is verified, has the same text and keys, and needs no further update.
func (s *sealedAnswer) updates(r *evidence.Recheck) {
	s.t.Helper()
	if r.Updated == nil {
		if r.Holds && s.answer.Check(s.t.Context(), s.ws) != nil {
			s.t.Error("the answer holds, is not verified as it is, and was not updated")
		}
		return
	}
	if !r.Holds {
		s.t.Error("an answer that does not hold was updated")
	}
	if err := r.Updated.Check(s.t.Context(), s.ws); err != nil {
		s.t.Errorf("the updated answer is not verified: %v", err)
	}
	if r.Updated.Text != s.answer.Text || len(r.Updated.Items) != len(s.answer.Items) {
		s.t.Errorf("the update changed the answer: %+v", r.Updated)
	}
	for i, it := range r.Updated.Items {
		if was := s.answer.Items[i]; it.Key != was.Key || it.Text != was.Text {
			s.t.Errorf("the update changed %s: %q, was %q", was.Key, it.Text, was.Text)
		}
	}
	again, err := s.ws.Recheck(s.t.Context(), r.Updated, nil)
	if err != nil || !again.Holds || again.Updated != nil {
		s.t.Errorf("a second check: %+v, %v", again, err)
	}
}

// A judge alone lets a sentence stand whose evidence has changed.
func TestRecheckJudge(t *testing.T) {
	s := cite(t, map[string]string{"docs/pss.md": paragraphs(about, length, floor)}, "The sequence is long [D1]. A peak is high [D2].", passage("pss.md", 3, length), passage("pss.md", 5, floor))
	s.change(map[string]string{"docs/pss.md": paragraphs(about, strings.Replace(length, "127", "63", 1), floor)})
	for _, believes := range []bool{true, false} {
		asked, before := "", ""
		r := s.recheck(&findspot.RecheckOptions{Judge: func(_ context.Context, sentence string, was, now []evidence.Item) (bool, string, error) {
			asked, before = asked+sentence, before+was[0].Text
			for _, it := range now {
				asked += "|" + it.Key + ": " + it.Text
			}
			return believes, "so it seems", nil
		}})
		if want := "The sequence is long [D1].|D1: The primary synchronization signal is an m-sequence of length 63."; asked != want || before != length {
			t.Errorf("asked %q about %q, want %q", asked, before, want)
		}
		if r.Holds != believes || r.Sentences[0].Holds != believes || !r.Sentences[1].Holds || !strings.Contains(r.Sentences[0].Reason, "so it seems") {
			t.Errorf("believes %v: %+v", believes, r.Sentences)
		}
		if (r.Updated != nil) != believes {
			t.Errorf("believes %v, updated %v", believes, r.Updated)
		}
		if believes {
			if err := r.Updated.Check(t.Context(), s.ws); err != nil {
				t.Error(err)
			}
		}
	}
}
