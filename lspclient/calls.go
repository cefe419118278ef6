package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/questions"
)

// Call is the other end of calls: for incoming ones a caller, for outgoing ones what is called.
type Call struct {
	Name   string `json:"name"` // as the server writes it, decoration removed
	Kind   string `json:"kind"` // as in Symbol
	Detail string `json:"detail"`
	// Location is the declaration, or only its name where the server tells no more; Selection is its name. A call from
	// outside any function has what the server gives instead, often the file.
	Location  Location `json:"location"`
	Selection Location `json:"selection"`
	// Sites are the places of the calls, sorted, at most 1,000: in the caller's file. A server that does not tell them
	// leaves them empty. Never null in JSON.
	Sites []Location `json:"sites"`
}

// CallsResult is the answer to a question about calls.
type CallsResult struct {
	// Target is the identifier the question was about.
	Target Location `json:"target"`
	Answer
	Calls []Call `json:"calls"` // sorted by place, never null in JSON
	// Total counts the calls before the limit; Truncated says that the limit left some out.
	Total     int  `json:"total"`
	Truncated bool `json:"truncated"`
}

// None reports whether the server says that there is no such call, and the answer is complete.
func (r *CallsResult) None() bool { return r.Total == 0 && r.State == Complete }

func callsResult(r *questions.CallsResult) *CallsResult {
	if r == nil {
		return nil
	}
	return &CallsResult{
		Target: Location(r.Target), Answer: answer(r.Answer), Total: r.Total, Truncated: r.Truncated,
		Calls: convert(r.Calls, func(c questions.Call) Call {
			return Call{c.Name, c.Kind, c.Detail, Location(c.Location), Location(c.Selection), locations(c.Sites)}
		}),
	}
}
