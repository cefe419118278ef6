package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
)

// maxHover bounds the text of a hover, in bytes.
const maxHover = 64 << 10

// HoverResult is what a server has to say about a symbol.
type HoverResult struct {
	// Target is the identifier the question was about.
	Target place.Location `json:"target"`
	session.Answer
	// Text is the signature and the documentation, at most 64 KiB; empty when the server has nothing to say.
	Text string `json:"text"`
	// Markdown says that Text is in Markdown; else it is plain.
	Markdown bool `json:"markdown"`
}

// None reports whether the server has nothing to say about the target, and the answer is complete.
func (r *HoverResult) None() bool { return r.Text == "" && r.State == session.Complete }
