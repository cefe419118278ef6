package evidence

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/errs"
)

func TestAnswer(t *testing.T) {
	src := textSource{"d": "The PSS is an m-sequence of length 127.\n", "e": "unused"}
	l := NewLedger()
	l.Add(Item{Kind: KindPassage, At: Place{Doc: "e"}, Text: "unused"})
	l.Add(Item{Kind: KindPassage, At: Place{Doc: "d", Page: 1}, Text: "The PSS is an m-sequence"})
	a := &Answer{Text: "Its length is 127 [D2].", Quotes: []Quote{{"D2", "m-sequence of length 127"}}}
	if err := a.Seal(t.Context(), src, l); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := a.Write(&b); err != nil {
		t.Fatal(err)
	}
	back, err := ReadAnswer(&b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(a, back); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if err := back.Check(t.Context(), src); err != nil {
		t.Errorf("Check = %v", err)
	}
	if err := back.Check(t.Context(), textSource{"d": "The PSS is an m-sequence of length 127!\n"}); !errors.Is(err, errs.Stale) {
		t.Errorf("Check of a changed source = %v", err)
	}
	if err := back.Check(t.Context(), textSource{}); !errors.Is(err, errs.NotFound) {
		t.Errorf("Check of a missing source = %v", err)
	}
	forged := *back
	forged.Quotes = []Quote{{"D2", "m-sequence of length 128"}}
	var qe *QuoteError
	if err := forged.Check(t.Context(), src); !errors.As(err, &qe) {
		t.Errorf("Check of a forged quote = %v", err)
	}
	forged = *back
	forged.Text = "Made up [D7]."
	if err := forged.Check(t.Context(), src); !errors.Is(err, errs.NotFound) {
		t.Errorf("Check of an unknown key = %v", err)
	}
	if err := (&Answer{Text: "[D9]"}).Seal(t.Context(), src, l); !errors.Is(err, errs.NotFound) {
		t.Errorf("Seal = %v", err)
	}
	if _, err := ReadAnswer(bytes.NewBufferString(`{"format": 99}`)); !errors.Is(err, errs.Format) {
		t.Errorf("ReadAnswer = %v", err)
	}
}
