package evidence

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/visible"
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
		"Errors are non-coherent sums: x \u2208 V, 3\u20135 dB, at .5 K of the .NET tools, of \u2212 7 K, the m\u00adsequence, don't, km/h and f(x) = 1,024; 38-\n331. Ze\u200bro. N\u00adcell is \u201cfixed\u201d and caf\u0065\u0301 opens."
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
		"x \u2208V", "x\u2208V,", "f(x)=1,024", "= 1,024", ".NET tools", ".5 K of the .NET tools", "38-331", "38- 331", "the m-sequence, don't", "\u2212 7 K", "Zero", "Ze\u200bro",
		"synchro\u00adnization", "sums: x",
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
		"is not\u200bcoherent", "not co\u200bherent",
		"7 K", "5 K", "NET tools", "5 dB,", "\u20135 dB", "(x) = 1,", "024", "38331", "38 331", "m\u2212sequence", "time\u2013frequency", "don", "t, km", "h and", "preand post",
		"pre-and post", "re\u00adsums", "the m sequence", "don\u2019t", ".5 ms", "-sequence of length", "nonwords", "fi", "127. It is not coherent; the of",
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

func TestVerifyQuoteAsShown(t *testing.T) {
	src := textSource{"d": "The pass\u200bword of p\u0430yload and a\u202egnp.exe. Plain words, a literal [U+200B] here, код ра\u0301но, می\u200cخواهم, \xffa byte, \x1b[1mbold.",
		"control": "the first\x07 and pass\u200bword again"}
	for _, tt := range []struct {
		doc, quote string
		ok         bool
	}{
		{"d", "The pass[U+200B]word of", true},
		{"d", "pass[U+200B]word of p[U+0430]yload and a[U+202E]gnp.exe", true},
		{"d", "pass\u200bword of p\u0430yload", true},
		{"d", "p[U+0430]yload", true},
		{"d", "a literal [U+200B] here", true},
		{"d", "[0xFF]a byte", true},
		{"d", "[U+001B][1mbold", true},
		{"d", "Plain[U+200B] words", false},
		{"d", "Pl[U+200B]ain words", false},
		{"d", "The pass[U+200C]word", false},
		{"d", "The p[U+0430]ss\u200bword", false},
		{"d", "[U+0050]lain words", false},
		{"d", "[U+043A]од", false},             // not shown so
		{"d", "می[U+200C]خواهم", false},        // neither
		{"d", "word of p[U+0430]yload", false}, // begins within a word
		{"d", "of p[U+0430]", false},           // ends within a word
		{"d", "p\u0430yload[U+202E] and", false},
		{"d", "payload and", false},
		{"control", "[U+200B]", false},
		{"d", "[U+FFFFFF] words", false},
		{"control", "the first[U+0007] and pass[U+200B]word again", true},
		{"control", "the first[U+0008] and", false},
	} {
		err := VerifyQuote(t.Context(), src, Item{Key: "D1", At: Place{Doc: tt.doc}}, tt.quote)
		if (err == nil) != tt.ok {
			t.Errorf("VerifyQuote(%q) = %v, want %v", tt.quote, err, tt.ok)
		}
	}
}

// FuzzVerifyQuote checks that a quote cut where words part is accepted, and the same with a made-up end is not.
func FuzzVerifyQuote(f *testing.F) {
	f.Add("The synchro-\nnization signal", 0, 3)
	f.Add("of\ufb01ce \u201cx\u201d 38.331 -5 dB\u00ad\n a", 1, 4)
	f.Add("a-\nb - \n c\uf8ff e\u0301 x \u2208V", 1, 7)
	f.Add("the pass\u200bword of p\u0430yload and \u202ex end", 1, 5)
	f.Fuzz(func(t *testing.T, page string, from, to int) {
		page = strings.ToValidUTF8(page, "?")
		cuts := regexp.MustCompile(`\S+`).FindAllStringIndex(page, -1)
		if from < 0 || to > len(cuts) || from >= to {
			return
		}
		quote := page[cuts[from][0]:cuts[to-1][1]]
		src := textSource{"d": page}
		it := Item{Key: "D1", At: Place{Doc: "d"}}
		err := VerifyQuote(t.Context(), src, it, quote)
		letter := func(i int) bool { // at both sides of white space: no sign that belongs to what the quote leaves out
			return i < 0 || i >= len(page) || page[i] >= 'a' && page[i] <= 'z'
		}
		free := letter(cuts[from][0]) && letter(cuts[to-1][1]-1)
		if from > 0 {
			free = free && letter(cuts[from-1][1]-1)
		}
		if to < len(cuts) {
			free = free && letter(cuts[to][0])
		}
		if free && len([]rune(quote)) <= maxQuoteRunes && len(page) < 4096 && err != nil {
			t.Fatalf("%q is no quote of %q: %v", quote, page, err)
		}
		if err == nil && VerifyQuote(t.Context(), src, it, quote+" zqxjkv") == nil && !strings.Contains(page, "zqxjkv") {
			t.Fatal("a made-up tail was accepted")
		}
		if err == nil && !strings.Contains(quote, "[U+") && len(page) < 4096 {
			if shown := visible.Text(page); strings.Contains(shown, visible.Text(quote)) { // not told by what stands beside it
				if err := VerifyQuote(t.Context(), src, it, visible.Text(quote)); err != nil && len(quote) < maxQuoteRunes/8 {
					t.Fatalf("%q is no quote of %q as it is shown: %v", visible.Text(quote), page, err)
				}
			}
			if made := quote + "[U+200B]"; VerifyQuote(t.Context(), src, it, made) == nil && !strings.ContainsAny(page, "\u200b[") {
				t.Fatalf("%q was accepted of %q", made, page)
			}
		}
	})
}

func TestQuoteReasons(t *testing.T) {
	src := textSource{"d": "The detector loses 3 dB at low SNR, when noise is strong. It is not coherent; see TS 38.331."}
	tests := []struct{ quote, want string }{
		{"The detector loses 5 dB at low SNR", `it says "loses 5" where the source has "loses 3"`},
		{"It is coherent; see", `it leaves out "not"`},
		{"The detector loses exactly 3 dB", `it adds "exactly"`},
		{"when noise is strong, and always.", `it says "is strong, and always." where the source has "is strong. It is"`},
		{"see TS 38", `it is cut out of a longer word, name or number there: "see TS 38.331."`},
		{"Bananas grow on many trees", "nor anything like it"},
		{"...", "holds no word"},
	}
	for _, tt := range tests {
		err := VerifyQuote(t.Context(), src, Item{Key: "D1", At: Place{Doc: "d"}}, tt.quote)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.quote, err, tt.want)
		}
	}
}

// footnotes is a source whose text is nothing but what stands between pages.
type footnotes struct{}

func (footnotes) Text(_ context.Context, at Place) (string, error) {
	if at.Running {
		return "", nil
	}
	return strings.Repeat("a note\n", at.EndLine-at.Line+1), nil
}

// TestFollows: a place follows another over what stands between two pages, as long as that is not longer than any such thing.
func TestFollows(t *testing.T) {
	a := Place{Doc: "d", Line: 1, EndLine: 10}
	for line, want := range map[int]bool{5: false, 10: false, 11: true, 12: true, 11 + maxJoint: true, 12 + maxJoint: false} {
		if got := follows(t.Context(), footnotes{}, a, Place{Doc: "d", Line: line, EndLine: line}); got != want {
			t.Errorf("line %d: %v, want %v", line, got, want)
		}
	}
	if follows(t.Context(), footnotes{}, a, Place{Doc: "other", Line: 11, EndLine: 11}) || follows(t.Context(), footnotes{}, a, Place{Doc: "d", Page: 2}) {
		t.Error("another document, or a page, follows lines")
	}
	if one, two := (Place{Doc: "d", Page: 1}), (Place{Doc: "d", Page: 2}); !follows(t.Context(), footnotes{}, one, two) || follows(t.Context(), footnotes{}, two, one) {
		t.Error("pages follow one another in their order")
	}
}
