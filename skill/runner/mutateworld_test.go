package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

// A world is one run seen from outside: what tools were really called and what a person approved, in order.
type world struct {
	t       *testing.T
	run     *runner.Run
	probing bool
	seen    []sight
	wanted  []string // tools that are asked for at every point
}

type sight struct {
	tool     string // really called, by its own name; or
	approved string // a step that a person approved
	gate     string // a require step that passed
}

// probe asks for every wanted tool, as a host that knows no phases does.
func (w *world) probe(ctx context.Context) {
	if w.probing || w.run == nil {
		return
	}
	w.probing = true
	defer func() { w.probing = false }()
	for _, tool := range w.wanted {
		_, err := w.run.Call(ctx, tool, json.RawMessage(`{"path":"x.py","text":"x","command":"rm"}`))
		var denied *skill.DeniedError
		if err != nil && !errors.As(err, &denied) && ctx.Err() == nil && !strings.Contains(err.Error(), "limit") {
			w.t.Errorf("%s: %v", tool, err)
		}
	}
}

// tools are all tools of all skills, each with an alias, and the usual ones that write.
func (w *world) tools(names, writers []string) (out []skill.Tool) {
	for _, name := range names {
		for _, alias := range []string{"", name} {
			t := skill.Tool{Name: name, AliasOf: alias, Writes: slices.Contains(writers, name)}
			if alias != "" {
				t.Name, t.Writes = name+"_alias", false // that it writes is said by the tool it stands for
			}
			t.Call = func(ctx context.Context, _ json.RawMessage) (*skill.Result, error) {
				w.seen = append(w.seen, sight{tool: name})
				w.probe(ctx)
				r := &skill.Result{Text: "found", Verdict: skill.VerdictFound}
				for i := range 12 {
					it := evidence.Item{Kind: evidence.KindPassage, Text: fmt.Sprintf("Passage %d of %s: detect_pss uses the m-sequence, figure %d dB.", i, name, i),
						At: evidence.Place{Doc: fmt.Sprintf("d%d.pdf", i%4), Name: fmt.Sprintf("d%d.pdf", i%4), Page: i + 1}}
					if strings.Contains(name, "entity") || strings.Contains(name, "references") || strings.Contains(name, "definition") {
						it = evidence.Item{Kind: evidence.KindEntity, Text: "def detect_pss():", At: evidence.Place{Path: fmt.Sprintf("m%d.py", i), Entity: fmt.Sprintf("m%d.py:detect_pss", i), Line: 3}}
					}
					r.Items = append(r.Items, it)
				}
				return r, nil
			}
			out = append(out, t)
		}
	}
	return out
}

// hostile is a model that first asks for every tool, offered or not, and then gives what the step wants.
type hostile struct{ w *world }

func (h hostile) Generate(ctx context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	return func(yield func(*skill.Delta, error) bool) {
		h.w.probe(ctx)
		asked := slices.ContainsFunc(req.Messages, func(m skill.Message) bool { return m.From == skill.FromTool })
		if !asked {
			for i, tool := range h.w.wanted {
				if !yield(&skill.Delta{Call: &skill.ToolCall{ID: fmt.Sprint("c", i), Name: tool, Args: json.RawMessage(`{"path":"test_x.py","text":"xx detect_pss"}`)}}, nil) {
					return
				}
			}
			return
		}
		text := "The text names it [D1]."
		if req.Schema != nil {
			text = instance(req.Schema)
		}
		yield(&skill.Delta{Text: text}, nil)
	}
}

// instance is a value of a JSON Schema.
func instance(schema json.RawMessage) string {
	type node struct {
		Type       any                        `json:"type"`
		Enum       []any                      `json:"enum"`
		Properties map[string]json.RawMessage `json:"properties"`
		Items      json.RawMessage            `json:"items"`
		MinItems   int                        `json:"minItems"`
		MinLength  int                        `json:"minLength"`
	}
	var make func(s json.RawMessage) any
	make = func(s json.RawMessage) any {
		var n node
		if json.Unmarshal(s, &n) != nil {
			return nil
		}
		if len(n.Enum) > 0 {
			return n.Enum[0]
		}
		switch n.Type {
		case "object":
			m := map[string]any{}
			for k, p := range n.Properties {
				m[k] = make(p)
			}
			return m
		case "array":
			out := []any{}
			for range max(1, n.MinItems) {
				out = append(out, make(n.Items))
			}
			return out
		case "integer", "number":
			return 1
		case "boolean":
			return true
		}
		return strings.Repeat("x", max(2, n.MinLength))
	}
	data, _ := json.Marshal(make(schema))
	return string(data)
}

// A persona is who answers approvals.
var personas = []string{"nobody", "approves", "hesitates", "answers at random"}

func (w *world) options(persona string, seed uint64) *runner.Options {
	o := &runner.Options{Wait: noWait, Limits: workflow.Limits{ToolCalls: 100000}}
	rnd := rand.New(rand.NewPCG(seed, 5))
	asked := map[string]int{}
	if persona == "nobody" {
		return o
	}
	o.Approve = func(ctx context.Context, a runner.Approval) (string, error) {
		w.probe(ctx)
		asked[a.Step]++
		choice := "approve"
		switch persona {
		case "hesitates":
			if asked[a.Step] == 1 && slices.Contains(a.Choices, "revise") {
				choice = "revise"
			}
			if slices.Contains(a.Choices, "later") {
				choice = "later"
			}
		case "answers at random":
			choice = a.Choices[rnd.IntN(len(a.Choices))]
		}
		if choice == "approve" {
			w.seen = append(w.seen, sight{approved: a.Step})
		}
		return choice, nil
	}
	return o
}

// opened replays the events of a run and names the calls that were admitted while a guard of the mutant was closed.
func opened(events []record.Event, skills map[string]*skill.Skill, first string, canonical func(string) string) (bad []string) {
	type frame struct {
		s    *skill.Skill
		open map[string]bool // passed.ID and approved.ID
	}
	frames := []*frame{{skills[first], map[string]bool{}}}
	top := func() *frame { return frames[len(frames)-1] }
	for _, e := range events {
		switch e := e.(type) {
		case *record.Use:
			frames = append(frames, &frame{skills[e.Skill], map[string]bool{}})
		case *record.UseEnd:
			frames = frames[:len(frames)-1]
		case *record.Step:
			if e.Kind == workflow.KindRequire || e.Kind == workflow.KindApprove {
				top().open["passed."+e.ID], top().open["approved."+e.ID] = false, false
			}
		case *record.Gate:
			top().open["passed."+e.ID] = e.Passed
		case *record.Approval:
			top().open["passed."+e.ID], top().open["approved."+e.ID] = e.Choice == "approve", e.Choice == "approve"
		case *record.Withdrawn:
			top().open["passed."+e.ID], top().open["approved."+e.ID] = false, false
		case *record.Call:
			if e.Refused != "" {
				continue
			}
			for _, f := range frames {
				for _, g := range f.s.Workflow().Guards {
					denied := slices.ContainsFunc(g.Deny, func(d string) bool {
						return canonical(d) == canonical(e.Tool) || d == "*" || strings.HasSuffix(d, "*") && strings.HasPrefix(canonical(e.Tool), strings.TrimSuffix(d, "*"))
					})
					for _, term := range strings.Split(g.Until, "&&") {
						if denied && !f.open[strings.TrimSpace(term)] {
							bad = append(bad, fmt.Sprintf("event %d: %s by %s in step %s while %q is closed", e.Head().N, e.Tool, e.By, e.Step, term))
						}
					}
				}
			}
		}
	}
	return bad
}
