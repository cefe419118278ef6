package skilltest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/skill"
)

// A Turn is one prepared answer of a model.
type Turn struct {
	Text  string
	Calls []skill.ToolCall
	Usage skill.Usage
	Stop  string // skill.StopEnd ...; empty: StopTools with calls, else StopEnd
	Err   error  // after Text and Calls
}

// Says is a turn of text.
func Says(text string) Turn { return Turn{Text: text, Usage: skill.Usage{Input: 10, Output: 5}} }

// Calls is a turn that calls one tool; args is JSON.
func Calls(tool, args string) Turn {
	return Turn{Calls: []skill.ToolCall{{ID: "call-" + tool, Name: tool, Args: json.RawMessage(args)}}}
}

// A ScriptedModel gives its turns in order and then errors.
type ScriptedModel struct {
	mu       sync.Mutex // guards below
	turns    []Turn
	requests []*skill.Request
}

// NewModel returns a model that answers with the turns in order.
func NewModel(turns ...Turn) *ScriptedModel { return &ScriptedModel{turns: turns} }

// Requests returns what was asked so far, in order.
func (m *ScriptedModel) Requests() []*skill.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.requests)
}

// Generate streams the next turn, a few words at a time.
func (m *ScriptedModel) Generate(ctx context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	m.mu.Lock()
	n := len(m.requests)
	kept := *req
	kept.Messages = slices.Clone(req.Messages)
	m.requests = append(m.requests, &kept)
	turn := Turn{Err: fmt.Errorf("scripted model: %w after %d turns", errOut, n)}
	if n < len(m.turns) {
		turn = m.turns[n]
	}
	m.mu.Unlock()
	return func(yield func(*skill.Delta, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		for _, piece := range strings.SplitAfter(turn.Text, " ") {
			if piece != "" && !yield(&skill.Delta{Text: piece}, nil) {
				return
			}
		}
		for i := range turn.Calls {
			if !yield(&skill.Delta{Call: &turn.Calls[i]}, nil) {
				return
			}
		}
		if turn.Err != nil {
			yield(nil, turn.Err)
			return
		}
		stop := cmp.Or(turn.Stop, skill.StopEnd)
		if turn.Stop == "" && len(turn.Calls) > 0 {
			stop = skill.StopTools
		}
		yield(&skill.Delta{Usage: &turn.Usage, Model: "scripted", Stop: stop}, nil)
	}
}

var errOut = errors.New("no answer left")
