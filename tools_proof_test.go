package findspot_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill/evidence"
)

// TestVerifyText: a text is checked by places and by what it says of its keys, from an index and from folders alike.
func TestVerifyText(t *testing.T) {
	docs := write(t, map[string]string{"budget.md": "# Budget\n\nThe noise figure is six decibels.\n", "other/notes.md": "# Notes\n\nEach buffer holds 30720 samples.\n", "deep/notes.md": "# More\n\nIt is deep.\n"})
	code := write(t, map[string]string{"rx.py": "def run():\n    pass\n"})
	ws := open(t, t.TempDir(), nil)
	if err := addDocs(t.Context(), ws, docs); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), code, nil); err != nil {
		t.Fatal(err)
	}
	folders, err := findspot.OpenFolders([]string{docs}, []string{code}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer folders.Close()
	for name, src := range map[string]interface {
		VerifyText(context.Context, string, *findspot.VerifyTextOptions) (*evidence.TextCheck, error)
	}{"index": ws, "folders": folders} {
		rep, err := src.VerifyText(t.Context(), "The noise figure is six decibels [budget.md l. 3]. Each buffer holds 30720 samples [other/notes.md:3]. It runs [rx.py:1-2].", nil)
		if err != nil || !rep.Holds || len(rep.Sentences) != 3 || rep.Sentences[1].Verdict != evidence.Supported || rep.Keys[2].At.Path != "rx.py" || rep.Keys[0].At.Name != "budget.md" {
			t.Errorf("%s: %+v, %v", name, rep, err)
		}
		for _, tt := range [][2]string{
			{"It is so [notes.md l. 3].", "names 2 documents"}, {"It is so [budget.md l. 300].", "not found"}, {"It is so [nothing.md l. 3].", "not found"}, {"It is so [../rx.py:1].", "not found"},
			{"It is so [rx.py:9].", "2 lines"}, {"It is so [budget.md p. 4].", "not found"},
		} {
			rep, err := src.VerifyText(t.Context(), tt[0], nil)
			if err != nil || rep.Holds || len(rep.Keys) != 1 || !strings.Contains(rep.Keys[0].Problem, tt[1]) {
				t.Errorf("%s: %s: %+v, %v, want %q", name, tt[0], rep, err, tt[1])
			}
		}
	}
	text := "The noise figure is seven decibels [budget.md l. 3]. It gleams at night.\n\nIt is new. It is old [D9].\n"
	got := say(t.Context(), byName(ws.Tools(nil))["verify_answer"], args(t, map[string]any{"text": text}))
	for _, want := range []string{
		`undecided: "The noise figure is seven decibels [budget.md l. 3].": "seven`, `: "It gleams at night." [budget.md l. 3]: `, `wrong: "It is old [D9].": its key stands for nothing`,
		"; not judged: 1 that cites nothing, 1 whose keys stand for nothing",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("verify_answer says\n%s\nwant %q", got, want)
		}
	}
	cited, err := ws.Cite(t.Context(), "The noise figure is six decibels.", nil)
	if err != nil || len(cited.Places) == 0 || cited.Places[0].Verdict != evidence.Supported || cited.Places[0].Item.At.Name != "budget.md" {
		t.Errorf("Cite = %+v, %v", cited, err)
	}
	if _, err := ws.Cite(t.Context(), " ", nil); err == nil {
		t.Error("an empty sentence is cited")
	}
}

// TestCiteBesideCode: code that has the words of a sentence takes no place of the documents, and there are no remarks rather than none.
func TestCiteBesideCode(t *testing.T) {
	cited, err := filled(t, nil).Cite(t.Context(), "The sequence has a length of 128.", nil)
	if err != nil || len(cited.Places) != 3 || cited.Places[0].Verdict != evidence.Unsupported || cited.Places[0].Item.At.Name != "pss-detection.pdf" || cited.Remarks == nil {
		t.Errorf("Cite = %+v, %v", cited, err)
	}
}

// TestRecheckTool: an answer is looked at again, as JSON or as a file of a repository, and gets its new places.
func TestRecheckTool(t *testing.T) {
	s := cite(t, map[string]string{"docs/budget.md": "# Budget\n\nThe noise figure is six decibels.\n", "code/rx.py": "pass\n"}, "The noise figure is six decibels [D1].",
		evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Name: "budget.md", Line: 3, EndLine: 3}, Text: "The noise figure is six decibels."})
	data, err := json.Marshal(s.answer)
	if err != nil {
		t.Fatal(err)
	}
	s.change(map[string]string{"code/answers/noise.json": string(data)})
	tool := byName(s.ws.Tools(nil))["recheck_answer"]
	say := func(in map[string]any, want ...string) {
		t.Helper()
		got := say(t.Context(), tool, args(t, in))
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%.80v says\n%s\nwant %q", in, got, w)
			}
		}
	}
	say(map[string]any{"answer": string(data)}, "holds: 1 of 1 sentences; evidence: 1 holds")
	say(map[string]any{"path": "answers/noise.json", "update": true}, "holds: 1 of 1", "there is nothing new to write")
	say(map[string]any{"path": "answers/none.json"}, "error: recheck_answer: read answers/none.json")
	say(map[string]any{}, "give answer")
	say(map[string]any{"answer": "{}"}, "not an answer file")
	s.change(map[string]string{"docs/budget.md": "A preface.\n\n# Budget\n\nThe noise figure is six decibels.\n"})
	say(map[string]any{"answer": string(data), "update": true}, "holds: 1 of 1", "[D1] moved", "l. 3 (budget.md) -> ", "l. 5", "with its new places", `"digest"`)
	s.change(map[string]string{"docs/budget.md": "# Budget\n\nThe noise figure is nine decibels.\n"})
	say(map[string]any{"answer": string(data), "update": true}, "does not hold: 0 of 1", "[D1] changed", "[-six-]{+nine+}", "no longer holds: ", "has no new form")
}

// TestMarkTool: the host gets the file, the texts and the items of keys, and the agent is told where the copy and the marks are. Nothing else is given to the host.
func TestMarkTool(t *testing.T) {
	dir := t.TempDir()
	pdf, err := os.ReadFile(filepath.Join(papers, "pss-detection.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"paper.pdf": pdf, "notes.md": []byte("# Notes\n\nA note on the noise floor.\n"), "paper.md": []byte("# Not meant\n\nIt is no PDF.\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ws := open(t, t.TempDir(), nil)
	if err := addDocs(t.Context(), ws, dir); err != nil {
		t.Fatal(err)
	}
	var got findspot.MarkRequest
	o := &findspot.ToolsOptions{Ledger: evidence.NewLedger(), MarkPDF: &findspot.MarkOptions{Writes: true, Mark: func(ctx context.Context, r findspot.MarkRequest) (*findspot.MarkedPDF, error) {
		got = r
		return markNothing.Mark(ctx, r)
	}}}
	if _, ok := byName(ws.Tools(nil))["mark_pdf"]; ok {
		t.Error("mark_pdf is there, and no host marks")
	}
	o.Profile = findspot.ProfileCompact
	if _, ok := byName(ws.Tools(o))["mark_pdf"]; ok {
		t.Error("the compact profile has mark_pdf")
	}
	o.Profile = ""
	tools := byName(ws.Tools(o))
	tool := tools["mark_pdf"]
	if !tool.Writes || !tool.Offline {
		t.Errorf("writes %v, offline %v", tool.Writes, tool.Offline)
	}
	say(t.Context(), tools["search_internal"], `{"query": "noise floor"}`)
	keys := map[string]string{}
	for _, it := range o.Ledger.Items() {
		keys[it.At.Name] = it.Key
	}
	text := say(t.Context(), tool, args(t, map[string]any{"doc": "paper", "texts": []string{"noise floor"}, "keys": []string{"[" + keys["paper.pdf"] + "]"}}))
	for _, want := range []string{"1 marks in a copy of paper.pdf: /marked/1", "[paper.pdf p. 1, l. 1] noise floor", "not found: [" + keys["paper.pdf"] + "]", "it is nowhere"} {
		if !strings.Contains(text, want) {
			t.Errorf("mark_pdf says\n%s\nwant %q", text, want)
		}
	}
	if string(got.PDF) != string(pdf) || got.Doc.Name != "paper.pdf" || len(got.Answer.Items) != 1 || len(got.Answer.Sources) != 1 || len(got.Texts) != 1 {
		t.Errorf("the host got %d bytes, %+v, %+v", len(got.PDF), got.Doc, got.Answer)
	}
	for in, want := range map[string]string{
		`{"doc": "paper"}`:                                       "give texts or keys",
		`{"doc": "notes", "texts": ["x"]}`:                       "only PDFs are marked",
		`{"doc": "nothing", "texts": ["x"]}`:                     "list_documents",
		`{"doc": "paper", "keys": ["D99"]}`:                      "nothing was found under it",
		`{"doc": "paper", "keys": ["` + keys["notes.md"] + `"]}`: "is not in paper.pdf",
	} {
		if got := say(t.Context(), tool, in); !strings.Contains(got, want) {
			t.Errorf("%s says %s, want %q", in, got, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "paper.pdf"), append(pdf, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := say(t.Context(), tool, `{"doc": "paper", "texts": ["x"]}`); !strings.Contains(got, "has changed since it was read") || strings.Contains(got, dir) {
		t.Errorf("a file that has changed: %s", got)
	}
}
