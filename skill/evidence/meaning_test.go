package evidence

import (
	"context"
	"errors"
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

No key is near this sentence.
`
	want := []Verdict{Supported, Unsupported, Unsupported, Supported, Unsupported, Undecided, Undecided, Supported, Supported}
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
	asked := 0
	decide := func(_ context.Context, sentence string, evidence []string) (Verdict, string, error) {
		asked++
		return Unsupported, "no plate", nil
	}
	got, err = Judge(t.Context(), l, text, &JudgeOptions{Decide: decide})
	if err != nil || asked != 2 || got[6].Verdict != Unsupported || !got[6].Model || got[0].Model {
		t.Errorf("a model was asked %d times: %v, %v", asked, got, err)
	}
	fault := errors.New("no answer")
	if _, err := Judge(t.Context(), l, text, &JudgeOptions{Decide: func(context.Context, string, []string) (Verdict, string, error) { return "", "", fault }}); !errors.Is(err, fault) {
		t.Errorf("Judge = %v", err)
	}
}
