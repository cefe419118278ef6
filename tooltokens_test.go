package findspot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/skill"
)

// recordedCalls are calls as agents make them, of every tool that answers from documents, code or a language server.
var recordedCalls = []struct{ tool, args string }{
	{"ask", `{"question": "how is the PSS detected, and who calls detect_pss?"}`},
	{"ask", `{"question": "what is the threshold of the correlation, and why?"}`},
	{"ask", `{"question": "which procedures of cell search does FS 12.401 describe, and where are they implemented?"}`},
	{"ask", `{"question": "where is the Zadoff-Chu sequence generated?", "tokens": 500}`},
	{"search_internal", `{"query": "primary synchronization signal"}`},
	{"search_internal", `{"query": "correlation threshold false alarm"}`},
	{"search_internal", `{"query": "raster", "limit": 3}`},
	{"search_internal", `{"query": "What is the threshold of the correlation?"}`},
	{"search_internal", `{"query": "cell search", "tokens": 300}`},
	{"search_internal", `{"query": "there is no such word as qqxyzzy"}`},
	{"search_knowledge_base", `{"query": "frequency offset"}`},
	{"search_file", `{"doc": "12.401", "pattern": "RRC_CONNECTED"}`},
	{"search_file", `{"path": "receiver/pss.py", "pattern": "def "}`},
	{"list_documents", `{}`},
	{"show_document", `{"doc": "12.401"}`},
	{"read_abstract", `{"doc": "pss-detection"}`},
	{"read_section", `{"doc": "12.401"}`},
	{"read_section", `{"doc": "12.401", "section": "5.2.2"}`},
	{"read_file", `{"path": "receiver/pss.py"}`},
	{"view_file", `{"doc": "12.401", "first": 20, "last": 80}`},
	{"view_file", `{"path": "goreceiver/pss/detect.go"}`},
	{"search_entity", `{"query": "detect_pss"}`},
	{"search_entity", `{"query": "search", "limit": 50}`},
	{"search_entity", `{"query": "signal", "limit": 50, "tests": true, "tokens": 300}`},
	{"search_entity", `{"query": "CellSearcher.search", "view": "full"}`},
	{"locate", `{"text": "detect_pss finds a peak where there is only noise\n\nThe threshold is too low when the noise floor is estimated from few samples."}`},
	{"locate", `{"text": "CellSearcher raises IndexError: list index out of range", "limit": 5}`},
	{"traverse_graph", `{"id": "detect_pss", "direction": "users", "hops": 2}`},
	{"traverse_graph", `{"id": "/", "hops": -1}`},
	{"traverse_graph", `{"id": "CellSearcher.search", "hops": 2, "format": "tree"}`},
	{"retrieve_entity", `{"ids": ["receiver/pss.py:detect_pss", "CellSearcher"]}`},
	{"references", `{"symbol": "detect_pss"}`},
	{"references", `{"symbol": "correlate", "path": "receiver/pss.py"}`},
	{"references", `{"symbol": "detect_ps"}`},
	{"read", `{}`},
	{"verify_answer", `{"text": "The PSS takes one of three forms [pss-detection p. 1, l. 28-42]. There are 336 groups [pss-detection p. 1]. It is quick."}`},
	{"cite", `{"sentence": "The secondary signal settles which of 336 groups the cell belongs to."}`},
	{"recheck_answer", `{"answer": "{\"format\": 1, \"text\": \"The sum is over the samples [C1].\", \"items\": [{\"key\": \"C1\", \"kind\": \"text\", \"at\": {\"path\": \"receiver/pss.py\", \"line\": 67, \"end_line\": 68}, \"text\": \"def detect_pss(samples):\\n    return the strongest of samples\"}]}"}`},
	{"search_text", `{"pattern": "threshold", "ignore_case": true}`},
	{"search_text", `{"pattern": "import", "path": "*.py", "tokens": 200}`},
	{"document_symbols", `{"path": "receiver/pss.py"}`},
	{"lsp_references", `{"symbol": "detect_pss"}`},
	{"lsp_calls", `{"symbol": "detect_pss"}`},
	{"lsp_rename", `{"symbol": "noise_floor", "new_name": "floor_of_noise"}`},
}

// TestToolTokens keeps what the answers of tools cost a model, and holds the structured form to the text.
func TestToolTokens(t *testing.T) {
	ws := open(t, t.TempDir(), fakeOptions(t, fakePy))
	if err := addDocs(t.Context(), ws, papers); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), receiver, nil); err != nil {
		t.Fatal(err)
	}
	tools := byName(ws.Tools(nil))
	type sum struct{ n, text, structured int }
	sums, order := map[string]*sum{}, []string{}
	var out bytes.Buffer
	fmt.Fprintln(&out, "# tokens of the text, tokens of the structured form (4 bytes each), tool, arguments")
	for _, c := range recordedCalls {
		res, err := tools[c.tool].Call(t.Context(), json.RawMessage(c.args))
		if err != nil {
			t.Fatalf("%s %s: %v", c.tool, c.args, err)
		}
		x, err := json.Marshal(res.Structured)
		if err != nil {
			t.Fatal(err)
		}
		checkStructured(t, c.tool+" "+c.args, res, x)
		text, structured := (len(res.Text)+3)/4, (len(x)+3)/4
		if most := budget(t, c.tool, c.args); text > most {
			t.Errorf("%s %s: a text of %d tokens, the budget is %d", c.tool, c.args, text, most)
		}
		fmt.Fprintf(&out, "%5d %5d  %s %s\n", text, structured, c.tool, c.args)
		for _, name := range []string{c.tool, "all"} {
			if sums[name] == nil {
				sums[name] = &sum{}
				if name != "all" {
					order = append(order, name)
				}
			}
			sums[name].n++
			sums[name].text += text
			sums[name].structured += structured
		}
	}
	fmt.Fprintln(&out, "# sums: text, structured, calls, tool")
	for _, name := range append(order, "all") {
		s := sums[name]
		fmt.Fprintf(&out, "%5d %5d %3d  %s\n", s.text, s.structured, s.n, name)
	}
	golden.Compare(t, filepath.Join("testdata", "tool_tokens.txt"), out.Bytes())
}

// budget is the most that a call asks for, or gets unasked.
func budget(t *testing.T, tool, args string) int {
	t.Helper()
	var in struct{ Tokens int }
	if err := json.Unmarshal([]byte(args), &in); err != nil {
		t.Fatal(err)
	}
	switch {
	case in.Tokens > 0:
		return in.Tokens
	case tool == "ask":
		return 1500
	case strings.HasPrefix(tool, "read") || tool == "view_file" || tool == "retrieve_entity":
		return 8000
	}
	return 1000
}

// checkStructured looks for everything in the structured form of an answer that its text says.
func checkStructured(t *testing.T, call string, res *skill.Result, data []byte) {
	t.Helper()
	var got struct {
		Head, Text, Cut, Verdict string
		Items                    map[string]string
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatalf("%s: %v in %s", call, err, data)
	}
	if len(data) > len(res.Text) {
		t.Errorf("%s: %d bytes, more than the %d of the text", call, len(data), len(res.Text))
	}
	if got.Cut != res.Cut || got.Verdict != res.Verdict || !strings.Contains(res.Text, res.Cut) {
		t.Errorf("%s: cut %q, verdict %q; want %q, %q", call, got.Cut, got.Verdict, res.Cut, res.Verdict)
	}
	keys := 0
	for _, it := range res.Items {
		if !strings.Contains(res.Text, "\n["+it.Key+"] ") {
			continue
		}
		keys++
		_, text, ok := strings.Cut(got.Items[it.Key], "\n")
		if !ok || !strings.Contains(res.Text, "    "+strings.ReplaceAll(text, "\n", "\n    ")+"\n") || !strings.HasPrefix(it.Text, text) {
			t.Errorf("%s: %s is %q in the structured form of\n%s", call, it.Key, got.Items[it.Key], res.Text)
		}
	}
	if keys != len(got.Items) {
		t.Errorf("%s: %d items in the text, %d in the structured form", call, keys, len(got.Items))
	}
}
