package findspot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/fakels"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// validCalls is a call of each tool that has an answer in the workspace of fuzzedTools.
var validCalls = map[string]string{
	"search_internal": `{"query":"correlation"}`, "list_documents": `{}`, "show_document": `{"doc":"notes.md"}`, "read_abstract": `{"doc":"notes.md"}`,
	"read_section": `{"doc":"notes.md","section":"2"}`, "read_file": `{"doc":"notes.md"}`, "view_file": `{"path":"a.py","first":1,"last":2}`,
	"search_file": `{"doc":"notes.md","pattern":"signal"}`, "search_entity": `{"query":"used"}`, "locate": `{"text":"used fails"}`,
	"traverse_graph": `{"ids":["a.py:used"],"direction":"callers"}`, "retrieve_entity": `{"id":"a.py:used"}`, "references": `{"symbol":"used"}`,
	"lsp_definition": `{"path":"a.py","line":6,"col":5}`, "lsp_references": `{"symbol":"a.py:used"}`, "document_symbols": `{"path":"a.py"}`,
	"lsp_type_definition": `{"symbol":"a.py:used"}`, "lsp_implementation": `{"symbol":"a.py:used"}`, "lsp_workspace_symbols": `{"query":"used"}`,
	"lsp_hover": `{"symbol":"a.py:used"}`, "lsp_calls": `{"symbol":"a.py:used"}`, "lsp_diagnostics": `{"path":"a.py"}`,
	"lsp_rename": `{"symbol":"a.py:used","new_name":"needed"}`, "lsp_servers": `{}`, "search_text": `{"pattern":"def"}`, "read": `{"path":"a.py"}`,
	"index": `{"paths":["."]}`, "ask": `{"question":"who calls used?"}`, "verify_answer": `{"text":"It is used [C1]."}`, "cite": `{"sentence":"The name is used."}`,
	"recheck_answer": `{"answer":"{\"format\":1,\"text\":\"It is used [C1].\",\"items\":[{\"key\":\"C1\",\"kind\":\"text\",\"at\":{\"path\":\"a.py\",\"line\":1},\"text\":\"def used():\"}]}"}`, "mark_pdf": `{"doc":"paper.pdf","texts":["signal"]}`,
	"write_file": `{"path":"out/a.txt","text":"x"}`, "run_command": `{"command":["jq","."]}`,
	"search_knowledge_base": `{"query":"signal"}`, "search_all_files": `{"query":"signal|correlation"}`, "paper_search": `{"query":"signal","min_year":1990}`,
	"gather_evidence": `{"question":"who calls used?"}`, "search_code_snippets": `{"search_terms":["used"]}`, "explore_tree_structure": `{"start_entities":["/"]}`,
	"get_entity_contents": `{"entity_names":["a.py:used"]}`, "find_symbol": `{"name_path_pattern":"used"}`, "find_referencing_symbols": `{"name_path":"used","relative_path":"a.py"}`,
	"get_symbols_overview": `{"relative_path":"a.py"}`, "find_implementations": `{"name_path":"used","relative_path":"a.py"}`, "get_diagnostics_for_file": `{"relative_path":"a.py"}`,
	"search_for_pattern": `{"substring_pattern":"de.","relative_path":"a.py"}`,
}

// markNothing stands for a host that marks PDFs.
var markNothing = &findspot.MarkOptions{Mark: func(_ context.Context, r findspot.MarkRequest) (*findspot.MarkedPDF, error) {
	out := &findspot.MarkedPDF{Where: "/marked/1"}
	for _, text := range r.Texts {
		out.Marks = append(out.Marks, findspot.MarkedText{Text: text, Places: []extract.Place{{Page: 1, Line: 1, Text: text}}})
	}
	for _, it := range r.Answer.Items {
		out.Marks = append(out.Marks, findspot.MarkedText{Key: it.Key, Text: it.Text, Places: []extract.Place{}, Missing: "it is nowhere"})
	}
	return out, nil
}}

// fuzzedTools are all tools of a small workspace, with a language server that is ours and a program that may be run.
func fuzzedTools(f *testing.F) []skill.Tool {
	f.Helper()
	dir := f.TempDir()
	for name, text := range map[string]string{
		"repo/a.py":     "def used():\n    pass\n\n\ndef main():\n    used()\n",
		"repo/b.go":     "package b\n\nfunc other() {}\n",
		"docs/notes.md": "# Signals\n\nAbstract\n\nA signal is found.\n\n## 2 Method\n\nIt is detected by its correlation. \u202e\u200b\n",
		"bin/jq":        "#!/bin/sh\necho '{}'\n",
		"written/x":     "",
	} {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o700), os.WriteFile(p, []byte(text), 0o700)); err != nil {
			f.Fatal(err)
		}
	}
	f.Setenv("PATH", filepath.Join(dir, "bin"))
	yaml, pids := fakels.Entries(f, fakePy)
	specs, err := lspclient.ParseServers([]byte(yaml))
	if err != nil {
		f.Fatal(err)
	}
	ws, err := findspot.Open(f.Context(), filepath.Join(dir, "index"), &findspot.Options{Servers: findspot.ServerOptions{Entries: specs, NoFile: true, Prefer: []string{fakePy.Name}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := ws.Close(); err != nil {
			f.Error(err)
		}
		fakels.WaitGone(f, pids)
	})
	repo, docs := filepath.Join(dir, "repo"), filepath.Join(dir, "docs")
	pdf, err := os.ReadFile(filepath.Join(papers, "sync-raster.pdf"))
	if err == nil {
		err = os.WriteFile(filepath.Join(docs, "paper.pdf"), pdf, 0o600)
	}
	if err != nil {
		f.Fatal(err)
	}
	if err := addDocs(f.Context(), ws, docs); err != nil {
		f.Fatal(err)
	}
	if _, err := ws.AddRepo(f.Context(), repo, nil); err != nil {
		f.Fatal(err)
	}
	return ws.Tools(&findspot.ToolsOptions{Profile: findspot.ProfileAliases, IndexRoots: []string{docs}, WriteDir: filepath.Join(dir, "written"),
		Command: &findspot.CommandOptions{Dir: repo}, MarkPDF: markNothing})
}

// FuzzToolArguments calls each tool with any bytes, and with values made for its schema: all of them fit, or one does not, and the error names it.
func FuzzToolArguments(f *testing.F) {
	tools := fuzzedTools(f)
	for i, tool := range tools {
		valid, ok := validCalls[tool.Name]
		if !ok {
			f.Errorf("%s has no valid call", tool.Name)
		}
		if _, err := called(f, tool, valid); err != nil {
			f.Errorf("%s %s = %v, want an answer", tool.Name, valid, err)
		}
		f.Add(uint8(i), []byte(valid), []byte(nil))
		for n := 4 * byte(i); n < 4*byte(i)+4; n++ { // each way of shaped
			f.Add(uint8(i), []byte(nil), []byte{n, n, n + 1, n + 2, n, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9})
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, raw, shape []byte) {
		tool := tools[int(which)%len(tools)]
		args, bad := string(raw), ""
		if len(shape) > 0 {
			args, bad = shaped(t, tool, shape)
		}
		_, err := called(t, tool, args)
		if bad != "" && (err == nil || !strings.Contains(err.Error(), bad)) {
			t.Errorf("%s %.200s: the error is %.300v, want one that names %s", tool.Name, args, err, bad)
		}
	})
}

// called calls a tool and checks what holds for every answer.
func called(t testing.TB, tool skill.Tool, args string) (*skill.Result, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	type answer struct {
		res *skill.Result
		err error
	}
	done := make(chan answer, 1)
	go func() {
		res, err := tool.Call(ctx, json.RawMessage(args))
		done <- answer{res, err}
	}()
	var a answer
	select {
	case a = <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%s %.200s does not end, not even with its context", tool.Name, args)
	}
	switch {
	case a.err != nil && a.res != nil || a.err == nil && a.res == nil:
		t.Fatalf("%s %.200s = %v, %v, want one of them", tool.Name, args, a.res, a.err)
	case a.err != nil:
		text := a.err.Error()
		if strings.Contains(text, "inside of findspot") || strings.Contains(text, "internal error") || errors.Is(a.err, context.DeadlineExceeded) {
			t.Errorf("%s %.200s = %.200s", tool.Name, args, text)
		}
		if len(text) > 8<<10 {
			t.Errorf("%s %.200s: an error of %d bytes: %.200s", tool.Name, args, len(text), text)
		}
		return nil, a.err
	}
	block := strings.TrimRight(a.res.Text, "\n")
	if i := strings.LastIndex(block, "</data "); i >= 0 {
		i += strings.Index(block[i:], ">") + 1
		block = block[:i]
	}
	if _, ok := evidence.Unmark(block); !ok && block != "" && tool.Name != "write_file" { // which tells what it was given
		t.Errorf("%s %.200s: the text is no marked data: %.300s", tool.Name, args, a.res.Text)
	}
	data, err := json.Marshal(a.res.Data)
	if err != nil {
		t.Errorf("%s %.200s: %v", tool.Name, args, err)
	}
	if len(a.res.Text) > 128<<10 || len(data) > 1<<20 {
		t.Errorf("%s %.200s: %d bytes of text and %d of data", tool.Name, args, len(a.res.Text), len(data))
	}
	return a.res, nil
}

// A property of a schema.
type property struct {
	Type  string    `json:"type"`
	Enum  []string  `json:"enum"`
	Items *property `json:"items"`
}

var (
	oddTexts = []string{"used", "a.py", "notes.md", "a.py:used", "/", "", " ", "\x00", "a\x00.py", "../a.py", "/etc/passwd", "repo//a.py", "a.py:1", "def", "(a+)+$", "[", "**/*", "*.py", "-",
		"\u202egnp.a", "us\u200bed", "e\u0301", "\U0001d518", "\ufffd", "{{.}}", "</data 00000000>", "1", "-1", "9223372036854775808", "true", "null", "D1", "C1", "line\nline", `"`, `\`}
	longTexts  = []string{strings.Repeat("used ", 3000), strings.Repeat("(", 2000), strings.Repeat("\u202e", 20000), strings.Repeat("a/", 5000), strings.Repeat("*", 500), strings.Repeat("x", 1<<20)}
	oddNumbers = []json.Number{"0", "1", "-1", "2", "1e2", "3.0", "500", "-500", "999999999", "-999999999", "1000000000"}
	noNumbers  = []any{json.Number("1.5"), json.Number("1e300"), json.Number("-9223372036854775809"), "many", "", true, []any{}, []any{1}, map[string]any{}, nested(200), "\x00", "0x10", "NaN"}
	noBools    = []any{0, 1, "maybe", "", []any{true}, map[string]any{}, nested(200)}
	noTexts    = []any{map[string]any{}, map[string]any{"text": "x"}, []any{}, []any{"used"}, nested(200)}
	noItems    = []any{map[string]any{}, []any{"a"}, []any{map[string]any{}}, []any{"a", []any{}}, nested(200)}
)

// nested is a list in a list, and so on.
func nested(depth int) any {
	var v any = []any{}
	for range depth {
		v = []any{v}
	}
	return v
}

// choices are what is left of the fuzzer's bytes to choose by.
type choices []byte

func (c *choices) below(n int) int {
	if len(*c) == 0 {
		return 0
	}
	b := (*c)[0]
	*c = (*c)[1:]
	return int(b) % n
}

// fit is a value that fits. Long texts fit the schema too, but an error about them can stand in place of another.
func (c *choices) fit(p *property, texts []string) any {
	switch p.Type {
	case "integer":
		return oddNumbers[c.below(len(oddNumbers))]
	case "boolean":
		return c.below(2) == 1
	case "array":
		list := []any{}
		for range []int{1, 0, 2, 3, 300}[c.below(5)] {
			list = append(list, c.fit(p.Items, texts))
		}
		return list
	}
	if len(p.Enum) > 0 {
		return p.Enum[c.below(len(p.Enum))]
	}
	return texts[c.below(len(texts))]
}

// unfit is one that does not, even as models write them: a number in quotes is a number, and a number is a text.
func (c *choices) unfit(p *property) any {
	of := func(values []any) any { return values[c.below(len(values))] }
	switch p.Type {
	case "integer":
		return of(noNumbers)
	case "boolean":
		return of(noBools)
	case "array":
		if p.Items.Type != "string" {
			return []any{c.unfit(p.Items)}
		}
		if len(p.Items.Enum) > 0 && c.below(2) == 1 {
			return []any{p.Items.Enum[0], "no such value \u202e"}
		}
		return []any{of(noItems)}
	}
	if len(p.Enum) > 0 && c.below(2) == 1 {
		return "no such value \u202e" + strings.Repeat("x", c.below(200)*1000)
	}
	return of(noTexts)
}

// shaped makes arguments for a tool's schema, and names the argument that makes them unfit, if one does.
func shaped(t *testing.T, tool skill.Tool, shape []byte) (args, bad string) {
	t.Helper()
	var s struct {
		Properties map[string]*property
		Required   []string
	}
	if err := json.Unmarshal(tool.Schema, &s); err != nil {
		t.Fatal(err)
	}
	c := choices(shape)
	how, texts := c.below(4), oddTexts
	if how == 0 {
		texts = slices.Concat(oddTexts, longTexts)
	}
	names := slices.Sorted(maps.Keys(s.Properties))
	values := map[string]any{}
	for _, name := range names {
		if slices.Contains(s.Required, name) || c.below(3) == 1 {
			values[name] = c.fit(s.Properties[name], texts)
		}
	}
	switch {
	case how == 1 && len(names) > 0:
		bad = names[c.below(len(names))]
		values[bad] = c.unfit(s.Properties[bad])
	case how == 2:
		bad = []string{"no_such_argument", "Query", "__proto__", "limitt", strings.Repeat("y", 50)}[c.below(5)]
		for i := range []int{0, 1, 2000}[c.below(3)] {
			values[fmt.Sprint("zz", i)] = i
		}
		values[bad] = 1
	case how == 3 && len(s.Required) > 0:
		bad = s.Required[c.below(len(s.Required))]
		delete(values, bad)
	}
	data, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), bad
}
