package driver_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

func counts(f driver.Field) map[string]int {
	m := map[string]int{}
	for t, ps := range f.Terms {
		m[t] = len(ps)
	}
	return m
}

// checkBag compares what an engine may index by numbers with the definition.
func checkBag(t *testing.T, v *text.Vocabulary, c *text.Counter, s string) {
	t.Helper()
	var b text.Bag
	c.Bag(s, &b)
	named := func(ids []uint32) map[string]int {
		m := map[string]int{}
		for _, id := range ids {
			m[v.Terms()[id]]++
		}
		return m
	}
	a := driver.Analyze(s)
	if d := cmp.Diff(counts(a.Words), named(b.Words), cmpopts.EquateEmpty()); d != "" || b.Length != a.Words.Length {
		t.Fatalf("words of %q: length %d, want %d (-Analyze +Bag):\n%s", s, b.Length, a.Words.Length, d)
	}
	if d := cmp.Diff(counts(a.Idents), named(b.Idents), cmpopts.EquateEmpty()); d != "" || len(b.Idents) != a.Idents.Length {
		t.Fatalf("idents of %q: %d, want %d (-Analyze +Bag):\n%s", s, len(b.Idents), a.Idents.Length, d)
	}
}

func TestBagIsAnalyze(t *testing.T) {
	v := text.NewVocabulary()
	c := text.NewCounter(v)
	for range 2 { // the second time from what is remembered
		for _, s := range []string{
			"", "the UE in RRC_CONNECTED, see 38.331 for maxNrofSSBs-1 and SIB1", "detec-\ntion of detec-tion, a well-\nknown well-known",
			"the the-\nthe a-\nb x-\nx-y", "中文字ab don’t __init__ _ naïve-x x-ñ.y", "\xff\xfe-\n",
		} {
			checkBag(t, v, c, s)
		}
	}
}

func FuzzBag(f *testing.F) {
	f.Add("maxNrofSSBs-1 a.b detec-\ntion-x a.b.c", "it's x’s the-\nthe")
	f.Fuzz(func(t *testing.T, a, b string) {
		v := text.NewVocabulary()
		c := text.NewCounter(v)
		for _, s := range []string{a, b, a + b, b + a} {
			checkBag(t, v, c, s)
		}
	})
}
