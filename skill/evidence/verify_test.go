package evidence

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/errs"
)

// fileSource is a textSource that knows its files.
type fileSource struct {
	textSource
	reader string
	gone   error
}

func (s fileSource) Describe(_ context.Context, at Place) (string, string, error) {
	return Hash(s.textSource[at.Doc]), s.reader, s.gone
}

func sealedAnswer(t *testing.T) (*Answer, fileSource) {
	t.Helper()
	src := fileSource{textSource{"d": "The PSS is an m-sequence of length 127.\n", "e": "Table: a 1, b 2\n"}, "pdf-4", nil}
	l := NewLedger()
	l.Add(Item{Kind: KindPassage, At: Place{Doc: "d", Name: "d.pdf"}, Text: "an m-sequence of length 127"})
	l.Add(Item{Kind: KindTable, At: Place{Doc: "e"}, Text: "b 2 | a 1"})
	l.Add(Item{Kind: KindReference, At: Place{Entity: "f"}, Text: "complete: no callers"})
	a := &Answer{Question: "q", Text: "It is \"an m-sequence of length 127\" [D1]. So is b [D2, C1].", Quotes: []Quote{{"D1", "length 127"}}, Rules: Rules{EveryClaim: true, Quotes: true}}
	if err := a.Seal(t.Context(), src, l); err != nil {
		t.Fatal(err)
	}
	return a, src
}

func TestVerify(t *testing.T) {
	a, src := sealedAnswer(t)
	if a.Extractor != "pdf-4" || a.Digest == "" || len(a.Sources) != 3 || a.Sources[2].Hash != "" {
		t.Errorf("sealed: %+v", a)
	}
	whole, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	believe := &VerifyOptions{Derived: true}
	reseal := func(a *Answer) {
		a.Digest, err = a.digest()
		if err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name   string
		change func(a *Answer, s *fileSource)
		o      *VerifyOptions
		want   string // a part of the errors; empty: it holds
		is     error
	}{
		{"untouched", func(*Answer, *fileSource) {}, believe, "", nil},
		{"derived", func(*Answer, *fileSource) {}, nil, "source of C1, f: it is the result of a search", errs.Unsupported},
		{"text", func(a *Answer, _ *fileSource) { a.Text = strings.Replace(a.Text, "So", "Not so", 1) }, believe, "changed after it was sealed", errs.Format},
		{"question", func(a *Answer, _ *fileSource) { a.Question = "p" }, believe, "changed after it was sealed", errs.Format},
		{"rules", func(a *Answer, _ *fileSource) { a.Rules = Rules{} }, believe, "changed after it was sealed", errs.Format},
		{"no digest", func(a *Answer, _ *fileSource) { a.Digest = "" }, believe, "never sealed", errs.Format},
		{"sealed anew: a claim without a key", func(a *Answer, _ *fileSource) { a.Text += " It is new."; reseal(a) }, believe, "it has no key", nil},
		{"sealed anew: a wrong quote in the text", func(a *Answer, _ *fileSource) { a.Text = strings.Replace(a.Text, "127", "128", 1); reseal(a) }, believe, "128", nil},
		{"sealed anew: a wrong quote", func(a *Answer, _ *fileSource) { a.Quotes[0].Text = "length 12"; reseal(a) }, believe, "cut out of a longer", nil},
		{"sealed anew: a quote of no item", func(a *Answer, _ *fileSource) { a.Quotes[0].Key = "D8"; reseal(a) }, believe, "D8", errs.NotFound},
		{"sealed anew: an unknown key", func(a *Answer, _ *fileSource) { a.Text += " More [D7]."; reseal(a) }, believe, "[D7]", errs.NotFound},
		{"sealed anew: other evidence", func(a *Answer, _ *fileSource) {
			a.Items[0].Text = "an m-sequence of length 128"
			a.Items[0].Hash = Hash(a.Items[0].Text)
			reseal(a)
		}, believe, `has "128", which is not there`, nil},
		{"sealed anew: a hash that is not the text's", func(a *Answer, _ *fileSource) { a.Items[1].Text = "a 1"; reseal(a) }, believe, "does not match its hash", errs.Format},
		{"sealed anew: a key twice", func(a *Answer, _ *fileSource) { a.Items[1].Key = "D1"; reseal(a) }, believe, "given twice", errs.Format},
		{"sealed anew: a key that is none", func(a *Answer, _ *fileSource) { a.Items[1].Key = "C2"; reseal(a) }, believe, "is no key of its item", errs.Format},
		{"sealed anew: no source", func(a *Answer, _ *fileSource) { a.Sources = a.Sources[:1]; reseal(a) }, believe, "nothing is sealed", errs.Format},
		{"sealed anew: a heading that states", func(a *Answer, _ *fileSource) {
			a.Rules.Headings = []string{"The PSS is short"}
			a.Text += "\n# The PSS is short\n"
			reseal(a)
		}, believe, "heading", nil},
		{"format", func(a *Answer, _ *fileSource) { a.Format = 2; reseal(a) }, believe, "format 2", errs.Format},
		{"the place changed", func(_ *Answer, s *fileSource) { s.textSource["d"] = "The PSS is an m-sequence of length 127!\n" }, believe, "no longer the one", errs.Stale},
		{"the reader changed", func(a *Answer, s *fileSource) {
			s.reader = "pdf-5"
			a.Sources[0].Hash = Hash("x")
			reseal(a)
		}, believe, "pdf-5 reads other text there than pdf-4", errs.Stale},
		{"the file is gone", func(_ *Answer, s *fileSource) { s.gone = errs.NotFound }, believe, "source of D1", errs.NotFound},
	}
	for _, tt := range tests {
		b := &Answer{}
		if err := json.Unmarshal(whole, b); err != nil {
			t.Fatal(err)
		}
		now := fileSource{textSource{"d": src.textSource["d"], "e": src.textSource["e"]}, src.reader, nil}
		tt.change(b, &now)
		rep, err := b.Verify(t.Context(), now, tt.o)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		err = rep.Err()
		if rep.Holds != (err == nil) || (tt.want == "") != rep.Holds {
			t.Errorf("%s: holds %v, %v", tt.name, rep.Holds, err)
			continue
		}
		if err != nil && !strings.Contains(err.Error(), tt.want) || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %v, want %q and %v", tt.name, err, tt.want, tt.is)
		}
	}
}

// TestFindingsSayOnce: what stands beside a reason is not in it, and an error has all.
func TestFindingsSayOnce(t *testing.T) {
	a, src := sealedAnswer(t)
	a.Text += " It is \"short\" [D1]. More [D7].\n\n```\nb = 2\n```\n[D1]\n"
	a.Quotes = append(a.Quotes, Quote{"D8", "nowhere"}, Quote{"D1", "a bicycle"})
	now := fileSource{textSource{"d": "The PSS is long.\n", "e": src.textSource["e"]}, src.reader, nil}
	rep, err := a.Verify(t.Context(), now, nil)
	if err != nil {
		t.Fatal(err)
	}
	failing, full := 0, strings.Split(rep.Err().Error(), "\n")
	for _, f := range rep.Findings {
		said := strings.TrimSuffix(strings.TrimPrefix(f.Reason, "["+f.Key+"] "), f.Text)
		if f.About != AboutText && f.Key != "" && strings.Contains(said, f.Key) || f.Place != "" && strings.Contains(said, ", "+f.Place) || f.Text != "" && strings.Contains(said, strconv.Quote(f.Text)) {
			t.Errorf("%+v says twice where it is", f)
		}
		if !f.Holds && f.About != AboutFile {
			failing++
			if i := slices.IndexFunc(full, func(line string) bool { return strings.Contains(line, f.Reason) && len(line) > len(f.Reason) }); i < 0 {
				t.Errorf("no error has more than %q:\n%s", f.Reason, strings.Join(full, "\n"))
			}
		}
	}
	want := Unjudged{Code: 1, Unknown: 1}
	if last := rep.Findings[slices.IndexFunc(rep.Findings, func(f Finding) bool { return f.About == AboutKey })-1]; failing < 7 || *rep.Unjudged != want || !strings.HasSuffix(last.Reason, "not judged: 1 block of code, 1 whose keys stand for nothing") {
		t.Errorf("%d fail, not judged %+v: %+v", failing, rep.Unjudged, last)
	}
}

func TestSealRefuses(t *testing.T) {
	src := textSource{"d": "The PSS is an m-sequence of length 127.\n"}
	l := NewLedger()
	l.Add(Item{Kind: KindPassage, At: Place{Doc: "d"}, Text: "an m-sequence of length 128"})
	l.Add(Item{Kind: KindPassage, At: Place{Doc: "d"}, Text: "The PSS"})
	for _, a := range []*Answer{
		{Text: "It is so [D1]."},
		{Text: "It is so. It [D2].", Rules: Rules{EveryClaim: true}},
		{Text: "It is \"so\" [D2].", Rules: Rules{Quotes: true}},
	} {
		if err := a.Seal(t.Context(), src, l); err == nil || a.Digest != "" {
			t.Errorf("%q was sealed: %v", a.Text, err)
		}
	}
}

// TestAroundShown checks what a passage shows beside its match: it may be quoted, a line further away may not.
func TestAroundShown(t *testing.T) {
	lines := make([]string, 200)
	for i := range lines {
		lines[i] = "filler " + strings.Repeat("x", i%7)
	}
	lines[98], lines[99], lines[100], lines[190] = "before it stands", "the match stands here", "and after it this.", "far away"
	src := lineSource(lines)
	it := Item{Key: "D1", Kind: KindPassage, At: Place{Doc: "d", Line: 100, EndLine: 100}, Text: "stands the match stands here and after it"}
	for quote, want := range map[string]bool{"the match stands": true, "here and after it": true, "after it this": false, "far away": false, "before it": false} {
		if err := VerifyQuote(t.Context(), src, it, quote); (err == nil) != want {
			t.Errorf("%q: %v", quote, err)
		}
	}
	it.Text = "the match stands here and after it nothing"
	if err := VerifyQuote(t.Context(), src, it, "here and after it"); err == nil {
		t.Error("a text that the source does not have was quoted")
	}
}

type lineSource []string

func (s lineSource) Text(_ context.Context, at Place) (string, error) {
	return strings.Join(s[at.Line-1:min(at.EndLine, len(s))], "\n") + "\n", nil
}

func FuzzReadAnswer(f *testing.F) {
	f.Add([]byte(`{"format":1,"text":"A [D1].","rules":{"every_claim":true},"quotes":[{"key":"D1","text":"a"}],"items":[{"key":"D1","kind":"passage","at":{"doc":"d","line":1},"text":"a","hash":""}],"sources":[{"key":"D1","hash":""}]}`))
	f.Add([]byte(`{"format":1,"items":[{"key":"C1","at":{"path":"x","line":-5,"end_line":9223372036854775807}}]}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadAnswer(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := a.Write(&b); err != nil {
			t.Fatal(err)
		}
		back, err := ReadAnswer(&b)
		if err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
		one, _ := a.digest()
		two, _ := back.digest()
		if one != two {
			t.Fatal("writing and reading changes the digest")
		}
		rep, err := a.Verify(t.Context(), textSource{"d": "a b c"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if rep.Holds != (rep.Err() == nil) {
			t.Fatal("the report and its error differ")
		}
	})
}
