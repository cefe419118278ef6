package skill

import (
	"context"
	"encoding/json"

	"github.com/findspot/findspot/skill/evidence"
)

// A Tool is a function that a workflow step or a model may call by name. Call must be safe for concurrent use.
type Tool struct {
	Name        string
	Description string
	Guidance    string          // when to use it and what to do with its answer: shown to a model behind the description
	AliasOf     string          // the tool that this is another name of; guards, allowed-tools, limits and counts mean all names of a tool
	Schema      json.RawMessage // JSON Schema of the arguments, an object; empty: any
	Writes      bool            // changes something outside the run: files, commands
	// Changes says that some argument makes the tool bring up to date what the host keeps to answer from, such as an index: no file of
	// the user's, and nothing that cannot be made again. Its definition then does not say that it only reads. Guards do not hold for it, as they do for what Writes.
	Changes bool
	// Offline says that the tool uses no network: its definition then tells clients so.
	Offline bool
	Call    func(ctx context.Context, args json.RawMessage) (*Result, error)
}

// A Result is what a tool returns.
type Result struct {
	Text  string          `json:"text"`            // for a reader or a model
	Items []evidence.Item `json:"items,omitempty"` // evidence; the run gives the keys
	Cut   string          `json:"cut,omitempty"`   // what Text leaves out of the answer, and how to get it; empty: nothing
	Data  any             `json:"data,omitempty"`  // the structured answer with JSON tags; expressions see it as plain JSON
	// Structured is what Text says, in JSON of no more bytes, for programs and for clients that forward no text: the keys, places and texts of
	// the items shown, what was left out, and the verdict. Nil: there is only the text, as where a hook took
	// something away or a run gave other keys.
	Structured any                 `json:"-"`
	Verdict    string              `json:"verdict,omitempty"`  // of a question that may have none: see the Verdict constants
	Searched   []evidence.Searched `json:"searched,omitempty"` // what was searched; without it the run reads it off Data where it can
	Notes      []string            `json:"notes,omitempty"`    // remarks of the host's hooks, no evidence
	Trimmed    Trimmed             `json:"trimmed,omitzero"`   // what the host's hooks took away
}

// The verdicts of a result.
const (
	VerdictFound        = "found"
	VerdictNoneKnown    = "none_known"    // none found, but it could not be told that there are none
	VerdictVerifiedNone = "verified_none" // there are none
)

// A CodedError is an error that a step's retry can name, such as "server_starting".
type CodedError interface {
	error
	Code() string
}
