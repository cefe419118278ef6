package elasticstore

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// split does what the server's analyser does: the words at each place.
func split(s string) [][]string {
	var out [][]string
	for f := range strings.FieldsSeq(s) {
		out = append(out, strings.Split(f, same))
	}
	return out
}

func FuzzAnalyze(f *testing.F) {
	for _, s := range []string{
		"", "the state of the art", "the detec-\ntion of a well-\nknown sequence", "RRC_CONNECTED maxNrofSSBs-1 38.331 SIB1", "does a doe very well; veri",
		"to-do in-\nside", "ﬁne ͺ\u037a a\u00a0b\u2003c", "日本語 text", "a\x00b \x01the \x02 \xff\xfe", "so-\ncalled so-called-\nthing",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := driver.Analyze(s)
		words, idents := analyze(s)
		got := driver.Analysis{Words: driver.Field{Terms: map[string][]int{}, Length: words.length}, Idents: driver.Field{Terms: map[string][]int{}, Length: idents.length}}
		odd := false // a term that stands otherwise in the index
		for field, terms := range map[string]map[string][]int{"words": want.Words.Terms, "idents": want.Idents.Terms} {
			for tm := range terms {
				if term(tm) != tm || strings.HasPrefix(tm, stop) {
					odd = true
				}
				if strings.ContainsFunc(term(tm), func(r rune) bool { return r == 0x1f || r == ' ' || r == '\n' }) {
					t.Errorf("%s: the term %q would be cut", field, tm)
				}
			}
		}
		places := split(words.text)
		for at, all := range places {
			for i, w := range all {
				if slices.Contains(all[:i], w) {
					t.Errorf("%q stands twice at place %d of %q", w, at, words.text)
				}
				if !strings.HasPrefix(w, stop) {
					got.Words.Terms[w] = append(got.Words.Terms[w], at)
				}
			}
		}
		for _, w := range strings.Fields(idents.text) {
			got.Idents.Terms[w] = append(got.Idents.Terms[w], 0)
		}
		n := 0
		for _, tok := range text.Tokens(s) {
			n += len(tok.Parts)
		}
		if len(places) != n {
			t.Fatalf("%d places of %q, want %d", len(places), s, n)
		}
		if odd {
			return
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("analyze(%q) (-driver +got):\n%s", s, diff)
		}
		heads := analyzeHeads(s)
		counts := map[string]int{}
		for _, w := range strings.Fields(heads.text) {
			counts[w]++
		}
		wantHeads := driver.Analyze(s).Words
		for w, ps := range wantHeads.Terms {
			if counts[w] != len(ps) {
				t.Errorf("heads %q hold %q %d times, want %d", s, w, counts[w], len(ps))
			}
		}
		if heads.length != wantHeads.Length || len(counts) != len(wantHeads.Terms) {
			t.Errorf("heads %q: %d tokens and %d terms, want %d and %d", s, heads.length, len(counts), wantHeads.Length, len(wantHeads.Terms))
		}
	})
}

func TestTextFields(t *testing.T) {
	for _, k := range driver.Kinds() {
		for _, s := range []string{"", "one line", "two\nlines", "\n", "a\nb\nc\n", "no UTF-8: \xff\n\xfe"} {
			d := &document{}
			d.putText(k, s)
			if got := d.text(); got != s {
				t.Errorf("%s: %q came back as %q", k, s, got)
			}
		}
	}
}

func TestVectors(t *testing.T) {
	v := []float32{1, -2.5, 3e-7}
	b, err := packVector(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := unpackVector(b, 3)
	if diff := cmp.Diff(v, got); diff != "" || err != nil {
		t.Errorf("unpackVector: %v (-want +got):\n%s", err, diff)
	}
	if _, err := unpackVector(b, 2); err == nil {
		t.Error("a vector of another length than it says: no error")
	}
}

func TestVariants(t *testing.T) {
	rows := func(s string) []string {
		var out []string
		for _, row := range variants(driver.Groups(s)) {
			out = append(out, strings.ReplaceAll(strings.Join(row, " "), stop, "!"))
		}
		return out
	}
	for _, tt := range []struct {
		q    string
		want []string
	}{
		{"state of the art", []string{"state !of !the art"}},
		{"well-known signals", []string{"well known signal", "well-known signal"}},
		{"a-b c-d", []string{"a b c d", "a b c-d", "a-b c d", "a-b c-d"}},
		{strings.Repeat("a-b ", 5), nil},
	} {
		if diff := cmp.Diff(tt.want, rows(tt.q)); diff != "" {
			t.Errorf("variants(%q) (-want +got):\n%s", tt.q, diff)
		}
	}
}

func TestExplained(t *testing.T) {
	for s, want := range map[string][]string{
		"(words:signal)^0.5 (words:sign)^0.25":           {"signal", "sign"},
		"ConstantScore(words:sync)":                      {"sync"},
		"MatchNoDocsQuery(\"nothing\")":                  nil,
		"+(words:a:b)^0.5 +ConstantScore(live:[1 TO 2])": {"a:b"},
	} {
		if diff := cmp.Diff(want, slices.Collect(explained(s))); diff != "" {
			t.Errorf("explained(%q) (-want +got):\n%s", s, diff)
		}
	}
}
