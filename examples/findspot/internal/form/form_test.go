package form

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type hit struct {
	ID    string   `json:"id"`
	Path  string   `json:"path"`
	Line  int      `json:"line"`
	Score float64  `json:"score"`
	Text  string   `json:"text,omitempty"`
	Words []string `json:"words,omitempty"`
	Hash  string   `json:"hash,omitempty"`
}

type answer struct {
	Query string         `json:"query"`
	Hits  []hit          `json:"hits"`
	Total int            `json:"total"`
	More  map[string]any `json:"more,omitempty"`
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   any
		want []string
	}{
		{"an answer", answer{Query: "<a>", Hits: []hit{{ID: "x"}, {ID: "y", Line: 2}}, Total: 2},
			[]string{`{"id":"x","path":"","line":0,"score":0}`, `{"id":"y","path":"","line":2,"score":0}`, `{"summary":{"query":"<a>","total":2}}`}},
		{"nothing", answer{Query: "a", Hits: []hit{}}, []string{`{"summary":{"query":"a","total":0}}`}},
		{"a list", []int{1, 2}, []string{"1", "2"}},
		{"no thing", []int{}, nil},
		{"one thing", map[string]any{"b": "x\ny", "lines": 3}, []string{`{"b":"x\ny","lines":3}`}},
		{"a walk", map[string]any{"edges": []any{map[string]any{"src": "a"}}, "nodes": []any{map[string]any{"id": "a"}}, "z": true},
			[]string{`{"src":"a"}`, `{"id":"a"}`, `{"summary":{"z":true}}`}},
		{"a number", 3, []string{"3"}},
	} {
		lines, err := Lines(tt.in)
		var got []string
		for _, l := range lines {
			got = append(got, string(l))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   any
		want string
	}{
		{"a table", answer{Query: "a_b", Hits: []hit{{ID: "x|y", Path: "a.py", Line: 1, Score: 0.123456, Words: []string{"p", "q"}, Hash: "h"}}, Total: 1},
			"# a\\_b\n\n| id | path | line | score | words |\n|---|---|---|---|---|\n| x\\|y | `a.py` | 1 | 0.123 | p, q |\n\n## Summary\n\n- total: 1\n"},
		{"texts", answer{Query: "q", Hits: []hit{{ID: "a.py:f", Path: "a.py", Line: 3, Text: "def f():\n    ```\n"}}},
			"# q\n\n## `a.py:f` `a.py:3`\n\n- score: 0\n\n````py\ndef f():\n    ```\n````\n\n## Summary\n\n- total: 0\n"},
		{"lines", map[string]any{"matches": []map[string]any{{"path": "a`b", "line": 1, "col": 2, "text": "x *y*"}}}, "- ``a`b:1:2``: `x *y*`\n"},
		{"evidence", map[string]any{"items": []map[string]any{{"key": "D1", "at": map[string]any{"doc": "d", "title": "# A [b]", "page": 2, "line": 4, "end_line": 6, "name": "x.pdf"}, "text": "- one <b>"}}},
			"## \\[D1\\] \\# A \\[b\\] p. 2, l. 4-6 (`x.pdf`)\n\n> \\- one \\<b\\>\n"},
		{"nothing", answer{Query: "q", Hits: []hit{}}, "# q\n\nNothing was found.\n\n## Summary\n\n- total: 0\n"},
		{"an empty list", []hit{}, "Nothing.\n"},
		{"within", map[string]any{"a": map[string]any{"b": []string{"x", "y"}}, "c": false}, "- c: false\n\n## a\n\n- b: x, y\n"},
	} {
		got, err := Markdown(tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, diff)
		}
	}
}

// Whatever a text holds, it makes no heading, fence or row of its own.
func FuzzMarkdown(f *testing.F) {
	f.Add("# x\n```\n| a |", "a`|b")
	f.Add("1. x\n> y <b>", "-\n")
	f.Fuzz(func(t *testing.T, text, id string) {
		out, err := Markdown(answer{Query: text, Hits: []hit{{ID: id, Path: id, Text: "one " + text}}})
		if err != nil {
			t.Fatal(err)
		}
		fence, heads := "", 0
		for line := range strings.Lines(out) {
			line = strings.TrimSuffix(line, "\n")
			switch ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]; {
			case fence != "":
				if line == fence {
					fence = ""
				}
			case len(ticks) >= 3 && !strings.Contains(line[len(ticks):], "`"):
				fence = ticks
			case strings.HasPrefix(line, "#"):
				heads++
			}
		}
		if fence != "" || heads > 3 {
			t.Errorf("%d headings, fence %q: %s", heads, fence, out)
		}
		lines, err := Lines(answer{Hits: []hit{{Text: text}}})
		if err != nil || len(lines) != 2 || !json.Valid(lines[0]) || strings.Contains(string(lines[0]), "\n") {
			t.Errorf("lines %q, %v", lines, err)
		}
	})
}
