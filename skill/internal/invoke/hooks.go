package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/bounded"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/show"
)

// BeforeTool asks the hooks in order, each with what the one before it made of the arguments.
func BeforeTool(ctx context.Context, hooks []*skill.Hooks, grace time.Duration, c skill.HookCall) (args json.RawMessage, refused *skill.DeniedError) {
	args = c.Args
	for _, h := range hooks {
		if h == nil || h.BeforeTool == nil {
			continue
		}
		c.Args = slices.Clone(args)
		asked := c
		next, err := bounded.Call(ctx, "hook BeforeTool", grace, func() (json.RawMessage, error) { return h.BeforeTool(ctx, asked) })
		var denied *skill.DeniedError
		switch {
		case errors.As(err, &denied):
			return nil, &skill.DeniedError{Tool: c.Tool, Because: denied.Because, Until: denied.Until}
		case err != nil:
			return nil, &skill.DeniedError{Tool: c.Tool, Because: "a hook refused it: " + err.Error()}
		case next == nil:
		case !json.Valid(next):
			return nil, &skill.DeniedError{Tool: c.Tool, Because: "a hook made arguments that are not JSON"}
		default:
			args = slices.Clone(next)
		}
	}
	return args, nil
}

// AfterTool lets the hooks cut and annotate a result, in order, and counts what they cut. The result given is not changed.
func AfterTool(ctx context.Context, hooks []*skill.Hooks, grace time.Duration, c skill.HookCall, res *skill.Result) (*skill.Result, error) {
	out := *res
	out.Items = slices.Clone(res.Items)
	for _, h := range hooks {
		if h == nil || h.AfterTool == nil {
			continue
		}
		seen := out
		seen.Items = slices.Clone(out.Items)
		for i := range seen.Items {
			seen.Items[i].Matches = slices.Clone(seen.Items[i].Matches)
		}
		data, err := jsonvalue.Copy(out.Data)
		if err != nil {
			return nil, fmt.Errorf("tool %s: its data is not JSON: %w", c.Tool, err)
		}
		seen.Data = data
		seen.Searched = slices.Clone(out.Searched)
		c.Args = slices.Clone(c.Args)
		asked := c
		a, err := bounded.Call(ctx, "hook AfterTool", grace, func() (skill.After, error) { return h.AfterTool(ctx, asked, &seen) })
		if err != nil {
			return nil, fmt.Errorf("tool %s: a hook refused its result: %w", c.Tool, err)
		}
		if err := applyAfter(&out, a); err != nil {
			return nil, fmt.Errorf("tool %s: %w", c.Tool, err)
		}
	}
	return &out, nil
}

// applyAfter does to a result what a hook asked for.
func applyAfter(r *skill.Result, a skill.After) error {
	before := r.Trimmed
	r.Text = show.Rewrite(r.Text, func(text string) string {
		text, gone := message.CutRunes(text, a.MaxRunes)
		r.Trimmed.Runes += gone
		return text
	})
	gone := map[int]bool{}
	for _, i := range a.Drop {
		if i < 0 || i >= len(r.Items) {
			return fmt.Errorf("a hook drops item %d of %d", i, len(r.Items))
		}
		gone[i] = true
	}
	if len(gone) > 0 {
		var kept []evidence.Item
		for i, it := range r.Items {
			if !gone[i] {
				kept = append(kept, it)
			}
		}
		r.Items, r.Trimmed.Items = kept, r.Trimmed.Items+len(gone)
		var b strings.Builder // the text told of them too; without keys, whoever gives the keys lists the items
		for _, it := range kept {
			if it.Key != "" {
				b.WriteString(show.ItemText(it) + "\n")
			}
		}
		r.Text = show.Rewrite(r.Text, func(string) string { return b.String() })
	}
	if r.Trimmed != before {
		r.Structured = nil // it still says what was taken away
	}
	for _, n := range a.Notes {
		if n, _ = message.CutRunes(n, maxNote); n != "" && len(r.Notes) < maxNotes {
			r.Notes = append(slices.Clone(r.Notes), n)
		}
	}
	return nil
}

const (
	maxNotes = 20   // remarks of hooks on one result
	maxNote  = 2000 // runes of one
)

// AgentEnd asks the hooks about a sub-agent's answer.
func AgentEnd(ctx context.Context, hooks []*skill.Hooks, end skill.AgentEnd) (notes []string, err error) {
	for _, h := range hooks {
		if h == nil || h.AgentEnd == nil {
			continue
		}
		note, err := bounded.Call(ctx, "hook AgentEnd", bounded.Grace, func() (string, error) { return h.AgentEnd(ctx, end) })
		if err != nil {
			return notes, fmt.Errorf("agent %s: a hook refused its answer: %w", end.Agent, err)
		}
		if note, _ = message.CutRunes(note, maxNote); note != "" {
			notes = append(notes, note)
		}
	}
	return notes, nil
}

// FinalAnswer asks the hooks about an answer. They see copies.
func FinalAnswer(ctx context.Context, hooks []*skill.Hooks, a *evidence.Answer) (notes []string, err error) {
	for _, h := range hooks {
		if h == nil || h.FinalAnswer == nil {
			continue
		}
		seen := *a
		seen.Items, seen.Quotes = slices.Clone(a.Items), slices.Clone(a.Quotes)
		seen.Sources, seen.Searched = slices.Clone(a.Sources), slices.Clone(a.Searched)
		note, err := bounded.Call(ctx, "hook FinalAnswer", bounded.Grace, func() (string, error) { return h.FinalAnswer(ctx, &seen) })
		if err != nil {
			return notes, fmt.Errorf("a hook refused the answer: %w", err)
		}
		if note, _ = message.CutRunes(note, maxNote); note != "" {
			notes = append(notes, note)
		}
	}
	return notes, nil
}
