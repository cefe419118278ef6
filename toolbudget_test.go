package findspot_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
)

// crowded is a workspace in which every search finds more than an answer holds: 40 documents, and a function that 80 files call.
func crowded(t *testing.T) *findspot.Workspace {
	t.Helper()
	docs, code := map[string]string{}, map[string]string{"src/target_of_calls.go": "package src\n\n// Target says \"target\".\nfunc Target(name string) string { return `\"` + name + `\"` }\n"}
	for i := range 40 {
		docs[fmt.Sprintf("notes-of-mixers-%02d.md", i)] = fmt.Sprintf("# Notes on the \"gain\" of mixers, part %d\n\n", i) + strings.Repeat(fmt.Sprintf("## Stage %d\n\nThe gain of the mixer is \"set\" in stage %d.\n\n", i, i), 6)
	}
	for i := range 80 {
		code[fmt.Sprintf("src/callers/caller_number_%02d.go", i)] = fmt.Sprintf("package callers\n\nimport \"m/src\"\n\nfunc Caller%02d() string {\n\tx := src.Target(\"a\" + \"b\" + \"c\")\n\treturn x + \"\\\"\" + src.Target(\"gain of the mixer\")\n}\n", i)
	}
	code["src/quotes.json"] = "{\n" + strings.Repeat("  \"a\": \"b\", \"c\": \"d\",\n", 50) + "  \"e\": 1\n}\n"
	code["go.mod"] = "module m\n\ngo 1.24\n"
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	if err := addDocs(t.Context(), ws, write(t, docs)); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), write(t, code), nil); err != nil {
		t.Fatal(err)
	}
	return ws
}

// TestToolBudgets asks for budgets of all sizes: no text is longer, no structured form is longer than its text, and what is left out is said.
func TestToolBudgets(t *testing.T) {
	tools := byName(crowded(t).Tools(nil))
	for _, c := range []struct{ tool, args string }{
		{"ask", `"question": "who calls Target, and how is the gain of the mixer set?"`}, {"search_internal", `"query": "gain of the mixer", "limit": 50`},
		{"search_file", `"doc": "notes-of-mixers-07", "pattern": "gain"`}, {"list_documents", ``}, {"read_section", `"doc": "notes-of-mixers-07"`},
		{"search_entity", `"query": "Caller", "limit": 80, "view": "full"`}, {"locate", `"text": "Caller01 asks Target for the gain of the mixer", "limit": 90`},
		{"traverse_graph", `"id": "Target", "direction": "users"`}, {"traverse_graph", `"id": "/", "hops": -1, "format": "tree"`}, {"retrieve_entity", `"ids": ["Caller01", "Caller02", "Caller03", "Target"]`},
		{"references", `"symbol": "Target"`}, {"read", ``}, {"search_text", `"pattern": "Target"`}, {"view_file", `"doc": "notes-of-mixers-07"`},
		{"view_file", `"path": "src/quotes.json"`}, {"document_symbols", `"path": "src/callers/caller_number_07.go"`}, {"index", ``},
	} {
		for _, tokens := range []int{1, 100, 150, 300, 1000, 4000, -1} {
			args := fmt.Sprintf(`{%s}`, strings.TrimPrefix(fmt.Sprintf(`%s, "tokens": %d`, c.args, tokens), ", "))
			res, err := tools[c.tool].Call(t.Context(), json.RawMessage(args))
			if err != nil {
				t.Fatalf("%s %s: %v", c.tool, args, err)
			}
			most := max(tokens, map[int]int{1: 100, -1: 16000}[tokens]) // the bounds of what can be asked for
			if len(res.Text) > 4*most && strings.Count(res.Text, "\n[") > 1 {
				t.Errorf("%s %s: %d bytes:\n%s", c.tool, args, len(res.Text), res.Text)
			}
			data, ok := res.Structured.(json.RawMessage)
			if !ok || len(data) > len(res.Text) || !json.Valid(data) {
				t.Errorf("%s %s: structured form %s of\n%s", c.tool, args, data, res.Text)
			}
			shown := strings.Count(res.Text, "\n[")
			if len(res.Items) > shown && res.Cut == "" {
				t.Errorf("%s %s: %d of %d items, and nothing says so", c.tool, args, shown, len(res.Items))
			}
			if text, cut := saidBy(t, res); strings.Contains(text, "..."+itemEnd) && !strings.Contains(cut, "goes on") ||
				strings.Count(text, itemEnd) < shown && !strings.Contains(cut, "not shown") {
				t.Errorf("%s %s: the structured form leaves out more than it says: %s", c.tool, args, data)
			}
			if !strings.Contains(res.Text, res.Cut) {
				t.Errorf("%s %s: cut %q is not said in\n%s", c.tool, args, res.Cut, res.Text)
			}
		}
	}
}

// TestToolCursors pages through answers that hold a part of what was found: each thing comes once, and nothing is left out.
func TestToolCursors(t *testing.T) {
	tools := byName(crowded(t).Tools(nil))
	for _, tt := range []struct {
		tool, args, next, thing string
		want                    int
	}{
		{"search_internal", `"query": "gain of the mixer", "limit": 15, "tokens": 400`, `ask again with (cursor) (\S+?)[) ]`, `(notes-of-mixers-\d\d)\.md`, 40},
		{"list_documents", `"tokens": 400`, `ask again with (after) "([^"]+)"`, `(notes-of-mixers-\d\d)\.md`, 40},
		{"search_text", `"pattern": "func Caller", "tokens": 300`, `ask again with (skip) (\d+)`, `func (Caller\d\d)`, 80},
		{"references", `"symbol": "Target", "tokens": 300`, `ask again with (skip) (\d+)`, `:(Caller\d\d) `, 80},
		{"search_entity", `"query": "Caller", "kinds": "function", "limit": 80, "tokens": 300`, `ask again with (skip) (\d+)`, `:(Caller\d\d) `, 80},
	} {
		next, thing := regexp.MustCompile(tt.next), regexp.MustCompile(tt.thing)
		for _, form := range []string{"text", "structured"} {
			seen, more := map[string]int{}, ""
			for range 100 {
				res, err := tools[tt.tool].Call(t.Context(), json.RawMessage("{"+tt.args+more+"}"))
				if err != nil {
					t.Fatal(err)
				}
				text, cut := res.Text, res.Cut
				if form == "structured" {
					text, cut = saidBy(t, res)
				}
				for _, m := range thing.FindAllStringSubmatch(text, -1) {
					seen[m[1]]++
				}
				m := next.FindStringSubmatch("(" + cut + ")")
				if m == nil {
					break
				}
				more = fmt.Sprintf(`, %q: %q`, m[1], m[2])
			}
			if len(seen) != tt.want {
				t.Errorf("%s, %s: %d things, want %d: %v", tt.tool, form, len(seen), tt.want, seen)
			}
			for name, n := range seen {
				if n != 1 {
					t.Errorf("%s, %s: %s came %d times", tt.tool, form, name, n)
				}
			}
		}
	}
}

const itemEnd = "\x00\n"

// saidBy is what the structured form of an answer says, and what it says of what is left out.
func saidBy(t *testing.T, res *skill.Result) (text, cut string) {
	t.Helper()
	var got struct {
		Head, Text, Cut string
		Items           map[string]string
	}
	if err := json.Unmarshal(res.Structured.(json.RawMessage), &got); err != nil {
		t.Fatal(err)
	}
	for _, it := range got.Items {
		text += it + itemEnd
	}
	return text + got.Text, got.Cut
}
