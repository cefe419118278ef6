package show

import (
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// TestMarks: a block of data is taken off and put on again, also around a text that is changed.
func TestMarks(t *testing.T) {
	marked := Data("one\ntwo\n")
	if content, behind, ok := Leading(marked + "tail"); !ok || content != "one\ntwo" || behind != "\ntail" {
		t.Errorf("Leading = %q, %q, %v", content, behind, ok)
	}
	if got := Unmark(marked); got != "one\ntwo\n" {
		t.Errorf("Unmark = %q", got)
	}
	upper := Rewrite(marked, strings.ToUpper)
	if got := Unmark(upper); got != "ONE\nTWO\n" || !strings.HasPrefix(upper, "<data ") {
		t.Errorf("Rewrite = %q", upper)
	}
	if got := Data(""); got != "(empty)\n" {
		t.Errorf("Data of nothing = %q", got)
	}
}

// TestRekey: keys of another ledger get those of this one, and what it does not know is no key any more.
func TestRekey(t *testing.T) {
	got := Rekey("a [D1], b [C2; D1], c [D9]", map[string]string{"D1": "D4", "C2": "C7"})
	if want := "a [D4], b [C7; D4], c (D9)"; got != want {
		t.Errorf("Rekey = %q, want %q", got, want)
	}
}

// TestItems: an item that the text does not show is put behind it.
func TestItems(t *testing.T) {
	it := evidence.Item{Key: "D1", Kind: evidence.KindPassage, Text: "one\ntwo\n", At: evidence.Place{Name: "a.pdf", Page: 2}, Tier: "phrase"}
	if got := WithItems("seen [D1]", []evidence.Item{it}); got != "seen [D1]" {
		t.Errorf("WithItems = %q", got)
	}
	got := WithItems("seen\n", []evidence.Item{it})
	if want := "seen\n[D1] passage p. 2 (a.pdf) (phrase)\n    one\n    two"; got != want {
		t.Errorf("WithItems = %q, want %q", got, want)
	}
	res := &skill.Result{Notes: []string{"old"}, Trimmed: skill.Trimmed{Runes: 3, Items: 1}}
	if got := Remarks(res); !strings.Contains(got, "3 characters and 1 pieces") || !strings.Contains(got, "no evidence: old") {
		t.Errorf("Remarks = %q", got)
	}
}
