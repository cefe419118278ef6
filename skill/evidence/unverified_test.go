package evidence_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill/evidence"
)

func TestMarkUnverified(t *testing.T) {
	led := evidence.NewLedger()
	led.Add(evidence.Item{Kind: "passage", Text: "The threshold is 14 times the floor. A [dark | bright] `mode` exists.", At: evidence.Place{Name: "a.pdf", Page: 1}})
	led.Add(evidence.Item{Kind: evidence.KindEntity, Text: "floor = 14", At: evidence.Place{Repo: "r", Path: "a.py", Line: 1}})
	for text, want := range map[string]string{
		"The threshold is 14 times the floor [D1].":               "The threshold is 14 times the floor [D1].",
		"The threshold is 17 times the floor [D1].":               "The threshold is 17 times the floor [not supported: `REASON`] [D1].",
		"The threshold is 17 times the floor. [D1]":               "The threshold is 17 times the floor [not supported: `REASON`]. [D1]",
		"- The threshold is 17 times the floor! [D1]\n":           "- The threshold is 17 times the floor [not supported: `REASON`]! [D1]\n",
		"No dark mode exists [D1]. It is 17 [D1].":                "No dark mode exists [not supported: `REASON`] [D1]. It is 17 [not supported: `REASON`] [D1].",
		"| Threshold |\n|---|\n| not 14 times the floor [D1] |\n": "| Threshold |\n|---|\n| not 14 times the floor [not supported: `REASON`] [D1] |\n",
		"A committee of nine wrote it [D1].":                      "A committee of nine wrote it [not verified: `REASON`] [D1].",
		"It is 17 times the floor [C1].":                          "It is 17 times the floor [C1].", // of code nothing tells
		"It is 17 times the floor [C1], [D1].":                    "It is 17 times the floor [not verified: `REASON`] [C1], [D1].",
		"":                                                        "",
	} {
		judge := func(s string) []evidence.Judgement {
			judged, err := evidence.Judge(t.Context(), led, s, nil)
			if err != nil {
				t.Fatal(err)
			}
			return judged
		}
		before := judge(text)
		marked := evidence.MarkUnverified(led, text, before)
		after := judge(marked)
		got := marked
		for _, j := range before {
			if j.Verdict != evidence.Supported {
				got = strings.Replace(got, strings.NewReplacer("`", "'", "[", "(", "]", ")", "|", "/").Replace(j.Reason), "REASON", 1)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if len(before) != len(after) {
			t.Fatalf("%q: %d sentences are judged, %d once it is marked: %q", text, len(before), len(after), marked)
		}
		for i := range before {
			if before[i].Verdict != after[i].Verdict || before[i].Reason != after[i].Reason {
				t.Errorf("%q is %s (%s), and marked %s (%s)", text, before[i].Verdict, before[i].Reason, after[i].Verdict, after[i].Reason)
			}
		}
		if again := evidence.MarkUnverified(led, marked, after); again != marked {
			t.Errorf("%q is marked twice: %q", text, again)
		}
		if bad := evidence.CheckText(t.Context(), led, marked, &evidence.CheckOptions{EveryClaim: true, Quotes: true}); text != "" && len(bad) > 0 {
			t.Errorf("%q: the mark breaks it: %v", text, bad)
		}
	}
}

// FuzzMarkUnverified marks any text: no sentence with a mark becomes supported.
func FuzzMarkUnverified(f *testing.F) {
	led := evidence.NewLedger()
	led.Add(evidence.Item{Kind: "passage", Text: "The threshold is 14 times the floor.", At: evidence.Place{Name: "a.pdf", Page: 1}})
	for _, s := range []string{"It is 17 [D1].", "| a | 17 [D1] |", "> not 14. [D1]\n\nSource: [D1]", "17 `x` [D1] [not supported: `y`]", "\"17\" [D1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		judged, err := evidence.Judge(t.Context(), led, text, nil)
		if err != nil {
			return
		}
		marked := evidence.MarkUnverified(led, text, judged)
		after, err := evidence.Judge(t.Context(), led, marked, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range after {
			if j.Verdict == evidence.Supported && strings.Contains(j.Sentence.Text, " [not ") && !strings.Contains(text, "[not ") {
				t.Errorf("%q: %q is marked and supported", text, j.Sentence.Text)
			}
		}
	})
}
