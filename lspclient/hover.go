package lspclient

import (
	"context"
)

// HoverResult is what a server has to say about a symbol.
type HoverResult struct {
	// Target is the identifier the question was about.
	Target Location `json:"target"`
	Answer
	// Text is the signature and the documentation, at most 64 KiB; empty when the server has nothing to say.
	Text string `json:"text"`
	// Markdown says that Text is in Markdown; else it is plain.
	Markdown bool `json:"markdown"`
}

// None reports whether the server has nothing to say about the target, and the answer is complete.
func (r *HoverResult) None() bool { return r.Text == "" && r.State == Complete }

// Hover returns what the server shows of a symbol: usually its signature and documentation. The errors are those of
// [Client.Definition].
func (c *Client) Hover(ctx context.Context, t Target) (*HoverResult, error) {
	r, err := c.ask.Places.Hover(ctx, t.query)
	if err != nil {
		return nil, public(err)
	}
	return &HoverResult{Target: Location(r.Target), Answer: answer(r.Answer), Text: r.Text, Markdown: r.Markdown}, nil
}
