package evidence

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/errs"
)

func full(t *testing.T, text string) *FullText {
	t.Helper()
	f, err := NewFullText(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func passage(text string) Item { return Item{Kind: KindPassage, Text: text} }

func TestFindInFullText(t *testing.T) {
	code := func(text string) Item { return Item{Kind: KindEntity, Text: text} }
	for _, tt := range []struct {
		name, in string
		it       Item
		want     []Stretch
	}{
		{"a line", "one\ntwo three\nfour\n", passage("two three"), []Stretch{{2, 2}}},
		{"over lines", "one\ntwo\nthree four\n", passage("two three"), []Stretch{{2, 3}}},
		{"a word that a line end divides", "a\nsynchroniza-\ntion of it\nb", passage("synchronization of"), []Stretch{{2, 3}}},
		{"ligatures and composed letters", "x\n\n\ufb01ne cafe\u0301s\n", passage("fine caf\u00e9s"), []Stretch{{3, 3}}},
		{"carriage returns", "one\r\ntwo\r\n\r\nthree\r\n", passage("three"), []Stretch{{4, 4}}},
		{"several", "a b\nc\na b\n", passage("a b"), []Stretch{{1, 1}, {3, 3}}},
		{"another number", "it is 15 dB here\n", passage("5 dB here"), nil},
		{"a longer word", "it is unable to see\n", passage("able to see"), nil},
		{"a negative number", "it is -5 dB here\n", passage("5 dB here"), nil},
		{"another number at the end", "it is 12.5\n", passage("it is 12"), nil},
		{"a decimal number", "it is 0.5 dB here\n", passage("5 dB here"), nil},
		{"cut beside a sign", "see (PSS).Then it goes on\n", passage("Then it goes on"), []Stretch{{1, 1}}},
		{"cut behind a stop", "see .Then it goes on\n", passage("Then it goes on"), []Stretch{{1, 1}}},
		{"whole before cut", "x .Then it\ny Then it\n", passage("Then it"), []Stretch{{2, 2}}},
		{"lines left out", "def f():\n    a = 1\n    b = 2\n    return a\n", code("def f():\n...\n    return a"), []Stretch{{1, 4}}},
		{"parts in another order", "    return a\ndef f():\n", code("def f():\n...\n    return a"), nil},
		{"parts too far apart", "def f():\n" + strings.Repeat("\n", 500) + "    return a\n", code("def f():\n...\n    return a"), nil},
		{"numbered lines", "x\ndef f():\n    return 1\n", code("14 | def f():\n15 |     return 1\n"), []Stretch{{2, 3}}},
		{"a table of a document is not numbered", "2 | dB\n", passage("1 | dB"), nil},
		{"nothing", "a\n", passage("..."), nil},
	} {
		got, err := full(t, tt.in).Find(t.Context(), tt.it, 10)
		if len(got) == 0 {
			got = nil
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
	if got, err := full(t, strings.Repeat("a b\n", 50)).Find(t.Context(), passage("a b"), 3); len(got) != 3 || err != nil {
		t.Errorf("at most three: %v, %v", got, err)
	}
}

// marked writes changes as git's word diff does.
func marked(words []WordChange) string {
	var b strings.Builder
	for _, w := range words {
		b.WriteString(w.Kept)
		if w.Went != "" {
			b.WriteString("[-" + w.Went + "-]")
		}
		if w.Came != "" {
			b.WriteString("{+" + w.Came + "+}")
		}
	}
	return b.String()
}

func TestAlike(t *testing.T) {
	const gauge = "A peak counts when it stands 12 dB above the noise floor."
	filler := strings.Repeat("Nothing of the kind is said in this line of the text.\n", 30)
	for _, tt := range []struct {
		name, in, text string
		line           int
		want           string // lines, changes
	}{
		{"a number", filler + "A peak counts when it stands 9 dB above the noise floor.\n" + filler, gauge, 5, "31-31 A peak counts when it stands [-12-]{+9+} dB above the noise floor."},
		{"at the end", "x\nthe length is 63.\n", "the length is 127.", 1, "2-2 the length is [-127-]{+63+}."},
		{"at the beginning", "It is so. Nine peaks are seen in it.\n", "Twelve peaks are seen in it.", 1, "1-1 [-Twelve-]{+Nine+} peaks are seen in it."},
		{"cut short, with a sentence behind it", "A peak counts when it stands out. Another sentence follows it.\n", "A peak counts when it stands out. By how much is said below.", 1, "1-1 A peak counts when it stands out. [-By how much is said below.-]"},
		{"a sign", "the level is -5 dB there\n", "the level is 5 dB there", 1, "1-1 the level is [-5-]{+-5+} dB there"},
		{"words that came", "A peak counts when it stands at least 12 dB above the noise floor.\n", gauge, 1, "1-1 A peak counts when it stands {+at least+} 12 dB above the noise floor."},
		{"words that went", "A peak counts when it stands above the noise floor.\n", gauge, 1, "1-1 A peak counts when it stands [-12 dB-] above the noise floor."},
		{"over lines, with a hyphen at a line end", "A peak counts when it\nstands 9 dB above the noise thres-\nhold.\n", "A peak counts when it stands 12 dB above the noise threshold.", 1, "1-3 A peak counts when it stands [-12-]{+9+} dB above the noise thres-hold."},
		{"two alike, the nearer", "the gain is 1 dB now\n" + filler + "the gain is 2 dB now\n" + filler + "the gain is 3 dB now\n", "the gain is 9 dB now", 35, "32-32 the gain is [-9-]{+2+} dB now"},
		{"a better one farther off", "the gain is 1 dB of all\n" + filler + "the gain is 9 dB now here\n", "the gain is 9 dB now", 1, "32-32 the gain is 9 dB now"},
		{"the same words once more before", "assertNone(detect(noise))\n\ndef short():\n    assertNone(detect(zero * 50))\n", "assertNone(detect(zero * 100))", 4, "4-4 assertNone(detect(zero * [-100-]{+50+}))"},
		{"a word kept alone between others", "the red fox in a small green house\n", "the blue bird in a big yellow tree", 1, "1-1 the [-blue bird-]{+red fox+} in a [-big yellow tree-]{+small green house+}"},
		{"nothing", "completely different\n", "no word in common", 1, "0-0 "},
	} {
		a, err := full(t, tt.in).Alike(t.Context(), passage(tt.text), tt.line)
		if got := fmt.Sprintf("%d-%d %s", a.First, a.Last, marked(a.Words)); got != tt.want || err != nil {
			t.Errorf("%s: %v\n%s\nwant\n%s", tt.name, err, got, tt.want)
		}
		if a.Score < 0 || a.Score > 1 {
			t.Errorf("%s: score %v", tt.name, a.Score)
		}
	}
}

// How alike texts are falls as more words differ; one text is itself.
func TestAlikeScores(t *testing.T) {
	in := full(t, "The primary synchronization signal is an m-sequence of length 127.\n")
	last := 1.01
	for _, text := range []string{
		"The primary synchronization signal is an m-sequence of length 127.",
		"The primary synchronization signal is an m-sequence of length 63.",
		"The primary synchronization signal was a gold sequence of length 63.",
		"The secondary signal was a gold sequence with 63 elements.",
	} {
		a, err := in.Alike(t.Context(), passage(text), 1)
		if err != nil || a.Score >= last {
			t.Errorf("%q: %v, %v; the one before has %v", text, a.Score, err, last)
		}
		last = a.Score
	}
}

func TestFullTextBounds(t *testing.T) {
	if _, err := NewFullText(strings.Repeat("a", maxFullText+1)); !errors.Is(err, errs.TooLarge) {
		t.Errorf("a text over the limit: %v", err)
	}
	in := full(t, strings.Repeat("a b ", 1<<19))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := in.Find(ctx, passage("b c d"), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Find, cancelled: %v", err)
	}
	if _, err := in.Alike(ctx, passage("b c d"), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Alike, cancelled: %v", err)
	}
	if _, err := full(t, strings.Repeat("a ", 1<<20)).Find(t.Context(), passage(strings.Repeat("a ", 1<<10)+"b"), 1); !errors.Is(err, errs.TooLarge) {
		t.Errorf("a text that repeats itself: %v", err)
	}
	long := strings.Repeat("every word of this text is said again and again ", 500)
	if a, err := in.Alike(t.Context(), passage(long), 1); err != nil || a.Score > .5 {
		t.Errorf("a long text: %+v, %v", a.Score, err)
	}
}
