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

// Calls is a turn that calls one tool; args is what the model writes for its arguments, JSON or not.
func Calls(tool, args string) Turn {
	return Turn{Calls: []skill.ToolCall{{ID: "call-" + tool, Name: tool, Args: json.RawMessage(args)}}}
}

// stop is why the turn ends.
func (t *Turn) stop() string {
	if t.Stop == "" && len(t.Calls) > 0 {
		return skill.StopTools
	}
	return cmp.Or(t.Stop, skill.StopEnd)
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

// Generate streams the next turn, a few words at a time. A request that no provider would take is an error and costs no
// turn.
func (m *ScriptedModel) Generate(ctx context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	if err := req.Check(); err != nil { // as any adapter does
		return func(yield func(*skill.Delta, error) bool) { yield(nil, err) }
	}
	ids := map[string]bool{}
	for _, msg := range req.Messages {
		for _, c := range msg.Calls {
			ids[c.ID] = true
		}
	}
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
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if piece != "" && !yield(&skill.Delta{Text: piece}, nil) {
				return
			}
		}
		for _, c := range turn.Calls {
			if len(c.Args) == 0 {
				c.Args = json.RawMessage("{}")
			}
			if c.Check() != nil && !isString(c.Args) { // a model that writes no JSON
				c.Args, _ = json.Marshal(string(c.Args)) // a string always can
			}
			id := cmp.Or(c.ID, "call")
			for k := 2; c.ID == "" || ids[c.ID]; k++ { // one call, one id
				c.ID = fmt.Sprintf("%s-%d", id, k)
			}
			ids[c.ID] = true
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(&skill.Delta{Call: &c}, nil) {
				return
			}
		}
		if turn.Err != nil {
			yield(nil, turn.Err)
			return
		}
		yield(&skill.Delta{Usage: &turn.Usage, Model: "scripted", Stop: turn.stop()}, nil)
	}
}

func isString(raw json.RawMessage) bool {
	var s string
	return json.Unmarshal(raw, &s) == nil
}

var errOut = errors.New("no answer left")
