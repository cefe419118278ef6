package evidence

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	l := NewLedger()
	l.Add(Item{Kind: KindPassage, At: Place{Doc: "d"}, Text: "The noise figure is at most 9 dB below 1 GHz. The unit does not transmit."})
	l.Add(Item{Kind: KindTable, At: Place{Doc: "e"}, Text: "| Plan | Buckets | Transfer |\n|---|---|---|\n| Free | 3 | 20 GB |\n| Team | 50 | 2 TB |\n"})
	l.Add(Item{Kind: KindReference, At: Place{Path: "a.go"}, Text: "func a() {}"})
	const text = `# The unit

Its noise figure is at most 9 dB below 1 GHz [D1]. The unit transmits [D1]. The noise figure is at least 9 dB below 1 GHz [D1].

The Team plan has 50 buckets [D2]. The Free plan has 50 buckets [D2].

Function a is empty [C1]. Heat leaves through the plate on the back of the case [D1].

The unit does not transmit. Nor does the noise figure exceed 9 dB below 1 GHz [D1].

The unit transmits [D1, C1].

No key is near this sentence.
`
	want := []Verdict{Supported, Unsupported, Unsupported, Supported, Unsupported, Undecided, Undecided, Supported, Supported, Undecided}
	got, err := Judge(t.Context(), l, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d sentences are judged, want %d: %v", len(got), len(want), got)
	}
	for i, j := range got {
		if j.Verdict != want[i] || (j.Reason == "") != (j.Verdict == Supported) || len(j.Keys) == 0 {
			t.Errorf("%q: %s (%s), want %s", j.Sentence.Text, j.Verdict, j.Reason, want[i])
		}
	}
	// What is not judged is counted.
	rep, err := CheckSentences(t.Context(), l, text+"\n```\nx\n```\n[C1]\n\nIt is new [D9].\n\nUnknown: its price.\n", &CheckOptions{}, &JudgeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := *rep.Unjudged; got != (Unjudged{Code: 1, Headings: 1, Uncited: 2, Unknown: 1}) || got.Count() != 5 || got.String() != "1 block of code, 1 heading, 2 that cite nothing, 1 whose keys stand for nothing" || len(rep.Sentences) != len(want)+1 {
		t.Errorf("not judged: %+v, %s; %d sentences", got, got.String(), len(rep.Sentences))
	}
	if rep, err = CheckSentences(t.Context(), l, text, &CheckOptions{}, nil); err != nil || rep.Unjudged != nil || !rep.Holds {
		t.Errorf("where none is to be judged: %+v, %v", rep, err)
	}
	// A model is asked about what words leave undecided, and where words are doubted about all but near copies, which are the first sentence and the eighth.
	for _, tt := range []struct {
		doubt bool
		asked []int
	}{{true, []int{1, 2, 3, 4, 5, 6, 8, 9}}, {false, []int{5, 6, 9}}} {
		asked := 0
		decide := func(_ context.Context, sentence string, evidence []string) (Verdict, string, error) {
			asked++
			return Unsupported, "no plate", nil
		}
		got, err = Judge(t.Context(), l, text, &JudgeOptions{Decide: decide, DoubtWords: tt.doubt})
		if err != nil || asked != len(tt.asked) {
			t.Errorf("doubting words %v, a model was asked %d times: %v, %v", tt.doubt, asked, got, err)
		}
		for i, j := range got {
			if model := slices.Contains(tt.asked, i); j.Model != model || model && (j.Verdict != Unsupported || j.Reason != "no plate") || !model && j.Verdict != want[i] {
				t.Errorf("doubting words %v: %q: %s, model %v", tt.doubt, j.Sentence.Text, j.Verdict, j.Model)
			}
		}
	}
	// What words speak against it does not make supported.
	got, err = Judge(t.Context(), l, text, &JudgeOptions{DoubtWords: true, Decide: func(context.Context, string, []string) (Verdict, string, error) { return Supported, "as it says", nil }})
	if err != nil {
		t.Fatal(err)
	}
	for i, j := range got {
		if against := want[i] == Unsupported; against != (j.Verdict == Undecided) || against && !strings.Contains(j.Reason, "words say: ") {
			t.Errorf("%q: %s (%s), which was %s by words", j.Sentence.Text, j.Verdict, j.Reason, want[i])
		}
	}
	fault := errors.New("no answer")
	if _, err := Judge(t.Context(), l, text, &JudgeOptions{Decide: func(context.Context, string, []string) (Verdict, string, error) { return "", "", fault }}); !errors.Is(err, fault) {
		t.Errorf("Judge = %v", err)
	}
}

// A sentence without a key at the end of a paragraph is judged by the key before it.
func TestJudgeBefore(t *testing.T) {
	l := NewLedger()
	l.Add(Item{Kind: KindPassage, At: Place{Doc: "d"}, Text: "The pump has two valves. It does not leak."})
	got, err := Judge(t.Context(), l, "The pump has two valves [D1]. The pump has 7,500 valves.\n\nThe pump has 7,500 valves.", nil)
	if err != nil || len(got) != 2 || got[1].Verdict == Supported || got[1].Keys[0] != "D1" {
		t.Errorf("%+v, %v", got, err)
	}
}

// What words support by the text around a piece is shown to a model too.
func TestJudgeWide(t *testing.T) {
	const wide = "The pump, a gift of the city, has two valves and was built in 1931.\n"
	l := NewLedger()
	l.Add(Item{Kind: KindPassage, At: Place{Doc: "d"}, Text: "has two valves and was built"})
	var shown []string
	decide := func(_ context.Context, _ string, evidence []string) (Verdict, string, error) {
		shown = evidence
		return Supported, "", nil
	}
	got, err := Judge(t.Context(), l, "The pump with two valves was built in 1931 [D1].", &JudgeOptions{Source: textSource{"d": wide}, Decide: decide, DoubtWords: true})
	if err != nil || len(got) != 1 || !got[0].Model || !slices.Contains(shown, wide) {
		t.Errorf("%+v, shown %q, %v", got, shown, err)
	}
}

// A sealed answer whose keys and quotes hold, and whose sentences say something else than their evidence, does not verify.
func TestVerifyMeaning(t *testing.T) {
	src := textSource{"d": "The pump has two valves. The pump does not leak.\n"}
	for text, want := range map[string]struct {
		holds   bool
		verdict Verdict
	}{
		"The pump does not leak [D1].":                          {true, Supported},
		"The pump leaks [D1].":                                  {false, Unsupported},
		"Whoever maintains such machinery sleeps soundly [D1].": {true, Undecided},
	} {
		l := NewLedger()
		l.Add(Item{Kind: KindPassage, At: Place{Doc: "d"}, Text: "The pump has two valves. The pump does not leak."})
		a := &Answer{Text: text}
		if err := a.Seal(t.Context(), src, l); err != nil {
			t.Fatal(err)
		}
		for _, o := range []*VerifyOptions{nil, {NoMeaning: true}} {
			rep, err := a.Verify(t.Context(), src, o)
			if err != nil {
				t.Fatal(err)
			}
			if rep.Holds != (want.holds || o != nil) {
				t.Errorf("%q, options %+v: holds %v", text, o, rep.Holds)
			}
			judged := false
			for _, f := range rep.Findings {
				judged = judged || f.About == AboutMeaning && f.Verdict == want.verdict && f.Holds == want.holds
			}
			if judged != (o == nil) {
				t.Errorf("%q, options %+v: findings %+v", text, o, rep.Findings)
			}
		}
	}
}

func TestJudgeChanged(t *testing.T) {
	for _, tt := range []struct {
		was, now string
		holds    bool
		reason   string
	}{
		{"The pump has 2 valves.", "The pump has 3 valves.", false, ""},
		{"The pump has 2 valves.", "The pump has 2 valves, both of brass.", true, "its words still support"},
		{"The pump has 2 valves.", "The pump of this kind now has 2 valves.", true, "its words still support"},
		{"The oil pump has 2 valves. Water is pumped by hand.", "The water pump has 2 valves. Water is pumped by hand.", true, "still support"}, // oil is none of its words
		{"The pump has 2 valves.", "The pipe has 2 valves.", false, `had "pump", and has it no more`},
		{"The pump of the boiler has 2 valves.", "The pump of the heater has 2 valves.", false, `had "pump`},
		{"The pump of the boiler has 2 valves.", "The pump of the boiler, a new one, has 2 valves.", true, "still support"},
		{"The pump has 2 valves. The pipe has a tap.", "The pipe has 2 valves. The pump has a tap.", false, ""},
	} {
		was := []Item{{Key: "D1", Kind: KindPassage, At: Place{Doc: "d"}, Text: tt.was}}
		now := []Item{{Key: "D1", Kind: KindPassage, At: Place{Doc: "d"}, Text: tt.now, Hash: "of the old text"}}
		holds, reason, err := JudgeChanged(t.Context(), "The pump has 2 valves [D1].", was, now)
		if err != nil || holds != tt.holds || reason == "" || !strings.Contains(reason, tt.reason) {
			t.Errorf("%q: %v (%s), %v", tt.now, holds, reason, err)
		}
	}
	// A model is asked where words went.
	judge := JudgeChangedWith(&JudgeOptions{Decide: func(_ context.Context, sentence string, evidence []string) (Verdict, string, error) {
		if !strings.HasPrefix(sentence, "The pump has 2 valves") || evidence[0] != "The pipe has 2 valves." {
			t.Errorf("asked about %q and %q", sentence, evidence)
		}
		return Supported, "a pipe is a pump there", nil
	}})
	item := func(text string) []Item {
		return []Item{{Key: "D1", Kind: KindPassage, At: Place{Doc: "d"}, Text: text}}
	}
	holds, reason, err := judge(t.Context(), "The pump has 2 valves [D1].", item("The pump has 2 valves."), item("The pipe has 2 valves."))
	if err != nil || !holds || !strings.Contains(reason, "a pipe is a pump there") {
		t.Errorf("with a model: %v (%s), %v", holds, reason, err)
	}
}
