package hyphen

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDividedCells(t *testing.T) {
	st := &Vocabulary{words: map[string]bool{"detection": true, "well-known": true}}
	got := []string{
		st.JoinLines("signal-to-", "noise ratio"), st.JoinLines("the detec-", "tion of"), st.JoinLines("a well-", "known fact"),
		st.JoinLines("two", "words"), st.JoinLines("1990-", "1995"), (*Vocabulary)(nil).JoinLines("plain", "text"),
	}
	want := []string{"signal-to-noise ratio", "the detection of", "a well-known fact", "two words", "1990- 1995", "plain text"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("joined (-want +got):\n%s", diff)
	}
}
