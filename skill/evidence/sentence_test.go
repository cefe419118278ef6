package evidence

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/need"
)

func TestSentences(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string // "keys|text"
	}{
		{"plain", "The PSS has length 127 [D1]. It is an m-sequence [C2, C3].", []string{"D1|The PSS has length 127 [D1].", "C2 C3|It is an m-sequence [C2, C3]."}},
		{"behind the stop", "A is so. [D1] B is so. [D2]", []string{"D1|A is so. [D1]", "D2|B is so. [D2]"}},
		{"before the sentence", "[D1] A is so. [D2] B is so.", []string{"D1|[D1] A is so.", "D2|[D2] B is so."}},
		{"a key as subject", "A is so [D1]. [D2] says B.", []string{"D1|A is so [D1].", "D2|[D2] says B."}},
		{"forms", "a [D1][D2]. b [D1; D3]. c [C1 and C2]. d [D1-D3]. e [D5\u20137]. f ([D9]).", []string{
			"D1 D2|a [D1][D2].", "D1 D3|b [D1; D3].", "C1 C2|c [C1 and C2].", "D1 D2 D3|d [D1-D3].", "D5 D6 D7|e [D5\u20137].", "D9|f ([D9])."}},
		{"no citations", "See (D1), [1], [d1], D1, \\[D1\\], a[D1x] and `x[D1]`.", []string{"|See (D1), [1], [d1], D1, \\[D1\\], a[D1x] and `x[D1]`."}},
		{"numbers", "See TS 38.331, clause 5.3.5.3, at 0.5 dB. Next [D1].", []string{"|See TS 38.331, clause 5.3.5.3, at 0.5 dB.", "D1|Next [D1]."}},
		{"abbreviations", "See e.g. Fig. 3, cf. Eq. (2) of J. Smith et al. [D1]. In Rel. 17 vs. Rel. 16, i.e. later [D2].", []string{
			"D1|See e.g. Fig. 3, cf. Eq. (2) of J. Smith et al. [D1].", "D2|In Rel. 17 vs. Rel. 16, i.e. later [D2]."}},
		{"no", "The answer is no. The PSS is not [D1].", []string{"|The answer is no.", "D1|The PSS is not [D1]."}},
		{"identifiers begin sentences", "It is found. detect_pss calls it [C1].", []string{"|It is found.", "C1|detect_pss calls it [C1]."}},
		{"no space", "It is so [D1].The rest is not.", []string{"D1|It is so [D1].", "|The rest is not."}},
		{"code", "`a. B` runs [C1]. It calls `Server.Run`. Then [C2].", []string{"C1|`a. B` runs [C1].", "|It calls `Server.Run`.", "C2|Then [C2]."}},
		{"quotes", "It says \"A is B. C is D.\" [D1] Then E.", []string{"D1|It says \"A is B. C is D.\" [D1]", "|Then E."}},
		{"keys of the source", "It says \"see [D7] there\" [D1].", []string{"D1|It says \"see [D7] there\" [D1]."}},
		{"list", "Steps:\n- one [D1]\n- two\n  goes on [D2]\n2. three\n(iv) four.", []string{"|Steps:", "D1|one [D1]", "D2|two\n  goes on [D2]", "|three", "|four."}},
		{"table", "| Name | Value |\n|---|---|\n| PSS | 127 [D1] |\n| SSS | 128 |\n", []string{"|| Name | Value |", "D1|| PSS | 127 [D1] |", "|| SSS | 128 |"}},
		{"table without edges", "Name | Value\n--- | ---\nPSS | 127 [D1]\nSSS | 128", []string{"|Name | Value", "D1|PSS | 127 [D1]", "|SSS | 128"}},
		{"heading", "# The PSS is 999\ntext [D1]", []string{"|# The PSS is 999", "D1|text [D1]"}},
		{"fence", "```python\nx = a[D1]. Y\n```\n[C1]\n\nNext.", []string{"C1|```python\nx = a[D1]. Y\n```\n[C1]", "|Next."}},
		{"fence left open", "~~~\nA is B.", []string{"|~~~\nA is B."}},
		{"block quote", "> A is B.\n> C is D. [D1]\n\nE.", []string{"D1|> A is B.\n> C is D. [D1]", "|E."}},
		{"keys below", "A is B.\n\n[D1]\nC", []string{"D1|A is B.\n\n[D1]", "|C"}},
		{"wrapped", "The primary synchronization signal of the cell is an m-sequence\nOf length 127 [D1]. Short\nline", []string{
			"D1|The primary synchronization signal of the cell is an m-sequence\nOf length 127 [D1].", "|Short\nline"}},
		{"lines", "PSS: 999\nSSS: 127 [D1]\n128 is C", []string{"|PSS: 999", "D1|SSS: 127 [D1]", "|128 is C"}},
		{"rules", "---\n***\n\n===\n!", nil},
		{"key alone", "[D1]", []string{"D1|[D1]"}},
		{"marks", "Is it? It is! Good...  And [D1].", []string{"|Is it?", "|It is!", "|Good...", "D1|And [D1]."}},
		{"ideographic", "\u957f\u5ea6\u662f127\u3002\u662f[D1]\u3002", []string{"|\u957f\u5ea6\u662f127\u3002", "D1|\u662f[D1]\u3002"}},
		{"tags", "<p>A is B<br/>C is D [D1]</p><LI>E < p and <b>F</b>", []string{"|A is B", "D1|C is D [D1]", "|E < p and <b>F</b>"}},
		{"separators", "A is B\u2028C is D\rE is F\u0085G is H [D1]\r\nI", []string{"|A is B", "|C is D", "|E is F", "D1|G is H [D1]", "|I"}},
		{"bullets", "\u2013 one\n\u25e6 two [D1]\n\u2192 three", []string{"|one", "D1|two [D1]", "|three"}},
		{"emphasis", "**It is so.** *Yes* [D1].", []string{"|**It is so.**", "D1|*Yes* [D1]."}},
	}
	for _, tt := range tests {
		var got []string
		for _, s := range Sentences(tt.in) {
			got = append(got, strings.Join(s.Keys, " ")+"|"+s.Text)
			if tt.in[s.Start:s.End] != s.Text {
				t.Errorf("%s: %q is not at its offsets", tt.name, s.Text)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}

func TestParseKeys(t *testing.T) {
	tests := []struct {
		in   string
		want []string
		b    bracket
	}{
		{"D1", []string{"D1"}, cited},
		{" C2 ,D3 ", []string{"C2", "D3"}, cited},
		{"D1, and C2", []string{"D1", "C2"}, cited},
		{"D9-D11; C1", []string{"D9", "D10", "D11", "C1"}, cited},
		{"D1 to 3", []string{"D1", "D2", "D3"}, cited},
		{"D1, p. 3", nil, malformed},
		{"D3-D1", nil, malformed},
		{"D1-C3", nil, malformed},
		{"D1-D9999", nil, malformed},
		{"D1,", nil, malformed},
		{"D1 D2", nil, malformed},
		{"D01", nil, notCited}, {"D0", nil, notCited}, {"D", nil, notCited}, {"D1a", nil, notCited}, {"x", nil, notCited}, {"", nil, notCited},
		{"D12345678901", nil, notCited},
		{"D\u06611", nil, notCited},
	}
	for _, tt := range tests {
		got, b := parseKeys(tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" || b != tt.b {
			t.Errorf("parseKeys(%q) = %v, want %v (-want +got)\n%s", tt.in, b, tt.b, diff)
		}
	}
}

// TestSentencesHostile reads texts that would take very long if each mark were followed to the end of the text.
func TestSentencesHostile(t *testing.T) {
	need.NoRace(t)
	size := maxText
	if testing.Short() {
		size /= 16
	}
	for _, s := range []string{"[", "\"", "\"a", "`", "`` ` ", "\u201C", "\u2018a", ".", ". ", "a. ", "|", "| a\n", "> ", ">\n", "#", "# \n", "- ", "(", "[D1]", "[D1", "*", "\\", "<p", "<p>", "\n", " ", "\r", "a\n", "1. ", "~~~\n", "x [D1]. ", "<blockquote>", "<blockquote>a</blockquote>\n", "| <blockquote>\n", "| <blockquote> ", "> a\n>\n", "a\n-- [D1]\n", "- [D1]\n", "\xe2\x80", "\xff"} {
		text := strings.Repeat(s, size/len(s))
		CheckText(t.Context(), NewLedger(), text, &CheckOptions{EveryClaim: true, Quotes: true})
		st := NewStream(NewLedger(), nil)
		for rest := text[:min(len(text), 1<<14)]; rest != ""; rest = rest[1:] {
			st.Write(t.Context(), rest[:1])
		}
		st.Close(t.Context())
	}
}

// FuzzStream cuts a text at random places: what comes out must not depend on them.
func FuzzStream(f *testing.F) {
	for _, s := range []string{
		"A is B. [D1] It says \"A. B.\" [D2]. E.g. this `x. Y` [D1-D3].\n\n- one\n- two [D1]\n", "| a | b |\n|--|--|\n| c [D1] | d |\n# H\n```\nx\n```\n[C1]\n> q\n> r [D1]\n",
		"a.\r\n\r\n[D1]", "\u201Cx \u2018y z w\u2019\u201D. \u957f\u3002[D1]\xff\xe3\x80", "> q\n>\n> -- [D1]\nx\n\nSource: [D1]\n- [D2]\n<blockquote>\"a b\" [D1]\n\n</blockquote> [D1] y", "x \"a\nb\" c|\nd (iv) e. [D1, p] 2. f",
	} {
		f.Add(s, uint64(0x9E3779B97F4A7C15))
	}
	f.Fuzz(func(t *testing.T, s string, cut uint64) {
		led := NewLedger()
		led.Add(Item{Kind: KindPassage, At: Place{Doc: "d"}, Text: "some words of a source"})
		o := &CheckOptions{EveryClaim: true, Quotes: true}
		type part struct {
			S    Sentence
			Errs []string
		}
		var want, got []part
		bad := CheckText(t.Context(), led, s, o)
		for _, x := range Sentences(s) {
			p := part{S: x}
			for _, e := range bad {
				if e.Sentence.Start == x.Start && e.Sentence.End == x.End {
					p.Errs = append(p.Errs, e.Error())
				}
			}
			want = append(want, p)
			if s[x.Start:x.End] != x.Text || len(want) > 1 && want[len(want)-2].S.End > x.Start {
				t.Fatalf("%q is not at %d to %d, or overlaps", x.Text, x.Start, x.End)
			}
		}
		st := NewStream(led, o)
		st.eager = true
		take := func(in []Checked) {
			for _, c := range in {
				p := part{S: c.Sentence}
				for _, e := range c.Errors {
					p.Errs = append(p.Errs, e.Error())
				}
				got = append(got, p)
			}
		}
		for i, rest := 0, s; len(rest) > 0; i++ {
			n := min(len(rest), 1+int(cut>>(i%60)&7))
			take(st.Write(t.Context(), rest[:n]))
			rest = rest[n:]
		}
		take(st.Close(t.Context()))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("of %q (-whole +stream)\n%s", s, diff)
		}
	})
}
