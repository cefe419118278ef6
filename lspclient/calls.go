package lspclient

import (
	"context"

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

// IncomingCalls returns who calls the target: functions, methods, or files with code outside of them. One caller is one
// Call, however often it calls. QueryOptions.Paths chooses by the caller's file. The errors are those of
// [Client.Definition].
//
// Where the server has no call hierarchy, or none for this symbol, the callers are the declarations around those
// references that look like calls (a parenthesis follows, or it is a decorator), and Note says so and names the
// references that were left out. Calls under a name that an import gave the target (Python's and Rust's "as") are added
// where the server leaves them out, and Note says so.
func (c *Client) IncomingCalls(ctx context.Context, t Target, o *QueryOptions) (*CallsResult, error) {
	r, err := c.ask.Calls.Incoming(ctx, t.query, (*questions.Options)(o))
	return callsResult(r), public(err)
}

// OutgoingCalls returns what the target calls. One callee is one Call, however often it is called.
// QueryOptions.Paths chooses by the callee's file, which lies outside the root for a library. The errors are those of
// [Client.Definition].
//
// Where the server has no call hierarchy, or none for this symbol, the callees are the definitions of what looks like a
// call in the target's body, and Note says so; a call whose definition the server does not find makes the answer
// [Degraded].
func (c *Client) OutgoingCalls(ctx context.Context, t Target, o *QueryOptions) (*CallsResult, error) {
	r, err := c.ask.Calls.Outgoing(ctx, t.query, (*questions.Options)(o))
	return callsResult(r), public(err)
}

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
