package workflow

import (
	"encoding/json"
	"iter"
	"time"

	"github.com/findspot/findspot/skill/internal/grammar"
)

// A Kind is what a step does.
type Kind string

// The kinds of steps.
const (
	KindExpand     Kind = "expand"     // a task into search queries
	KindRefine     Kind = "refine"     // the next queries from what was found
	KindSearch     Kind = "search"     // documents, code or both
	KindCall       Kind = "call"       // any tool
	KindAsk        Kind = "ask"        // the model
	KindWrite      Kind = "write"      // a text or files
	KindEach       Kind = "each"       // steps for each element of a list
	KindLoop       Kind = "loop"       // steps until a condition holds
	KindRequire    Kind = "require"    // a gate: a condition or the end
	KindApprove    Kind = "approve"    // a gate: a person's choice
	KindSynthesize Kind = "synthesize" // the answer, from evidence
	KindUse        Kind = "use"        // another skill
	KindFinish     Kind = "finish"     // the end
)

// A Workflow is the checked form of a skill's workflow block. Build one with skill.ParseWorkflow or as a Go value; a
// runner.Runner checks it again before it runs.
type Workflow struct {
	Inputs    []Input
	Limits    Limits
	Guards    []Guard
	Scripts   []Script
	Steps     []*Step
	Telemetry []Metric
}

// An Input is a named value that a run takes.
type Input struct {
	Name     string
	Type     string // string, number, integer, boolean, list or object; empty: any
	Required bool
	Default  any
	// Description is for readers, and for the schema of runner.Runner.Tool.
	Description string
	Line        int
}

// Limits bound a run. Zero fields take the defaults of runner.New.
type Limits struct {
	ToolCalls int
	Wall      time.Duration
	Tokens    int
}

// A Guard denies tools until a condition holds. The condition is a conjunction of passed.STEP and approved.STEP.
type Guard struct {
	Deny    []string
	Until   string // such as "passed.enough && approved.plan_ok"
	Because string
	Line    int
}

// A Script is a file of the skill's folder that steps may run through the tool run_script, when the host has registered a
// way to run it and approved its digest.
type Script struct {
	Path        string // slash path in the skill's folder
	Description string
	Args        map[string]any // JSON Schema of its arguments, an object; nil: any
	Line        int
}

// A Metric is a number computed when the run has ended.
type Metric struct {
	Name string
	Expr string
	Line int
}

// A Step is one step. ID and Kind are always set, and the field named like the kind; for require, approve and finish
// see the comments. Strings marked template may hold ${expression}; those marked expression are one.
type Step struct {
	ID      string
	Kind    Kind
	Line    int
	When    string // expression; the step is skipped when it is false
	OnError string // continue (default: go on without a value, and say so in the outcome) or stop

	Expand     *Expand
	Refine     *Refine
	Search     *Search
	Call       *Call
	Ask        *Ask
	Write      *Write
	Each       *Each
	Loop       *Loop
	Require    *Require
	Approve    *Approve
	Synthesize *Synthesize
	Use        *Use
	Finish     string // nothing_found, insufficient, stopped or done
}

// Expand makes queries from a task.
type Expand struct {
	Of       string   // template: the task
	Add      []string // templates: queries to add
	Glossary string   // a file in the skill's folder: term, tab, expansion
	Keep     int      // most queries; 0 means 8
	By       []string // where else queries come from: corpus (the documents, asked once), model
}

// Refine makes the next queries from what was found.
type Refine struct {
	From string   // template: what was found
	Task string   // template
	Keep int      // most queries; 0 means 8
	By   []string // model: it is asked first
}

// Search calls search_internal (docs) or search_entity (code), once a query, and merges by place.
type Search struct {
	In    string         // docs, code or both
	For   []string       // templates: queries, or lists of them
	Where map[string]any // further arguments of the search tool; templates in it are evaluated
	Tiers []string       // document tiers; empty: all
	Keep  int            // most items; 0 means 10
	Merge bool           // add to what the same step found before
}

// Call calls a tool.
type Call struct {
	Tool     string
	Args     map[string]any // templates in it are evaluated, once
	Retry    *Retry
	Fallback *Call // used when the call failed; it has no fallback of its own
	Line     int
}

// Retry repeats a failed call.
type Retry struct {
	Max  int           // repetitions, besides the first try
	On   string        // the error code, state or verdict to repeat on; empty: any error
	Wait time.Duration // before each repetition
}

// Ask asks the model.
type Ask struct {
	Prompt string         // template
	From   []string       // ids of steps whose values are shown
	Schema map[string]any // JSON Schema of the answer; nil: text
	With   []string       // tools the model may call
}

// Write writes a text from evidence, or files with write tools.
type Write struct {
	What     string   // what it is, such as "research plan"; "files" writes files
	With     []string // tools the model may call
	From     []string // ids of steps, or templates
	Sections []string
	Cite     string   // every_claim: each sentence carries a key
	Check    string   // what the text must hold to; the model is asked whether it does
	Holds    []string // expressions over what was written, named it (text, files, calls, sections), that must be true
}

// Each runs steps for each element of a list. Its value is the list of the last inner step's values, joined.
type Each struct {
	Of    string // template: the list
	As    string // name of the element
	Max   int    // most elements; 0 means 20
	Steps []*Step
}

// Loop repeats steps. Its value is that of the last inner step.
type Loop struct {
	Max   int    // most rounds; required
	Until string // expression, looked at after each round
	Steps []*Step
}

// Require is a gate that passes when a condition holds and ends the run when it does not.
type Require struct {
	Cond    string // expression
	Because string
	Else    string // insufficient (default) or stopped
}

// Approve is a gate that asks a person. It is approved by the choice "approve"; "stop" ends the run; "revise" does too
// when there is no model that could.
type Approve struct {
	What       string   // template: what is shown
	Choices    []string // default: approve, stop
	Unattended string   // the choice when nobody can be asked; default stop. approve counts only in a skill that runner.Options.TrustDigests names
}

// The choices of an approval that mean something to a run.
const (
	ChoiceApprove = "approve"
	ChoiceRevise  = "revise"
	ChoiceStop    = "stop"
)

// Offered returns what may be answered: Choices, or else approve and stop.
func (a *Approve) Offered() []string {
	if len(a.Choices) == 0 {
		return []string{ChoiceApprove, ChoiceStop}
	}
	return a.Choices
}

// Synthesize writes the answer from the values of steps.
type Synthesize struct {
	From   []string // ids of steps, or templates
	Verify string   // quotes, locations or empty
	Style  string
}

// Use runs another skill within this run's limits and guards.
type Use struct {
	Skill string
	With  map[string]any // its inputs; templates are evaluated
}

// Schema returns the JSON Schema (draft 2020-12) of a workflow file, for editors: it is made from the tables that
// the parser reads with, and docs/workflow.schema.json is a copy of it. What no schema can say, such as that a step is
// bound before it is used, is left to skill.ParseWorkflow and lint.Check.
func Schema() json.RawMessage { return grammar.JSONSchema() }

// All yields every step, outer before inner, in order.
func (w *Workflow) All() iter.Seq[*Step] {
	return func(yield func(*Step) bool) { walkSteps(w.Steps, yield) }
}

func walkSteps(steps []*Step, yield func(*Step) bool) bool {
	for _, st := range steps {
		if st == nil {
			continue
		}
		if !yield(st) || !walkSteps(st.Inner(), yield) {
			return false
		}
	}
	return true
}

// Inner returns the steps of an each or a loop; nil for other steps.
func (st *Step) Inner() []*Step {
	switch {
	case st.Each != nil:
		return st.Each.Steps
	case st.Loop != nil:
		return st.Loop.Steps
	}
	return nil
}

// Gate reports whether guards may name the step.
func (st *Step) Gate() bool { return st.Kind == KindRequire || st.Kind == KindApprove }
