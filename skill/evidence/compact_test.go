package evidence

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func compactLedger() (*Ledger, []Item) {
	l := NewLedger()
	return l, []Item{
		l.Add(Item{Kind: KindPassage, At: Place{Doc: "a", Name: "a.pdf", Page: 1}, Text: "The PSS is an m-sequence of length 127. The weather was fine. It is detected\nby correlation, see [D9]."}),
		l.Add(Item{Kind: KindPassage, At: Place{Doc: "a", Name: "a.pdf", Page: 2}, Text: "The PSS is an m-sequence of length 127. Coffee was served."}),
		l.Add(Item{Kind: KindPassage, At: Place{Doc: "b", Name: "b.pdf"}, Text: "# Ignore\n```\nprevious. Instructions\n```\nTea."}),
		l.Add(Item{Kind: KindEntity, At: Place{Path: "rx/pss.py", Line: 3, Entity: "rx/pss.py:f"}, Text: "def detect_pss(x):\n    n = 1\n    # ``` correlation\n    return x\n"}),
	}
}

func TestCompactExtracts(t *testing.T) {
	l, items := compactLedger()
	got, err := Compact(t.Context(), l, items, "how is the PSS detected by correlation?", nil, &CompactOptions{Runes: 190})
	if err != nil {
		t.Fatal(err)
	}
	want := &Compaction{Parts: []CompactPart{
		{Name: "a.pdf", Keys: []string{"D1", "D2"}, Text: "The PSS is an m-sequence of length 127. [D1, D2]\n\nIt is detected by correlation, see \\[D9]. [D1]", Sentences: 5, Kept: 2},
		{Name: "b.pdf", Keys: []string{"D3"}, Text: "\\# Ignore [D3]", Sentences: 4, Kept: 1},
		{Name: "rx/pss.py", Keys: []string{"C1"}, Text: "````\ndef detect_pss(x):\n...\n    # ``` correlation\n````\n[C1]", Sentences: 4, Kept: 2},
	}, Left: []string{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if bad := CheckText(t.Context(), l, got.Text(), &CheckOptions{EveryClaim: true, Headings: []string{"a.pdf", "b.pdf", "rx/pss.py"}}); bad != nil {
		t.Errorf("the compaction is refused: %v", JoinTextErrors(bad))
	}
	var keys []string
	for _, it := range Expand(l, got.Text()) {
		keys = append(keys, it.Key)
		if it.Hash != Hash(it.Text) {
			t.Errorf("%s was not expanded to its own text", it.Key)
		}
	}
	if diff := cmp.Diff([]string{"D1", "D2", "D3", "C1"}, keys); diff != "" {
		t.Errorf("Expand (-want +got)\n%s", diff)
	}

	small, err := Compact(t.Context(), l, items, "length of the PSS", nil, &CompactOptions{Runes: 60})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range small.Parts {
		n += utf8.RuneCountInString(p.Text)
	}
	if diff := cmp.Diff([]string{"D3", "C1"}, small.Left); diff != "" || n > 60 {
		t.Errorf("%d runes, left (-want +got)\n%s\n%s", n, diff, small.Text())
	}
}

func TestCompactByModel(t *testing.T) {
	const good = "The PSS has \"an m-sequence of length 127\" [D1]. Unknown: the number of retries."
	tests := []struct {
		name    string
		replies []string
		refused []string // a part of each reason
		written bool
	}{
		{"good", []string{good}, nil, true},
		{"no key", []string{"It has length 127.", good}, []string{"it has no key"}, true},
		{"unknown key", []string{"It has length 127 [D44].", good}, []string{"[D44] is no evidence"}, true},
		{"key of another document", []string{"It has length 127 [D3].", good}, []string{"[D3] is not among"}, true},
		{"wrong quote", []string{"It is \"an m-sequence of length 128\" [D1].", good}, []string{"128"}, true},
		{"empty, long, wrong", []string{"", strings.Repeat("x ", 4000) + "[D1]", "no"}, []string{"empty", "characters", "no key"}, false},
	}
	for _, tt := range tests {
		l, items := compactLedger()
		n := 0
		var prompts []string
		ask := func(_ context.Context, prompt string) (string, error) {
			if n++; n > len(tt.replies) {
				return "", errors.New("asked too often")
			}
			prompts = append(prompts, prompt)
			return tt.replies[n-1], nil
		}
		got, err := Compact(t.Context(), l, items[:2], "PSS length", ask, &CompactOptions{Runes: 1000})
		if err != nil {
			t.Fatal(err)
		}
		p := got.Parts[0]
		if p.Written != tt.written || len(p.Refused) != len(tt.refused) {
			t.Errorf("%s: written %v, refused %q", tt.name, p.Written, p.Refused)
			continue
		}
		for i, want := range tt.refused {
			if !strings.Contains(p.Refused[i], want) {
				t.Errorf("%s: refused %q, want %q", tt.name, p.Refused[i], want)
			}
			if i+1 < len(prompts) && !strings.Contains(prompts[i+1], p.Refused[i]) {
				t.Errorf("%s: the reason was not told", tt.name)
			}
		}
		if !tt.written && (p.Kept == 0 || !strings.Contains(p.Text, "length 127. [D1, D2]")) {
			t.Errorf("%s: fell back to %q", tt.name, p.Text)
		}
		if tt.written && (p.Text != good || cmp.Diff([]string{"D2"}, got.Left) != "") {
			t.Errorf("%s: %q, left %v", tt.name, p.Text, got.Left)
		}
	}
	l, items := compactLedger()
	got, err := Compact(t.Context(), l, items, "PSS", func(context.Context, string) (string, error) { return "", fmt.Errorf("no network") }, nil)
	if err != nil || got.Parts[0].Kept == 0 || !strings.Contains(got.Parts[0].Refused[0], "no network") {
		t.Errorf("a failing model: %+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := Compact(ctx, l, items, "PSS", func(context.Context, string) (string, error) { cancel(); return "", ctx.Err() }, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

func FuzzCompact(f *testing.F) {
	f.Add("A is B. [D1] \"x. y\nz.", "a\n```\nb", "b", 50)
	f.Add("> q\n- l `c\n| d | e |\n|--|\n", "# [C1]", "", 0)
	f.Fuzz(func(t *testing.T, a, b, q string, runes int) {
		l := NewLedger()
		items := []Item{{Kind: KindPassage, At: Place{Doc: "a"}, Text: a}, {Kind: KindPassage, At: Place{Doc: "a", Page: 2}, Text: b}, {Kind: KindText, At: Place{Path: "c"}, Text: b}}
		runes = min(max(runes, 0), 5000)
		got, err := Compact(t.Context(), l, items, q, nil, &CompactOptions{Runes: runes})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range got.Parts {
			if bad := CheckText(t.Context(), l, p.Text, &CheckOptions{EveryClaim: true}); bad != nil {
				t.Fatalf("%q: %v", p.Text, JoinTextErrors(bad))
			}
			if n := utf8.RuneCountInString(p.Text); runes > 0 && n > 2*runes {
				t.Fatalf("%d runes of %d", n, runes)
			}
		}
	})
}
