package driver

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/text"
)

func TestPhraseCount(t *testing.T) {
	for _, tt := range []struct {
		text, phrase string
		want         int
	}{
		{"the primary signals, the Primary-signal and PRIMARY\nSIGNALLING", "primary signal", 3},
		{"a primary cell signal", "primary signal", 0},
		{"state of the art, state in the art", "state of the art", 1},
		{"state of the art", "state-of-the-art", 0}, // an index has no stop words
		{"RRC_CONNECTED rrc connected RRC.Connected", "rrc connected", 3},
		{"the detec-\ntion of detec- \n tions, detec-tion", "detection", 2},
		{"the detec-\ntion of a cell", "detec-tion", 1},
		{"the detec-\ntion of a cell", "tion of a cell", 1},
		{"a user’s guide, the users' guide, the user's guide", "user guide", 3},
		{"we don’t know, we don't know", "dont know", 2},
		{"the eﬀect size, the café size, ＥＦＦＥＣＴ size", "effect size", 2},
		{"the cafés here", "cafe here", 1},
		{"he was dying of it", "die of it", 1},
		{"hoping and hopeful", "hope and", 1},
		{"x x x x", "x x", 3},
		{"中文字", "文字", 1},
		{strings.Repeat("a", 300) + "needle" + strings.Repeat("b", 200), "needle", 0},
		{strings.Repeat("z", 256) + "needle here", "needle here", 1}, // a word is cut after 256 bytes
		{"", "word", 0},
	} {
		groups := Groups(tt.phrase)
		if got := PhraseCount(tt.text, groups); got != tt.want {
			t.Errorf("PhraseCount(%.60q, %q) = %d, want %d", tt.text, tt.phrase, got, tt.want)
		}
		if got := countPlain(tt.text, groups); got != tt.want {
			t.Errorf("by definition %.60q holds %q %d times, want %d", tt.text, tt.phrase, got, tt.want)
		}
	}
	if got := PhraseCount("word", nil); got != 0 {
		t.Errorf("PhraseCount of no groups = %d", got)
	}
}

// pieces are put together to texts and phrases that meet all that is special about words.
var pieces = []string{
	"signal", "Signals", "signalling", "primary", "PRIMARY", "the", "of", "The", "detec", "tion", "detection", "dying", "die", "skies", "sky",
	"happy", "happily", "happiness", "RRC_CONNECTED", "maxNrofSSBs-1", "38.331", "SIB1", "don't", "user's", "users'", "o’clock", "eﬀect", "effect", "café",
	"cafe", "naïve", "Ω", "α=0.5", "中文", "字", "x", "a", "go", "going", "goes", "hope", "hoping", "relational", "ability", "abilities", "5g", "H2O", "it's", "be",
	"\xff", "co\u00adoperate", "well‐known", "well-known", "rock'n'roll", "boss's", "d'Alembert", "n'est", "ties", "tie", "ＡＢＣ", "abc", "²", "x²", "mp3s", "HTTPServer", "_id", "id",
	"“quoted”", "—", "...", "·", "1990's", "İstanbul", "K", "straße",
}

var joints = []string{" ", " ", " ", " ", "\n", "-\n", "- \n ", "-\n\n", "‐\n", "\u00ad\n", "-", "_", ".", ", ", "", "'", "’", " \t ", "- ", "\r\n", "-\r\n", "  ", ": ", ":"}

func randomPieces(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
		b.WriteString(joints[r.IntN(len(joints))])
	}
	return b.String()
}

func TestPhraseCountsAsDefined(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found := 0
	again := NewPhrase(nil)
	for range 600 {
		s := randomPieces(r, 1+r.IntN(60))
		for range 3 {
			groups := Groups(randomPieces(r, 1+r.IntN(3)))
			if all := text.Tokens(s); r.IntN(2) == 0 && len(all) > 0 { // words that are there
				i := r.IntN(len(all))
				j := min(len(all)-1, i+r.IntN(4))
				groups = Groups(s[all[i].Start:all[j].End])
			}
			if len(groups) == 0 {
				continue
			}
			want := countPlain(s, groups)
			if want > 0 {
				found++
			}
			p := NewPhrase(groups)
			for range 2 { // the second time from what is remembered
				if got := p.Count([]byte(s)); got != want {
					t.Fatalf("%q holds %+v %d times, want %d", s, groups, got, want)
				}
			}
			again.Reset(groups)
			if got := again.Count([]byte(s)); got != want {
				t.Fatalf("%q holds %+v %d times, want %d, after others", s, groups, got, want)
			}
		}
	}
	if found < 300 {
		t.Errorf("only %d phrases were there", found)
	}
}

// What a word's stem is, the word begins with, but for the letter that beginning leaves out.
func TestBeginning(t *testing.T) {
	heads := strings.Fields(`a b by s st str tr cr sk d l t y ey ab ob im un pre con dis rel nat rat activ digit valen sensib form hop hopp control happ cr fl pl
		org anal gener commun arsen us go do prob fin min oper vil vill fut us skeet log geolog triv prox hes fall stab mob not ag ax eb od`)
	tails := strings.Fields(`- s es ies ied ed ing eed eedly ly y ingly edly ion ation ization izer ational tional ative ness fulness ousness iveness ful fully less lessly
		ous ously al ally ality ity ivity bility ability ible ibly able ably ence ency ent ently ance ant ment ements e ee ie ying yed ies' er est ist ism ize ise logi logy ogy
		li ic ical ically icity iciti ate iveli ling lier eli sses us ss ssion ties tied in inn inning out earring bb bbed tt tting y yy`)
	n := 0
	for _, h := range heads {
		for _, a := range append(tails, "") {
			for _, z := range []string{"", "s", "ed", "ing", "ly", "er"} {
				w := strings.Trim(h+a, "-'") + z
				stem := text.Stem(w)
				n++
				if b := beginning(stem); b == nil || !strings.HasPrefix(w, string(b)) {
					t.Errorf("%q has the stem %q, and does not begin with %q", w, stem, b)
				}
			}
		}
	}
	if n < 1000 {
		t.Fatal(n)
	}
}

func FuzzPhraseCount(f *testing.F) {
	f.Add("the detec-\ntion of don’t eﬀects", "detection of")
	f.Add("a-\nb-c x_y'z's", "b c")
	f.Fuzz(func(t *testing.T, s, phrase string) {
		groups := Groups(phrase)
		if len(groups) > 50 {
			return
		}
		if got, want := PhraseCount(s, groups), countPlain(s, groups); got != want {
			t.Fatalf("%q holds %+v %d times, want %d", s, groups, got, want)
		}
	})
}

func BenchmarkPhrase(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	words := strings.Fields(`synchronization signals of the primary and secondary cell are transmitted in a burst by gNB with the timing offset that RRC configures`)
	var sb strings.Builder
	for sb.Len() < 3000 {
		sb.WriteString(words[r.IntN(len(words))])
		sb.WriteByte(" \n"[r.IntN(12)/11])
	}
	txt := []byte(sb.String())
	for _, q := range []string{"timing offset", "primary cell", "synchronization signals of the primary"} {
		b.Run(strings.ReplaceAll(q, " ", "_"), func(b *testing.B) {
			p := NewPhrase(Groups(q))
			b.ReportAllocs()
			for b.Loop() {
				p.Count(txt)
			}
		})
	}
	b.Run("plain", func(b *testing.B) {
		g := Groups("timing offset")
		for b.Loop() {
			countPlain(string(txt), g)
		}
	})
}
