package skill

import (
	"context"
	"encoding/json"

	"github.com/findspot/findspot/skill/evidence"
)

// Hooks are functions of the host around tool calls and answers, in runner.Options.Hooks, agent.GatherOptions.Hooks and
// agent.AnswerOptions.Hooks. Any of them may be nil. They are called from several goroutines at once when tools are. A panic in
// one is an error of the call around it, and one that goes on 2 seconds (in a run runner.Options.Grace) after its context has
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
	Agent  string
	Task   string
	Answer string          // what its caller will read; sentences with wrong citations are out of it already
	Items  []evidence.Item // what it was shown; a copy
}
