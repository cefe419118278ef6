package skill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/message"
)

// Hooks are functions of the host around tool calls and answers, in [RunnerOptions.Hooks], [GatherOptions.Hooks] and
// [AnswerOptions.Hooks]. Any of them may be nil. They are called from several goroutines at once when tools are. A panic in
// one is an error of the call around it, and one that goes on 2 seconds (in a run [RunnerOptions.Grace]) after its context has
// ended is a [*HangError] of it.
//
// A hook can rewrite arguments, refuse, take away and add remarks. It cannot choose another tool, get around a guard (guards
// are asked first) or make evidence: what a tool returned is cut or passed on, never changed.
type Hooks struct {
	// BeforeTool is called before a tool that the guards allow. It returns the arguments to call it with, nil for those it
	// was given. An error refuses the call: a [*DeniedError] that holds its text reaches whoever called, and the record.
	BeforeTool func(ctx context.Context, c HookCall) (json.RawMessage, error)
	// AfterTool is called with a copy of what the tool returned. An error takes the result's place.
	AfterTool func(ctx context.Context, c HookCall, res *Result) (After, error)
	// AgentEnd is called when a sub-agent has gathered. The note is shown behind its answer; an error refuses the answer.
	AgentEnd func(ctx context.Context, end AgentEnd) (note string, err error)
	// FinalAnswer is called with a copy of an answer whose sentences are verified, before it is sealed. The note goes along
	// with the answer and is no part of its text; an error refuses the answer.
	FinalAnswer func(ctx context.Context, a *evidence.Answer) (note string, err error)
}

// A HookCall is a tool call as hooks see it.
type HookCall struct {
	Tool   string          // the name that was called
	Main   string          // the tool's main name: its AliasOf, or Tool
	Writes bool            // the tool writes
	Args   json.RawMessage // JSON; a copy
	By     string          // who calls: step, model, host, gather, or the name of a sub-agent
	Step   string          // id of the running step; empty outside of a run
}

// After says what of a tool's result goes on, and what is said about it. The zero value passes it on as it is.
type After struct {
	MaxRunes int      // the text is cut to so many runes, marks of data (see [evidence.Mark]) not counted; 0: not cut
	Drop     []int    // items that are left out, by their index in the result; others than these indexes are an error
	Notes    []string // remarks for whoever reads the result; marked as remarks, never evidence
}

// A Trimmed counts what hooks took from a result.
type Trimmed struct {
	Runes int `json:"runes,omitempty"` // of the text
	Items int `json:"items,omitempty"`
}

// An AgentEnd is what a sub-agent hands back.
type AgentEnd struct {
	Agent    string
	Task     string
	Answer   string    // what its caller will read; sentences with wrong citations are out of it already
	Gathered *Gathered // read-only
}

// TrimResults returns hooks that cut the text of every result to maxRunes runes. The result says how much was cut.
func TrimResults(maxRunes int) *Hooks {
	return &Hooks{AfterTool: func(context.Context, HookCall, *Result) (After, error) {
		return After{MaxRunes: max(maxRunes, 1)}, nil
	}}
}

// LogTools returns hooks that log every call that is made, and what came of it, at level info. Arguments are cut to 200 runes.
func LogTools(lg *slog.Logger) *Hooks {
	if lg == nil {
		lg = slog.New(slog.DiscardHandler)
	}
	return &Hooks{
		BeforeTool: func(ctx context.Context, c HookCall) (json.RawMessage, error) {
			lg.InfoContext(ctx, "skill: tool called", "tool", c.Tool, "by", c.By, "args", message.Clip(string(c.Args), 200))
			return nil, nil
		},
		AfterTool: func(ctx context.Context, c HookCall, res *Result) (After, error) {
			lg.InfoContext(ctx, "skill: tool answered", "tool", c.Tool, "by", c.By, "items", len(res.Items),
				"runes", utf8.RuneCountInString(res.Text), "verdict", res.Verdict)
			return After{}, nil
		},
	}
}

// beforeTool asks the hooks in order, each with what the one before it made of the arguments.
func beforeTool(ctx context.Context, hooks []*Hooks, grace time.Duration, c HookCall) (args json.RawMessage, refused *DeniedError) {
	args = c.Args
	for _, h := range hooks {
		if h == nil || h.BeforeTool == nil {
			continue
		}
		c.Args = slices.Clone(args)
		asked := c
		next, err := hooked(ctx, "BeforeTool", grace, func() (json.RawMessage, error) { return h.BeforeTool(ctx, asked) })
		var denied *DeniedError
		switch {
		case errors.As(err, &denied):
			return nil, &DeniedError{Tool: c.Tool, Because: denied.Because, Until: denied.Until}
		case err != nil:
			return nil, &DeniedError{Tool: c.Tool, Because: "a hook refused it: " + err.Error()}
		case next == nil:
		case !json.Valid(next):
			return nil, &DeniedError{Tool: c.Tool, Because: "a hook made arguments that are no JSON"}
		default:
			args = slices.Clone(next)
		}
	}
	return args, nil
}

// afterTool lets the hooks cut and annotate a result, in order, and counts what they cut. The result given is not changed.
func afterTool(ctx context.Context, hooks []*Hooks, grace time.Duration, c HookCall, res *Result) (*Result, error) {
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
			return nil, fmt.Errorf("tool %s: its data is no JSON: %w", c.Tool, err)
		}
		seen.Data = data
		seen.Searched = slices.Clone(out.Searched)
		c.Args = slices.Clone(c.Args)
		asked := c
		a, err := hooked(ctx, "AfterTool", grace, func() (After, error) { return h.AfterTool(ctx, asked, &seen) })
		if err != nil {
			return nil, fmt.Errorf("tool %s: a hook refused its result: %w", c.Tool, err)
		}
		if err := out.apply(a); err != nil {
			return nil, fmt.Errorf("tool %s: %w", c.Tool, err)
		}
	}
	return &out, nil
}

// apply does to a result what a hook asked for.
func (r *Result) apply(a After) error {
	r.Text = rewritten(r.Text, func(text string) string {
		text, gone := cutRunes(text, a.MaxRunes)
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
				b.WriteString(itemText(it) + "\n")
			}
		}
		r.Text = rewritten(r.Text, func(string) string { return b.String() })
	}
	for _, n := range a.Notes {
		if n, _ = cutRunes(n, maxNote); n != "" && len(r.Notes) < maxNotes {
			r.Notes = append(slices.Clone(r.Notes), n)
		}
	}
	return nil
}

const (
	maxNotes = 20   // remarks of hooks on one result
	maxNote  = 2000 // runes of one
)

// cutRunes cuts s to limit runes, 0 being no limit, and returns how many are gone.
func cutRunes(s string, limit int) (kept string, gone int) {
	if limit <= 0 || len(s) <= limit {
		return s, 0
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i], utf8.RuneCountInString(s[i:])
		}
		n++
	}
	return s, 0
}

// agentEnd asks the hooks about a sub-agent's answer.
func agentEnd(ctx context.Context, hooks []*Hooks, end AgentEnd) (notes []string, err error) {
	for _, h := range hooks {
		if h == nil || h.AgentEnd == nil {
			continue
		}
		note, err := hooked(ctx, "AgentEnd", defaultGrace, func() (string, error) { return h.AgentEnd(ctx, end) })
		if err != nil {
			return notes, fmt.Errorf("agent %s: a hook refused its answer: %w", end.Agent, err)
		}
		if note, _ = cutRunes(note, maxNote); note != "" {
			notes = append(notes, note)
		}
	}
	return notes, nil
}

// finalAnswer asks the hooks about an answer. They see copies.
func finalAnswer(ctx context.Context, hooks []*Hooks, a *evidence.Answer) (notes []string, err error) {
	for _, h := range hooks {
		if h == nil || h.FinalAnswer == nil {
			continue
		}
		seen := *a
		seen.Items, seen.Quotes = slices.Clone(a.Items), slices.Clone(a.Quotes)
		seen.Sources, seen.Searched = slices.Clone(a.Sources), slices.Clone(a.Searched)
		note, err := hooked(ctx, "FinalAnswer", defaultGrace, func() (string, error) { return h.FinalAnswer(ctx, &seen) })
		if err != nil {
			return notes, fmt.Errorf("a hook refused the answer: %w", err)
		}
		if note, _ = cutRunes(note, maxNote); note != "" {
			notes = append(notes, note)
		}
	}
	return notes, nil
}

// hooked calls a hook. Its panic is an error, and so is its going on when ctx has ended.
func hooked[T any](ctx context.Context, name string, grace time.Duration, f func() (T, error)) (T, error) {
	return bounded(ctx, "hook "+name, grace, f)
}
