package runner

import (
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

// An Outcome is how a run ended and what it holds.
type Outcome struct {
	Skill   string          `json:"skill"`
	Status  string          `json:"status"`       // one of the Status constants
	Reason  string          `json:"reason"`       // why, in a sentence; for done, what a reader must know, if anything
	At      string          `json:"at,omitempty"` // id of the step at which it ended
	Outputs map[string]any  `json:"outputs"`      // value of each step that ran, as plain JSON, by step id
	Items   []evidence.Item `json:"items"`        // evidence in the order the run first saw it
	Denied  []Denial        `json:"denied"`       // refused calls, in order; at most the first 1,000
	Steps   []StepRecord    `json:"steps"`        // what ran, in order; inner steps before the loop that holds them ends
	// Telemetry holds the skill's own metrics and, when a reference tool was called, reference_tool_hits and
	// caller_resolution_rate of [record.Measures], unless the skill computes metrics of these names itself.
	Telemetry map[string]any  `json:"telemetry,omitempty"`
	Measures  record.Measures `json:"measures"`
	ToolCalls int             `json:"tool_calls"` // tools that were really called
	Tokens    int             `json:"tokens"`     // input and output together
}

// A Denial is one refused tool call.
type Denial struct {
	Tool    string `json:"tool"`
	Because string `json:"because"`
	Until   string `json:"until,omitempty"`
	Step    string `json:"step,omitempty"` // id of the running step; empty: called through the guarded tools
	By      string `json:"by"`             // step, model or host
}

// A StepRecord is what became of one execution of a step.
type StepRecord struct {
	ID     string        `json:"id"`
	Kind   workflow.Kind `json:"kind"`
	Status string        `json:"status"` // ok, skipped, failed or ended
	Note   string        `json:"note,omitempty"`
	Items  []string      `json:"items,omitempty"` // keys
}
