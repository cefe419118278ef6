package written

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill/evidence"
)

// A library has documents of pages of lines, and files of code.
type library struct{ docs, code map[string][]string }

func newLibrary() library {
	return library{
		docs: map[string][]string{
			"papers/budget.pdf": {"The receiver sensitivity is -94 dBm in a channel of 20 MHz.\nThe noise figure is six decibels.", "Each buffer holds 30720 samples.\n"},
			"notes.md":          {"The threshold is nine decibels.\n"},
		},
		code: map[string][]string{"rx/pss.py": {"def detect(x):\n    return max(x)\n"}},
	}
}

func (l library) Named(_ context.Context, name string) (evidence.Place, error) {
	for _, doc := range slices.Sorted(maps.Keys(l.docs)) {
		if doc == name || strings.HasSuffix(doc, "/"+name) {
			return evidence.Place{Doc: "id of " + doc, Name: doc}, nil
		}
	}
	return evidence.Place{}, fmt.Errorf("document %q: %w", name, errs.NotFound)
}

func (l library) Text(_ context.Context, at evidence.Place) (string, error) {
	pages, ok := l.docs[strings.TrimPrefix(at.Doc, "id of ")]
	if at.Doc == "" {
		pages, ok = l.code[at.Path]
	}
	if !ok || at.Page > len(pages) {
		return "", fmt.Errorf("%s: %w", at, errs.NotFound)
	}
	text := strings.Join(pages, "\n")
	if at.Page > 0 {
		text = pages[at.Page-1]
	}
	lines := strings.SplitAfter(text, "\n")
	if at.Line > len(lines) {
		return "", fmt.Errorf("%s: line %d: %w", at, at.Line, errs.NotFound)
	}
	if at.Line > 0 {
		lines = lines[at.Line-1 : min(at.EndLine, len(lines))]
	}
	return strings.Join(lines, ""), nil
}

// said is a check, a line for each sentence and key.
func said(rep *evidence.TextCheck) []string {
	var out []string
	for _, s := range rep.Sentences {
		line := fmt.Sprintf("%v %s %q %q", s.Holds, s.Verdict, s.Text, s.Keys)
		for _, p := range s.Problems {
			line += " !" + p
		}
		out = append(out, line)
	}
	for _, k := range rep.Keys {
		line := "[" + k.Key + "] " + k.At.String()
		if k.Problem != "" {
			line = "[" + k.Key + "] !" + k.Problem
		}
		out = append(out, line)
	}
	return out
}

func TestCheck(t *testing.T) {
	known := evidence.NewLedger()
	known.Add(evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Doc: "id of notes.md", Name: "notes.md", Line: 1, EndLine: 1}, Text: "The threshold is nine decibels."})
	for _, tt := range []struct {
		name, text string
		o          *Options
		holds      bool
		want       []string
	}{
		{
			"an address", "The noise figure is six decibels [budget.pdf p. 1, l. 2].\n", nil, true,
			[]string{`true supported "The noise figure is six decibels [budget.pdf p. 1, l. 2]." ["budget.pdf p. 1, l. 2"]`, `[budget.pdf p. 1, l. 2] p. 1, l. 2 (budget.pdf)`},
		},
		{
			"another number", "# Noise\n\nThe receiver sensitivity is -91 dBm in a channel of 20 MHz [budget.pdf, p. 1, l. 1].", nil, false,
			[]string{`false unsupported "The receiver sensitivity is -91 dBm in a channel of 20 MHz [budget.pdf, p. 1, l. 1]." ["budget.pdf, p. 1, l. 1"]`, `[budget.pdf, p. 1, l. 1] p. 1, l. 1 (budget.pdf)`},
		},
		{
			"code and a link", "`detect` gives the maximum [rx/pss.py:1-2]. Each buffer holds 30720 samples ([budget.pdf#page=2](papers/budget.pdf#page=2)).", nil, true,
			[]string{"true undecided \"`detect` gives the maximum [rx/pss.py:1-2].\" [\"rx/pss.py:1-2\"]", `true supported "Each buffer holds 30720 samples ([budget.pdf#page=2](papers/budget.pdf#page=2))." ["budget.pdf#page=2"]`,
				`[rx/pss.py:1-2] rx/pss.py:1-2`, `[budget.pdf#page=2] p. 2 (budget.pdf)`},
		},
		{
			"a list of sources", "The noise figure is six decibels [D1]. It is small [D2].\n\n## Sources\n\n[D1] \"Link budget\" p. 1, l. 1-2 (budget.pdf)  (phrase)\n     The noise figure is six decibels.\n- D7: notes.md l. 1\n", nil, false,
			[]string{`true supported "The noise figure is six decibels [D1]." ["D1"]`, `false  "It is small [D2]." ["D2"] !its key stands for nothing: nothing says what it stands for`,
				`[D1] p. 1, l. 1-2 (budget.pdf)`, `[D2] !nothing says what it stands for`},
		},
		{
			"a bundle's headings and footnotes", "The threshold is nine decibels.[^1] Each buffer holds 30720 samples [C4].\n\n[^1]: `notes.md` l. 1\n\n### C4: p. 2 (papers/budget.pdf)\n\n```text\nnothing of this is a claim\n```\n", nil, true,
			[]string{`true supported "The threshold is nine decibels.[^1]" ["^1"]`, `true supported "Each buffer holds 30720 samples [C4]." ["C4"]`, `[^1] l. 1 (notes.md)`, `[C4] p. 2 (budget.pdf)`},
		},
		{
			"keys that are known, beside addresses", "The threshold is nine decibels [D1; budget.pdf p. 1]. The noise figure is six decibels [budget.pdf p. 1].", &Options{Ledger: known}, true,
			[]string{`true supported "The threshold is nine decibels [D1; budget.pdf p. 1]." ["D1" "budget.pdf p. 1"]`, `true supported "The noise figure is six decibels [budget.pdf p. 1]." ["budget.pdf p. 1"]`,
				`[D1] l. 1 (notes.md)`, `[budget.pdf p. 1] p. 1 (budget.pdf)`},
		},
		{
			"keys that the caller gives", "The threshold is nine decibels [D3]. Each buffer holds 30720 samples [B].", &Options{Keys: map[string]string{"D3": "notes.md:1"}, Places: map[string]evidence.Place{"B": {Doc: "id of papers/budget.pdf", Page: 2}}}, true,
			[]string{`true supported "The threshold is nine decibels [D3]." ["D3"]`, `true supported "Each buffer holds 30720 samples [B]." ["B"]`, `[D3] l. 1 (notes.md)`, `[B] p. 2 (id of papers/budget.pdf)`},
		},
		{
			"an address before a key that is defined", "Each buffer holds 30720 samples [budget.pdf p. 2]. The threshold is nine decibels [D1]. It is nine decibels [notes.md l. 1].\n\nD1: notes.md:1\n", nil, true,
			[]string{`true supported "Each buffer holds 30720 samples [budget.pdf p. 2]." ["budget.pdf p. 2"]`, `true supported "The threshold is nine decibels [D1]." ["D1"]`, `true supported "It is nine decibels [notes.md l. 1]." ["D1"]`,
				`[budget.pdf p. 2] p. 2 (budget.pdf)`, `[D1] l. 1 (notes.md)`, `[notes.md l. 1] l. 1 (notes.md)`},
		},
		{
			"a wrapped line", "The threshold is nine decibels [notes.md l. 1]. And each buffer holds 30720 samples\n[budget.pdf p. 2].", nil, true,
			[]string{`true supported "The threshold is nine decibels [notes.md l. 1]." ["notes.md l. 1"]`, `true supported "And each buffer holds 30720 samples\n[budget.pdf p. 2]." ["budget.pdf p. 2"]`,
				`[notes.md l. 1] l. 1 (notes.md)`, `[budget.pdf p. 2] p. 2 (budget.pdf)`},
		},
		{
			"several pages", "The noise figure is six decibels, and each buffer holds 30720 samples [budget.pdf pp. 1-2].", nil, true,
			[]string{`true supported "The noise figure is six decibels, and each buffer holds 30720 samples [budget.pdf pp. 1-2]." ["budget.pdf pp. 1-2"]`, `[budget.pdf pp. 1-2] p. 1 (budget.pdf)`, `[budget.pdf pp. 1-2] p. 2 (budget.pdf)`},
		},
		{
			"what leads nowhere", "One is first [budget.pdf p. 9]. Two is second [other.pdf p. 1]. Three is third [rx/pss.py:50]. Four is fourth [budget.pdf p. 3-900]. Five is fifth.", nil, false,
			[]string{`false  "One is first [budget.pdf p. 9]." ["budget.pdf p. 9"] !its key stands for nothing: p. 9 (budget.pdf): not found`,
				`false  "Two is second [other.pdf p. 1]." ["other.pdf p. 1"] !its key stands for nothing: document "other.pdf": not found`,
				`false  "Three is third [rx/pss.py:50]." ["rx/pss.py:50"] !its key stands for nothing: rx/pss.py:50: line 50: not found`,
				`false  "Four is fourth [budget.pdf p. 3-900]." ["budget.pdf p. 3-900"] !its key stands for nothing: 898 pages are no place: name lines, or at most 10 pages`,
				`false  "Five is fifth." [] !it has no key`,
				`[budget.pdf p. 9] !p. 9 (budget.pdf): not found`, `[other.pdf p. 1] !document "other.pdf": not found`, `[rx/pss.py:50] !rx/pss.py:50: line 50: not found`,
				`[budget.pdf p. 3-900] !898 pages are no place: name lines, or at most 10 pages`},
		},
		{
			"brackets that are no citations", "It is written as `[notes.md:1]` at [12:30] in \"[notes.md l. 1]\" [see below] [^2].", nil, false,
			[]string{"false  \"It is written as `[notes.md:1]` at [12:30] in \\\"[notes.md l. 1]\\\" [see below] [^2].\" [] !it has no key !the quote \"[notes.md l. 1]\" has no key behind it"},
		},
		{
			"Markdown", "# Question\n\nIs it ten decibels?\n\n# Answer\n\nThe thresh\\old is \\*nine\\* decibels [[D1](a.txt)]. Each buffer holds 30720 samples\\. [[notes.md l. 1](b.txt); [D2](c.pdf#page=2)]\nIt is \\[D2\\].\n\n[D1]: notes.md l. 1\n\n> Not a claim.\n\n[D2]: p. 2 (budget.pdf)\n", nil, false,
			[]string{"true supported \"The thresh\\\\old is \\\\*nine\\\\* decibels [[D1](a.txt)].\" [\"D1\"]",
				`true supported "Each buffer holds 30720 samples\\. [[notes.md l. 1](b.txt); [D2](c.pdf#page=2)]" ["D1" "D2"]`, `false supported "It is \\[D2\\]." ["D1" "D2"] !it has no key`, `[D1] l. 1 (notes.md)`, `[notes.md l. 1] l. 1 (notes.md)`, `[D2] p. 2 (budget.pdf)`},
		},
		{
			"a quotation", "It says \"is six decibels\" and \"is ten decibels\" [budget.pdf p. 1].", nil, false,
			[]string{`false unsupported "It says \"is six decibels\" and \"is ten decibels\" [budget.pdf p. 1]." ["budget.pdf p. 1"] !quote "is ten decibels" is not at budget.pdf p. 1: it says "is ten decibels" where the source has "is -94 dBm"`, `[budget.pdf p. 1] p. 1 (budget.pdf)`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rep, err := Check(t.Context(), tt.text, newLibrary(), tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, said(rep)); d != "" || rep.Holds != tt.holds {
				t.Errorf("holds %v (-want +got):\n%s", rep.Holds, d)
			}
			for _, s := range rep.Sentences {
				if tt.text[s.Start:s.End] != s.Text {
					t.Errorf("%d to %d is not %q", s.Start, s.End, s.Text)
				}
			}
		})
	}
}

// A counting library counts how often each place is read.
type counting struct {
	library
	reads map[evidence.Place]int
}

func (c counting) Text(ctx context.Context, at evidence.Place) (string, error) {
	c.reads[at]++
	return c.library.Text(ctx, at)
}

// TestCheckReadsOnce: a place is read once, however many sentences and quotations stand on it.
func TestCheckReadsOnce(t *testing.T) {
	lib := counting{newLibrary(), map[evidence.Place]int{}}
	text := strings.Repeat("The noise figure is six decibels [budget.pdf p. 1]. It is \"six decibels\" [D1]. `detect` is short [rx/pss.py:1-2].\n\n", 5) + "[D1]: budget.pdf p. 1\n"
	if rep, err := Check(t.Context(), text, lib, nil); err != nil || len(rep.Sentences) != 15 || !rep.Holds {
		t.Fatalf("%v, %v", said(rep), err)
	}
	for at, n := range lib.reads {
		if n != 1 {
			t.Errorf("%s was read %d times", at, n)
		}
	}
}

// TestCheckBounds: what is too large, or no address, is an error, and so is the end of the context.
func TestCheckBounds(t *testing.T) {
	if _, err := Check(t.Context(), strings.Repeat("x", maxText+1), newLibrary(), nil); !errors.Is(err, errs.TooLarge) {
		t.Errorf("a long text: %v", err)
	}
	var many strings.Builder
	for i := range maxAddresses + 1 {
		fmt.Fprintf(&many, "It is %d [notes.md l. %d].\n", i, i+1)
	}
	if _, err := Check(t.Context(), many.String(), newLibrary(), nil); !errors.Is(err, errs.TooLarge) {
		t.Errorf("many places: %v", err)
	}
	if _, err := Check(t.Context(), "It is [D1].", newLibrary(), &Options{Keys: map[string]string{"D1": "somewhere"}}); !errors.Is(err, errs.Unsupported) || !strings.Contains(err.Error(), "paper.pdf p. 3") {
		t.Errorf("no address: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, "It is one [notes.md l. 1].", newLibrary(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
}

// FuzzCheck: whatever a text says, each sentence is a piece of it, in order, and every key that is cited is listed.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"A [D1]. B [budget.pdf p. 1-2, l. 3; notes.md:1](x).\n\n## Sources\n[D1] \"T\" p. 1 (budget.pdf)\n    x\n", "[^1] [a/b:1] [[D1] `[notes.md l. 1]`\n[^1]: notes.md l. 1", "[D1-D9][C1 and notes.md l. 1]", "> [notes.md\nl. 1]\n", "\\[notes.md l. 1] ![notes.md l. 1]",
		"# Question\n\nwhy?\n\n[[D1](a)-[D2](b)] [[notes.md l. 1](c); D3] \\_a\\* `\\_` \\[D1]\n~~~\n[[D1](a)]\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		stop := time.AfterFunc(2*time.Second, func() { panic(fmt.Sprintf("%q takes too long", text)) })
		defer stop.Stop()
		rep, err := Check(t.Context(), text, newLibrary(), nil)
		if err != nil {
			return
		}
		at, listed := 0, map[string]bool{}
		for _, k := range rep.Keys {
			listed[k.Key] = true
		}
		for _, s := range rep.Sentences {
			if s.Start < at || s.End < s.Start || s.End > len(text) || text[s.Start:s.End] != s.Text {
				t.Fatalf("%q: %d to %d is %q", text, s.Start, s.End, s.Text)
			}
			at = s.Start
			for _, k := range s.Keys {
				if !listed[k] {
					t.Errorf("%q: %q is cited and not listed: %v", text, k, rep.Keys)
				}
			}
		}
	})
}
