package evidence

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/errs"
)

type textSource map[string]string

func (s textSource) Text(_ context.Context, at Place) (string, error) {
	t, ok := s[at.Doc]
	if !ok {
		return "", errs.NotFound
	}
	return t, nil
}

func TestVerifyQuote(t *testing.T) {
	const page = "The primary synchro-\nnization signal (PSS) is an m-sequence of length 127.\nIt is not coherent; the of\ufb01ce uses time-\nfrequency " +
		"grids,  see TS 38.331 [3]. The unable detector fails below -5 dB, at 0.5 ms and 10² samples. Fig. 1, 2 show pre- and post-processing. " +
		"Errors are non-coherent sums. N\u00adcell is \u201cfixed\u201d and caf\u0065\u0301 opens."
	src := textSource{"d": page}
	it := Item{Key: "D1", At: Place{Doc: "d", Page: 1}}
	accept := []string{
		"The primary synchronization signal (PSS) is an m-sequence of length 127.",
		"primary synchro-\nnization signal",
		"primary synchro- nization signal",
		"the office uses time-frequency grids, see TS 38.331",
		"time-\nfrequency   grids",
		"  It is not coherent  ",
		"It is not coherent ; the of\ufb01ce",
		"TS\u00a038.331 [3]",
		"below -5 dB",
		"0.5 ms",
		"Fig. 1, 2 show",
		"pre- and post-processing",
		"Ncell is \u201cfixed\u201d",
		"caf\u00e9 opens.",
		"m\u2010sequence of length 127",
	}
	for _, q := range accept {
		if err := VerifyQuote(t.Context(), src, it, q); err != nil {
			t.Errorf("VerifyQuote(%q) = %v", q, err)
		}
	}
	refuse := []string{
		"",
		"  ", "...",
		"an m-sequence of length 128",
		"an msequence of length 127",
		"It is coherent",
		"It is not coherent; the office uses time-frequency grids, and proves it",
		"able detector",
		"5 dB", "5 ms", "102 samples", "10 samples",
		"Fig. 1,2 show",
		"the primary synchronization", // case
		"coherent sums",               // of "non-coherent"
		"non coherent sums",
		"noncoherent sums",
		"synchronization sign",
		"ization signal",
		"TS 38",
		"331 [3]",
		"signal PSS is",
		"primary ... signal",
		"The primary signal",
		"signal primary",
		"length 127. The unable",
		"length 12 7",
		"thePrimary",
		"is not\u200bcoherent",
		strings.Repeat("a ", maxQuoteRunes),
		"\xff\xfe",
	}
	for _, q := range refuse {
		err := VerifyQuote(t.Context(), src, it, q)
		var qe *QuoteError
		if err == nil || !errors.As(err, &qe) && !errors.Is(err, errs.TooLarge) {
			t.Errorf("VerifyQuote(%q) = %v, want a refusal", q, err)
		}
	}
	if err := VerifyQuote(t.Context(), src, Item{At: Place{Doc: "gone"}}, "x"); !errors.Is(err, errs.NotFound) {
		t.Errorf("a missing source: %v", err)
	}
}

func TestVerifyQuoteHostileText(t *testing.T) {
	src := textSource{"d": strings.Repeat("a ", 1<<20)}
	err := VerifyQuote(t.Context(), src, Item{At: Place{Doc: "d"}}, strings.Repeat("a ", maxQuoteRunes/2-1)+"b")
	if !errors.Is(err, errs.TooLarge) {
		t.Errorf("VerifyQuote = %v, want too large", err)
	}
}

func FuzzVerifyQuote(f *testing.F) {
	f.Add("The synchro-\nnization signal", 4, 12)
	f.Add("of\ufb01ce \u201cx\u201d 38.331 -5 dB\u00ad\n a", 0, 30)
	f.Add("a-\nb - \n c\uf8ff", 1, 7)
	f.Fuzz(func(t *testing.T, page string, from, to int) {
		src := textSource{"d": page}
		it := Item{Key: "D1", At: Place{Doc: "d"}}
		rs := []rune(strings.ToValidUTF8(page, "?"))
		page = string(rs)
		src["d"] = page
		if from < 0 || to > len(rs) || from >= to {
			return
		}
		quote := string(rs[from:to])
		err := VerifyQuote(t.Context(), src, it, quote)
		// A whole text that holds a word is a quote of itself, and a word more at its end is not.
		if from == 0 && to == len(rs) && hasWord(canonical(quote)) && to <= maxQuoteRunes && err != nil {
			t.Fatalf("a text is no quote of itself: %v", err)
		}
		if err == nil && VerifyQuote(t.Context(), src, it, quote+" zqxjkv") == nil && !strings.Contains(page, "zqxjkv") {
			t.Fatal("a made-up tail was accepted")
		}
	})
}
