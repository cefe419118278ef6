package text

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A memo reads what Tokens reads, whatever it read before, and does less for what it knows.
func TestMemo(t *testing.T) {
	pieces := []string{
		"signals", "Signal", "the", "RRC_CONNECTED", "maxNrofSSBs-1", "38.331", "detec-\ntion", "state-of-the-art", "can't", "cell's", "__", "_x_",
		"naïve", "Größe", "漢字", "don’t", "re-", "-", ".", ":", "a", strings.Repeat("long", 80), "ends-\n", "x:y", "\u00ad", "10.2.2",
	}
	joints := []string{" ", "\n", "", ", ", "-", ".", "'"}
	r := rand.New(rand.NewPCG(1, 2))
	m := NewMemo()
	for range 2000 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(pieces[r.IntN(len(pieces))])
			b.WriteString(joints[r.IntN(len(joints))])
		}
		var got []Token
		m.Each(b.String(), func(t *Token, at int) {
			c := *t
			c.Start, c.End, c.Parts = c.Start+at, c.End+at, nil
			for _, p := range t.Parts {
				c.Parts = append(c.Parts, Part{p.Term, p.Start + at, p.End + at})
			}
			got = append(got, c)
		})
		if diff := cmp.Diff(Tokens(b.String()), got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q: (-want +got)\n%s", b.String(), diff)
		}
	}
	known := strings.Repeat("signals of maxNrofSSBs-1 and cells ", 100)
	read := func() { m.Each(known, func(*Token, int) {}) }
	read()
	if n := testing.AllocsPerRun(10, read); n > 0 {
		t.Errorf("reading known words takes %v pieces of memory", n)
	}
	for i := range maxMemo + 10 {
		m.Each("w"+strings.Repeat("x", i%50)+string(rune('a'+i/50%26))+string(rune('a'+i/1300)), func(*Token, int) {})
	}
	if n := len(m.known) + len(m.older); n > maxMemo {
		t.Errorf("%d words are remembered, at most %d should be", n, maxMemo)
	}
}

// A word that is asked for again and again is not forgotten when others come and go.
func TestMemoForgetsWhatIsNotMet(t *testing.T) {
	m := NewMemo()
	m.Each("signals", func(*Token, int) {})
	want := m.known["signals"]
	for i := range 2 * maxMemo {
		m.Each("w"+strconv.Itoa(i), func(*Token, int) {})
		if i%1000 == 0 {
			m.Each("signals", func(got *Token, _ int) {
				if got != want {
					t.Fatalf("after %d words it was read again", i)
				}
			})
		}
	}
	if m.word("w1") != nil {
		t.Error("the first words are remembered for ever")
	}
}

func TestMemosLendTheLast(t *testing.T) {
	var p Memos
	a, b := p.Get(), p.Get()
	if a == b {
		t.Fatal("one memo was lent twice")
	}
	p.Put(a)
	p.Put(b)
	if got := p.Get(); got != b {
		t.Error("the memo that came back last is not lent first")
	}
	for range 2 * maxFree {
		p.Put(NewMemo())
	}
	if len(p.free) > maxFree {
		t.Errorf("%d memos are kept, at most %d should be", len(p.free), maxFree)
	}
}

// Whatever a memo read before, it reads what Tokens reads.
func FuzzMemo(f *testing.F) {
	f.Add("maxNrofSSBs-1 a.b", "detec-\ntion-x a.b.c")
	f.Add("it's x’s x'9 a-", "İstanbul ﬁ\u00ad-a ab_'c")
	f.Fuzz(func(t *testing.T, a, b string) {
		m := NewMemo()
		for _, s := range []string{a, b, a + b, b + a} {
			var got []Token
			m.Each(s, func(t *Token, at int) {
				c := *t
				c.Start, c.End, c.Parts = c.Start+at, c.End+at, nil
				for _, p := range t.Parts {
					c.Parts = append(c.Parts, Part{p.Term, p.Start + at, p.End + at})
				}
				got = append(got, c)
			})
			if diff := cmp.Diff(Tokens(s), got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%q: (-want +got)\n%s", s, diff)
			}
		}
	})
}
