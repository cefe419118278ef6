package evidence

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAttributions(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string // "keys|text"
	}{
		{"in an empty-lined block quote", "> q\n>\n> [D1]\n\nx", []string{"D1|> q\n>\n> [D1]", "|x"}},
		{"the next block quote", "> q\n\n> -- [D1]", []string{"D1|> q\n\n> -- [D1]"}},
		{"behind it", "> q\n\n[D1]", []string{"D1|> q\n\n[D1]"}},
		{"a dash", "> q\n\n-- [D1]\nx", []string{"D1|> q\n\n-- [D1]", "|x"}},
		{"long dash", "> q\n\u2014 [D1, D2]", []string{"D1 D2|> q\n\u2014 [D1, D2]"}},
		{"one dash", "A is B.\n- [D1]\n- C", []string{"D1|A is B.\n- [D1]", "|C"}},
		{"a word", "A is B.\n\n**Source:** [D1]; [D2].\n\nx", []string{"D1 D2|A is B.\n\n**Source:** [D1]; [D2].", "|x"}},
		{"brackets", "A is B.\n*(see [D1])*\nx", []string{"D1|A is B.\n*(see [D1])*", "|x"}},
		{"bracketed keys", "A is B.\n([D1]).\nx", []string{"D1|A is B.\n([D1]).", "|x"}},
		{"two lines", "Sources:\n- [D1]\n- [D2]\n\n[D3]", []string{"D1 D2|Sources:\n- [D1]\n- [D2]", "D3|[D3]"}},
		{"one has its own key", "A is B.\n\nC is D [D1].\n\n[D2]", []string{"|A is B.", "D1|C is D [D1].", "D2|[D2]"}},
		{"a quote has its own key", "A is B.\n\n> q [D1]\n>\n> [D2]", []string{"|A is B.", "D1|> q [D1]", "D2|>\n> [D2]"}},
		{"no further than the next", "A is B.\n\nC is D.\n-- [D1]", []string{"|A is B.", "D1|C is D.\n-- [D1]"}},
		{"two empty lines", "A is B.\n\n\n[D1]", []string{"|A is B.", "D1|[D1]"}},
		{"another's block quote", "A is B.\n\n> [D1]", []string{"|A is B.", "D1|> [D1]"}},
		{"more than keys", "A is B.\n-- Smith [D1]\n\nSource: it is C [D1]", []string{"|A is B.", "D1|-- Smith [D1]", "D1|Source: it is C [D1]"}},
		{"only the last sentence", "It is so. It was not.\n\n[D1]", []string{"|It is so.", "D1|It was not.\n\n[D1]"}},
		{"element", "x:\n<blockquote cite=\"u\">F is G. H [D1]\n\ni</blockquote> J", []string{"|x:", "D1|<blockquote cite=\"u\">F is G. H [D1]\n\ni</blockquote>", "|J"}},
		{"behind the element", "<BLOCKQUOTE>F<blockquote>G</blockquote>H</BLOCKQUOTE> [D1]. J", []string{"D1|<BLOCKQUOTE>F<blockquote>G</blockquote>H</BLOCKQUOTE> [D1].", "|J"}},
		{"below the element", "<blockquote>F</blockquote>\n\n-- [D1]", []string{"D1|<blockquote>F</blockquote>\n\n-- [D1]"}},
	}
	for _, tt := range tests {
		var got []string
		for _, s := range Sentences(tt.in) {
			got = append(got, strings.Join(s.Keys, " ")+"|"+s.Text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
	}
}

// TestQuotesWithAttributions puts a true and a false quote into the same forms.
func TestQuotesWithAttributions(t *testing.T) {
	led := NewLedger()
	led.Add(Item{Kind: KindPassage, At: Place{Doc: "d"}, Text: "It was so. The detector loses 3 dB, when x < y, at low SNR. It is not coherent."})
	const right, wrong = "The detector loses 3 dB, when", "The detector loses 5 dB, when"
	for _, form := range []string{
		"> Q\n>\n> [D1]", "> Q\n>\n> -- [D1]", "> Q\n> -- [D1]", "> Q\n> Source: [D1]", "> Q\n\n[D1]", "> Q\n\n-- [D1]", "> Q\n\nSource: [D1]", "> Q \u2014 [D1]", "> Q ([D1])", "> Q\n>\n> ([D1])", "> \"Q\" \u2014 [D1]",
		"> Q [D1]\n>\n> [D1]", "> Q [D1]\n>\n> -- [D1]\n",
		"<blockquote>Q [D1]</blockquote>", "<blockquote>\n<p>Q</p>\n<footer>\u2014 <cite>[D1]</cite></footer>\n</blockquote>", "<blockquote>Q</blockquote> [D1].", "<blockquote>\"Q\" [D1]</blockquote>", "It says: <blockquote>Q ([D1])</blockquote>",
		"<blockquote>Q [D1]", "- <blockquote>Q [D1]</blockquote>", "| <blockquote>Q [D1]</blockquote> |", "# <blockquote>Q</blockquote> [D1]", "<blockquote><b>The</b> Q [D1]</blockquote>",
	} {
		for q, ok := range map[string]bool{right: true, wrong: false} {
			text := strings.Replace(form, "Q", q, 1)
			text = strings.Replace(text, "</b> The", "</b>", 1)
			err := JoinTextErrors(CheckText(t.Context(), led, text, &CheckOptions{Quotes: true}))
			if (err == nil) != ok {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
	for _, text := range []string{
		"<blockquote>The detector loses <del>no</del> 3 dB [D1]</blockquote>", "<blockquote>The detector loses <b no>3 dB [D1]</blockquote>", "<blockquote>The detector loses 3 dB [D1]\n\nIt is coherent.</blockquote>",
		"<blockquote>The detector loses 3 dB [D<b>9</b>] [D1]</blockquote>", "<blockquote>The detector loses 3 dB &#91;D9&#93; [D1]</blockquote>", "<blockquote>The detector loses<br>from<br>3 dB [D1]</blockquote>",
		"> The detector loses 3 dB\n> from\n> at all [D1]", "> The detector loses\n> Source: x [D1]\n> 3 dB", "<blockquote>The detector loses 3 dB</blockquote>", "<blockquote>The detector loses 3 dB [D1]\n\nNext.",
	} {
		if len(CheckText(t.Context(), led, text, &CheckOptions{Quotes: true})) == 0 {
			t.Errorf("%q holds", text)
		}
	}
	for _, text := range []string{"<blockquote>when x &lt; y, at [D1]</blockquote>", "> [D1]", ">\n> Source: [D1]", "<blockquote>[D1]</blockquote>"} {
		if err := JoinTextErrors(CheckText(t.Context(), led, text, &CheckOptions{Quotes: true})); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestMarksBeforeSigns has straight marks around a text that begins with no word.
func TestMarksBeforeSigns(t *testing.T) {
	led := NewLedger()
	led.Add(Item{Kind: KindPassage, At: Place{Doc: "d"}, Text: "some words of a source"})
	for _, text := range []string{
		"It says '\u2211 of all parts' [D1].", "It says '(a or b is c)' [D1].", "It says '-5 dB is lost' [D1].", "It says\"\u2211 of parts\" [D1].", "It says\"(a or b)\" [D1].", "It says\"**a or b**\" [D1].",
	} {
		if len(CheckText(t.Context(), led, text, &CheckOptions{Quotes: true})) == 0 {
			t.Errorf("%q holds", text)
		}
	}
	for _, text := range []string{"The users' (many) data, and the readers' too, are kept [D1].", "Rock 'n' roll isn't 'it' [D1].", "A 5\" disk, or 3.5\", is meant [D1]."} {
		if err := JoinTextErrors(CheckText(t.Context(), led, text, &CheckOptions{Quotes: true})); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
