package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

// viaRun and viaGather make one call of a tool, in a run of a skill and by a gathering model.
func viaRun(t *testing.T, tool skill.Tool, args string, hooks ...*skill.Hooks) (text string, items []evidence.Item, denied []runner.Denial) {
	t.Helper()
	s := parse(t, "steps:\n  - id: got\n    call: "+tool.Name+"\n    args: "+args+"\n")
	out, err := runner.New(nil, []skill.Tool{tool}, &runner.Options{Hooks: hooks}).Run(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.Reason, out.Items, out.Denied
}

func viaGather(t *testing.T, tool skill.Tool, args string, hooks ...*skill.Hooks) (text string, g *agent.Gathered) {
	t.Helper()
	m := skilltest.NewModel(turn(tool.Name, args), skilltest.Says("done"), skilltest.Says("done"))
	g, err := agent.Gather(t.Context(), m, []skill.Tool{tool}, "q", &agent.GatherOptions{Hooks: hooks})
	if err != nil {
		t.Fatal(err)
	}
	return told(m)[0], g
}

func TestHooksBeforeTool(t *testing.T) {
	before := func(f func(skill.HookCall) (json.RawMessage, error)) *skill.Hooks {
		return &skill.Hooks{BeforeTool: func(_ context.Context, c skill.HookCall) (json.RawMessage, error) { return f(c) }}
	}
	rewrite := before(func(c skill.HookCall) (json.RawMessage, error) {
		c.Args[0] = ' ' // its own copy
		return json.RawMessage(`{"query":"rewritten"}`), nil
	})
	for _, tt := range []struct {
		name  string
		hooks []*skill.Hooks
		args  string // what the tool got; empty: it was not called
		said  string
	}{
		{"none", nil, `{"query":"x"}`, ""},
		{"nil ones", []*skill.Hooks{nil, {}}, `{"query":"x"}`, ""},
		{"rewrites", []*skill.Hooks{rewrite}, `{"query":"rewritten"}`, ""},
		{"in order", []*skill.Hooks{rewrite, before(func(c skill.HookCall) (json.RawMessage, error) {
			return json.RawMessage(strings.Replace(string(c.Args), "written", "ordered", 1)), nil
		})}, `{"query":"reordered"}`, ""},
		{"passes", []*skill.Hooks{before(func(skill.HookCall) (json.RawMessage, error) { return nil, nil })}, `{"query":"x"}`, ""},
		{"refuses", []*skill.Hooks{before(func(c skill.HookCall) (json.RawMessage, error) { return nil, errors.New("not on Sundays") })}, "", "not on Sundays"},
		{"names another tool", []*skill.Hooks{before(func(c skill.HookCall) (json.RawMessage, error) {
			return nil, &skill.DeniedError{Tool: "other", Because: "no"}
		})}, "", "tool search_internal is denied: no"},
		{"no JSON", []*skill.Hooks{before(func(skill.HookCall) (json.RawMessage, error) { return json.RawMessage(`{`), nil })}, "", "not JSON"},
		{"panics", []*skill.Hooks{before(func(skill.HookCall) (json.RawMessage, error) { panic("oh") })}, "", "panic: oh"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			if tt.args != "" {
				want = []string{tt.args}
			}
			search := skilltest.NewTool("search_internal", skilltest.Passages("a.pdf", 1, "text"))
			said, _, denied := viaRun(t, search.Tool(), `{query: x}`, tt.hooks...)
			if diff := cmp.Diff(want, nilIfEmpty(search.Calls())); diff != "" {
				t.Errorf("in a run the tool got (-want +got):\n%s", diff)
			}
			if refused := tt.args == ""; refused != (len(denied) == 1) || !strings.Contains(said, tt.said) {
				t.Errorf("in a run: %q, denied %+v", said, denied)
			}
			search = skilltest.NewTool("search_internal", skilltest.Passages("a.pdf", 1, "text"))
			said, g := viaGather(t, search.Tool(), `{"query":"x"}`, tt.hooks...)
			if diff := cmp.Diff(want, nilIfEmpty(search.Calls())); diff != "" {
				t.Errorf("the model's tool got (-want +got):\n%s", diff)
			}
			if !strings.Contains(said, tt.said) || (tt.args == "") != (g.Calls[0].Error != "") {
				t.Errorf("the model was told %q; %+v", said, g.Calls[0])
			}
		})
	}
}

func nilIfEmpty(s []string) []string {
	if len(s) == 0 {
		return nil
	}
	return s
}

// TestHooksAfterGuards makes sure that a hook is not asked about a call that a guard denies, and cannot allow it.
func TestHooksAfterGuards(t *testing.T) {
	s := parse(t, `
guards:
  - deny: [search_entity]
    until: passed.enough
    because: documents first
steps:
  - id: code
    call: search_entity
  - id: enough
    require: len(code) > 0
    else: insufficient
`)
	asked := 0
	hook := &skill.Hooks{BeforeTool: func(context.Context, skill.HookCall) (json.RawMessage, error) { asked++; return nil, nil }}
	code := skilltest.NewTool("search_entity", skilltest.Entities(evidence.KindEntity, "a.py:f"))
	out, err := runner.New(nil, skilltest.Tools(code), &runner.Options{Hooks: []*skill.Hooks{hook}}).Run(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if asked != 0 || len(code.Calls()) != 0 || len(out.Denied) != 1 || out.Denied[0].Because != "documents first" {
		t.Errorf("hook asked %d times, tool called %d times, denied %+v", asked, len(code.Calls()), out.Denied)
	}
}

func TestHooksAfterTool(t *testing.T) {
	after := func(f func(*skill.Result) (skill.After, error)) *skill.Hooks {
		return &skill.Hooks{AfterTool: func(_ context.Context, _ skill.HookCall, r *skill.Result) (skill.After, error) { return f(r) }}
	}
	for _, tt := range []struct {
		name  string
		hooks []*skill.Hooks
		texts []string // of the items that are left
		told  string   // what the model is told, in part
		not   string
		err   bool
	}{
		{"nothing", []*skill.Hooks{{}}, []string{"one", "two", "three"}, "three", "cut by the host", false},
		{"drops", []*skill.Hooks{after(func(*skill.Result) (skill.After, error) { return skill.After{Drop: []int{1, 1}}, nil })},
			[]string{"one", "three"}, "0 characters and 1 pieces of evidence are left out", "two", false},
		{"drops in turn", []*skill.Hooks{after(func(*skill.Result) (skill.After, error) { return skill.After{Drop: []int{0}}, nil }),
			after(func(r *skill.Result) (skill.After, error) { return skill.After{Drop: []int{len(r.Items) - 1}}, nil })},
			[]string{"two"}, "2 pieces", "one", false},
		{"drops what is not there", []*skill.Hooks{after(func(*skill.Result) (skill.After, error) { return skill.After{Drop: []int{3}}, nil })}, nil, "drops item 3 of 3", "", true},
		{"annotates", []*skill.Hooks{after(func(*skill.Result) (skill.After, error) {
			return skill.After{Notes: []string{"draft of May [D7]"}}, nil
		})},
			[]string{"one", "two", "three"}, "remark of the host, no evidence: draft of May", "", false},
		{"changes its copy", []*skill.Hooks{after(func(r *skill.Result) (skill.After, error) {
			r.Text, r.Items[0].Text, r.Items = "forged", "forged", r.Items[:1]
			return skill.After{}, nil
		})}, []string{"one", "two", "three"}, "three", "forged", false},
		{"refuses", []*skill.Hooks{after(func(*skill.Result) (skill.After, error) { return skill.After{}, errors.New("secret") })}, nil, "secret", "one", true},
		{"panics", []*skill.Hooks{after(func(*skill.Result) (skill.After, error) { panic("oh") })}, nil, "panic: oh", "one", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			search := skilltest.NewTool("search_internal", skilltest.Passages("a.pdf", 1, "one", "two", "three"))
			said, items, _ := viaRun(t, search.Tool(), `{query: x}`, tt.hooks...)
			if diff := cmp.Diff(tt.texts, textsOf(items)); diff != "" || tt.err != strings.Contains(said, tt.told) {
				t.Errorf("in a run: %q, items (-want +got):\n%s", said, diff)
			}
			said, g := viaGather(t, search.Tool(), `{"query":"x"}`, tt.hooks...)
			if diff := cmp.Diff(tt.texts, textsOf(g.Items)); diff != "" {
				t.Errorf("gathered items (-want +got):\n%s", diff)
			}
			if !strings.Contains(said, tt.told) || tt.not != "" && strings.Contains(said, tt.not) {
				t.Errorf("the model was told %q, want %q and not %q", said, tt.told, tt.not)
			}
		})
	}
}

func textsOf(items []evidence.Item) (out []string) {
	for _, it := range items {
		out = append(out, it.Text)
	}
	return out
}

// trimming cuts the text of every result to so many runes.
func trimming(runes int) *skill.Hooks {
	return &skill.Hooks{AfterTool: func(context.Context, skill.HookCall, *skill.Result) (skill.After, error) {
		return skill.After{MaxRunes: runes}, nil
	}}
}

func TestTrimmedResult(t *testing.T) {
	search := skilltest.NewTool("search_file", &skill.Result{Text: strings.Repeat("ä", 500)})
	said, g := viaGather(t, search.Tool(), `{"query":"x"}`, trimming(100))
	if strings.Count(said, "ä") != 100 || !strings.Contains(said, "400 characters") {
		t.Errorf("the model was told %q, want 100 characters and the count of the rest", said)
	}
	if g.Calls[0].Trimmed.Runes != 400 {
		t.Errorf("trimmed = %+v, want 400 runes", g.Calls[0].Trimmed)
	}
}

// TestStructuredResult: a structured form that has the keys of another ledger is not given out.
func TestStructuredResult(t *testing.T) {
	item := evidence.Item{Kind: evidence.KindPassage, Text: "a", At: evidence.Place{Doc: "x"}}
	for key, kept := range map[string]bool{"D1": true, "D7": false} {
		item.Key = key
		tool := skilltest.NewTool("look", &skill.Result{Text: "[" + key + "] a", Items: []evidence.Item{item}, Structured: key})
		s := parse(t, "steps:\n  - id: got\n    call: look\n")
		run, err := runner.New(nil, skilltest.Tools(tool), nil).Start(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := run.Call(t.Context(), "look", nil)
		if err != nil || res.Text != "[D1] a" || (res.Structured != nil) != kept {
			t.Errorf("key %s: %+v, %v; structured form kept: want %v", key, res, err, kept)
		}
	}
}
