package text

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func counted(c *Counter, v *Vocabulary, s string) []string {
	var ids []uint32
	c.Each(s, func(id uint32) { ids = append(ids, id) })
	var out []string
	for _, id := range ids {
		out = append(out, v.Terms()[id])
	}
	return out
}

func TestCounterGivesTerms(t *testing.T) {
	v := NewVocabulary()
	c := NewCounter(v)
	src, err := os.ReadFile("count_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"", "self.assertEqual(a.b_c, it's)", "detec-\ntion detec- \n tion a-b- c", "x' y'z 'q' o'2 a.'b", "a_.b __init__ _", "don’t naïve-x x-ñ.y 中文字ab", "the THE a.the", "\xff\xfe-\n", string(src)} {
		for range 2 { // the second time from what is remembered
			if d := cmp.Diff(Terms(s), counted(c, v, s)); d != "" {
				t.Errorf("Each(%.40q) (-Terms +got):\n%s", s, d)
			}
		}
	}
}

func TestCounterForgets(t *testing.T) {
	v := NewVocabulary()
	c := NewCounter(v)
	word := []byte("aaaaa")
	for range maxKnown + 10 {
		for i := range word {
			if word[i]++; word[i] <= 'z' {
				break
			}
			word[i] = 'a'
		}
		c.Each(string(word), func(uint32) {})
	}
	if len(c.known) > maxKnown {
		t.Errorf("%d words remembered", len(c.known))
	}
}

// Whatever stood before, a counter gives the terms of a text.
func FuzzCounter(f *testing.F) {
	f.Add("maxNrofSSBs-1 a.b", "detec-\ntion-x a.b.c")
	f.Add("it's x’s", "İstanbul ﬁ\u00ad-a ab")
	f.Fuzz(func(t *testing.T, a, b string) {
		v := NewVocabulary()
		c := NewCounter(v)
		for _, s := range []string{a, b, a + b, b + a} {
			if got, want := counted(c, v, s), Terms(s); !slices.Equal(got, want) {
				t.Fatalf("Each(%q) = %q, want %q", s, got, want)
			}
		}
	})
}
