package skilltest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// A Step is one prepared answer of a tool.
type Step struct {
	Result *skill.Result
	Err    error
}

// A ScriptedTool answers with its steps in order, and with the last one from then on.
type ScriptedTool struct {
	Name   string
	Writes bool
	Schema json.RawMessage

	mu    sync.Mutex // guards below
	steps []Step
	calls []json.RawMessage
}

// NewTool returns a tool that answers with the results in order, the last one again and again. Without results every
// call is an error.
func NewTool(name string, results ...*skill.Result) *ScriptedTool {
	t := &ScriptedTool{Name: name}
	for _, r := range results {
		t.steps = append(t.steps, Step{Result: r})
	}
	return t
}

// Script sets the prepared answers, errors among them.
func (t *ScriptedTool) Script(steps ...Step) *ScriptedTool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.steps = slices.Clone(steps)
	return t
}

// Calls returns the arguments of the calls so far, in order.
func (t *ScriptedTool) Calls() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]string, len(t.calls))
	for i, c := range t.calls {
		out[i] = string(c)
	}
	return out
}

// Tool is the tool as a runner takes it.
func (t *ScriptedTool) Tool() skill.Tool {
	return skill.Tool{Name: t.Name, Description: "scripted", Schema: t.Schema, Writes: t.Writes,
		Call: func(_ context.Context, args json.RawMessage) (*skill.Result, error) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.calls = append(t.calls, slices.Clone(args))
			if len(t.steps) == 0 {
				return nil, fmt.Errorf("scripted tool %s has no answer", t.Name)
			}
			s := t.steps[min(len(t.calls), len(t.steps))-1]
			return s.Result, s.Err
		}}
}

// Tools returns the tools of several scripts.
func Tools(ts ...*ScriptedTool) (out []skill.Tool) {
	for _, t := range ts {
		out = append(out, t.Tool())
	}
	return out
}

// Passages is a result of search_internal with one passage for each text, on a page of the document each, from page on.
func Passages(doc string, page int, texts ...string) *skill.Result {
	r := &skill.Result{Text: strings.Join(texts, "\n"), Searched: []evidence.Searched{FullSearch("search_internal", len(texts))}}
	for i, s := range texts {
		r.Items = append(r.Items, evidence.Item{Kind: evidence.KindPassage, Text: s, Tier: "phrase",
			At: evidence.Place{Doc: doc, Name: doc, Page: page + i, Line: 10 * (page + i), EndLine: 10*(page+i) + 2}})
	}
	return r
}

// NoPassages is a result of search_internal that found nothing and could see everything.
func NoPassages() *skill.Result {
	return &skill.Result{Text: "none", Searched: []evidence.Searched{FullSearch("search_internal", 0)}}
}

// Entities is a result with one function of code for each id ("path/file.py:name").
func Entities(kind string, ids ...string) *skill.Result {
	r := &skill.Result{Verdict: skill.VerdictFound}
	for i, id := range ids {
		path, name, _ := strings.Cut(id, ":")
		r.Items = append(r.Items, evidence.Item{Kind: kind, Text: "def " + name + "():",
			At: evidence.Place{Path: path, Entity: id, Line: 10 * (i + 1), EndLine: 10*(i+1) + 4}})
	}
	return r
}

// FullSearch is the record of a search that left nothing out.
func FullSearch(tool string, total int) evidence.Searched {
	return evidence.Searched{Tool: tool, Query: "scripted", Tiers: []string{"phrase", "all", "any"}, Full: true, Total: total, Fresh: true, Size: 2}
}

// Clock returns a clock that starts at 2026-01-02 03:04:05 UTC and moves on by step at each look.
func Clock(step time.Duration) func() time.Time {
	var mu sync.Mutex
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		t := now
		now = now.Add(step)
		return t
	}
}
