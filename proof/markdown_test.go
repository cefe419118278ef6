package proof_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/proof"
	"github.com/findspot/findspot/skill/evidence"
)

// asked is the answer to a question about the documents and the code of the examples, sealed as findspot ask does.
func asked(t *testing.T, ws *findspot.Workspace, question string) *evidence.Answer {
	t.Helper()
	led := evidence.NewLedger()
	found, err := ws.Ask(t.Context(), question, &findspot.AskOptions{Ledger: led})
	if err != nil {
		t.Fatal(err)
	}
	a, err := evidence.ListAnswer(t.Context(), led, found.Items, question, &evidence.CompactOptions{Source: ws})
	if err == nil {
		err = a.Seal(t.Context(), ws, led)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestMarkdownIsVerified: findspot verify says of the answer.md of a bundle, sentence by sentence, what it says of the sealed answer.
func TestMarkdownIsVerified(t *testing.T) {
	ws, err := findspot.Open(t.Context(), t.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	docs := t.TempDir()
	put(t, filepath.Join(docs, "budget (draft 2).md"), []byte("# Budget\n\nThe noise figure of rx_front is six decibels.\nEach buffer holds 30720 samples & no more; |x|*|y| < 1.\n\n```\nrun(a_b)\n```\n"))
	put(t, filepath.Join(docs, "notes.md"), []byte("The threshold is nine decibels.\n"))
	for _, dir := range []string{docs, "../examples/testdata/papers", "../examples/testdata/papers-src/sync-raster.html"} {
		for _, err := range ws.AddDocs(t.Context(), dir) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := ws.AddRepo(t.Context(), "../examples/testdata/receiver", nil); err != nil {
		t.Fatal(err)
	}
	answers := map[string]*evidence.Answer{}
	for _, q := range []string{
		"how is the noise floor estimated?", "who calls detect_pss and how is the PSS detected?", "what does sync-raster say about the raster?", "xyzzyqwertz", "*The* [noise] figure of <rx_front>",
	} {
		answers[q] = asked(t, ws, q)
	}
	led := evidence.NewLedger()
	lib, err := ws.Docs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []struct {
		name        string
		first, last int
	}{{"budget (draft 2).md", 3, 4}, {"notes.md", 1, 1}, {"budget (draft 2).md", 6, 8}} {
		d, err := lib.Resolve(t.Context(), at.name)
		if err != nil {
			t.Fatal(err)
		}
		it := evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Doc: d.ID, Name: d.Name, Line: at.first, EndLine: at.last}}
		if it.Text, err = ws.Text(t.Context(), it.At); err != nil {
			t.Fatal(err)
		}
		led.Add(it)
	}
	led.Add(evidence.Item{Kind: evidence.KindText, At: evidence.Place{Path: "receiver/pss.py", Line: 1, EndLine: 3}, Text: "pss"})
	written := &evidence.Answer{Rules: evidence.Rules{EveryClaim: true, Quotes: true}, Text: `# Summary

The noise figure of rx_front is six decibels. [D1] It is "six decibels" in ` + "`rx_front`" + ` [D1], and
the threshold is nine decibels [D1,
D2]. The noise figure is *seven* decibels [D1]. \[D9] is no key, and neither is ` + "`[D8]`" + ` [D1-D2].

- Each buffer holds 30720 samples & no more [D1]
- each buffer holds 15360 samples; [D1]
2. |x|*|y| < 1 [D1; C1]

> Each buffer holds 30720 samples
> & no more [D1]

| Name | Value |
|---|---|
| noise figure of rx_front | six decibels [D1] |
` + "~~~python\nrun(a_b)\n```\nrun([D7])\n~~~" + `
[D3]

Unknown: who wrote it.
`}
	if err := written.Seal(t.Context(), ws, led); err != nil {
		t.Fatal(err)
	}
	answers["written"] = written
	links := regexp.MustCompile(`\]\([^()]*\)|\[|\\|\s`)
	said := func(sentences []evidence.SentenceVerdict) (out []string) {
		for _, s := range sentences {
			text := strings.ReplaceAll(links.ReplaceAllString(s.Text, ""), "]", "")
			if strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") { // fences are written anew
				text = strings.Trim(strings.NewReplacer("text", "", "python", "").Replace(text), "`~")
			}
			out = append(out, fmt.Sprintf("%v %s %q %q %q %q", s.Holds, s.Verdict, text, s.Keys, s.Reason, s.Problems))
		}
		return out
	}
	for name, a := range answers {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "proof")
			if _, err := proof.Write(t.Context(), dir, a, ws, &proof.Options{Verify: evidence.VerifyOptions{NoMeaning: true}}); err != nil {
				t.Fatal(err)
			}
			md, err := os.ReadFile(filepath.Join(dir, "answer.md"))
			if err != nil {
				t.Fatal(err)
			}
			want, err := a.CheckText(t.Context(), ws, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := ws.VerifyText(t.Context(), string(md), nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(said(want.Sentences), said(got.Sentences)); d != "" || got.Holds != want.Holds {
				t.Errorf("holds %v, want %v (-sealed +answer.md):\n%s\n%s", got.Holds, want.Holds, d, md)
			}
			at := map[string]evidence.Place{}
			for _, k := range got.Keys {
				k.At.Title, k.At.Page = "", 0 // an address in lines needs neither
				at[k.Key] = k.At
			}
			for _, k := range want.Keys {
				w := evidence.Place{Doc: k.At.Doc, Name: k.At.Name, Path: k.At.Path, Line: k.At.Line, EndLine: k.At.EndLine}
				if at[k.Key] != w {
					t.Errorf("%s is %v, want %v", k.Key, at[k.Key], w)
				}
			}
		})
	}
}
