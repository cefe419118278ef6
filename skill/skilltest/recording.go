package skilltest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
)

// A Recording is the outside of a recorded session of [agent.Gather] and [agent.Answer]: a model, tools and a source that answer as
// they did then. The same code, given the same question, then makes the same calls and gives the same answer, without a
// model, network or index; where it asks for anything else, the error says so.
type Recording struct {
	Question string
	Gather   agent.GatherOptions // what the conversation rests on: overview, evidence given, budgets
	Model    skill.Model
	Tools    []skill.Tool    // sorted by name; those of the record, sub-agents among them, which are not run again
	Source   evidence.Source // nil: the record has none
	Answers  []string        // the text of each answer, in order
}

// ReadRecording reads a record. Hooks of that time are not needed: what they made of calls and results is in it.
func ReadRecording(from io.Reader) (*Recording, error) {
	out := &Recording{}
	p := &recorded{replies: map[string][]*record.Reply{}, results: map[string][]*record.Result{}, texts: map[evidence.Place]*record.Source{}}
	asked := map[int]string{} // by number of the call
	talks := map[int][]skill.Message{}
	want := map[int]string{} // by conversation: the request that waits for its reply
	for e, err := range record.Read(from) {
		if err != nil {
			return nil, err
		}
		switch e := e.(type) {
		case *record.Run:
			if e.Agent == "" {
				return nil, errors.New("the record is of a skill's run: runner.Replay replays that")
			}
			if err := out.options(e); err != nil {
				return nil, err
			}
			for _, t := range e.Tools {
				out.Tools = append(out.Tools, skill.Tool{Name: t.Name, AliasOf: t.AliasOf, Writes: t.Writes, Description: t.Description, Guidance: t.Guidance,
					Schema: t.Schema, Call: func(_ context.Context, args json.RawMessage) (*skill.Result, error) { return p.call(t.Name, args) }})
			}
		case *record.Model:
			talk := append(slices.Clone(talks[e.Conversation][:min(e.Keep, len(talks[e.Conversation]))]), e.Messages...)
			talks[e.Conversation] = talk
			if want[e.Conversation], err = requestKey(e.Role, talk); err != nil {
				return nil, err
			}
		case *record.Reply:
			k := want[e.Conversation]
			p.replies[k] = append(p.replies[k], e)
		case *record.Call:
			asked[e.Call] = callKey(e.Tool, e.Args)
		case *record.Result:
			k := asked[e.Call]
			p.results[k] = append(p.results[k], e)
		case *record.Source:
			p.texts[e.At] = e
			out.Source = p
		case *record.Outcome:
			if text, ok := e.Telemetry["answer"].(string); ok {
				out.Answers = append(out.Answers, text)
			}
		}
	}
	out.Model = p
	return out, nil
}

// options reads what a session began with.
func (r *Recording) options(e *record.Run) error {
	data, err := json.Marshal(e.Inputs)
	if err != nil {
		return err
	}
	var in struct {
		Question     string           `json:"question"`
		Instructions string           `json:"instructions"`
		Overview     string           `json:"overview"`
		Given        []evidence.Item  `json:"given"`
		First        []skill.ToolCall `json:"first"`
		Turns        int              `json:"turns"`
		MaxResult    int              `json:"max_result"`
		CompactAt    int              `json:"compact_at"`
		Summarise    bool             `json:"summarise"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("the record's inputs: %w", err)
	}
	r.Question = in.Question
	r.Gather = agent.GatherOptions{Instructions: in.Instructions, Overview: in.Overview, Given: in.Given, First: in.First, Turns: in.Turns, MaxResult: in.MaxResult,
		CompactAt: in.CompactAt, Summarise: in.Summarise, ToolCalls: e.ToolCalls, Tokens: e.Tokens}
	return nil
}

// recorded answers from a record, to each question in the order of its answers, the last one again and again.
type recorded struct {
	mu      sync.Mutex // guards below
	replies map[string][]*record.Reply
	results map[string][]*record.Result
	texts   map[evidence.Place]*record.Source
}

func requestKey(role string, messages []skill.Message) (string, error) {
	data, err := json.Marshal(messages)
	return role + " " + string(data), err
}

func callKey(tool string, args json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, args) != nil {
		return tool + " " + string(args)
	}
	return tool + " " + b.String()
}

func next[T any](of map[string][]T, key string) (v T, ok bool) {
	list := of[key]
	if len(list) == 0 {
		return v, false
	}
	if len(list) > 1 {
		of[key] = list[1:]
	}
	return list[0], true
}

// Generate gives the recorded reply to the same request.
func (p *recorded) Generate(ctx context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	return func(yield func(*skill.Delta, error) bool) {
		key, err := requestKey(req.Role, req.Messages)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			yield(nil, err)
			return
		}
		p.mu.Lock()
		e, ok := next(p.replies, key)
		p.mu.Unlock()
		if !ok {
			last := ""
			if n := len(req.Messages); n > 0 {
				last = req.Messages[n-1].Text
			}
			yield(nil, fmt.Errorf("the record has no such request to the %s, of %d messages, the last one %.200q", req.Role, len(req.Messages), last))
			return
		}
		if r := e.Reply; r != nil {
			for _, piece := range strings.SplitAfter(r.Text, " ") {
				if !yield(&skill.Delta{Text: piece}, nil) {
					return
				}
			}
			for i := range r.Calls {
				if !yield(&skill.Delta{Call: &r.Calls[i]}, nil) {
					return
				}
			}
			if e.Error == "" {
				yield(&skill.Delta{Usage: &r.Usage, Model: r.Model, State: r.State, Stop: r.Stop}, nil)
				return
			}
		}
		yield(nil, errors.New(e.Error))
	}
}

func (p *recorded) call(tool string, args json.RawMessage) (*skill.Result, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := next(p.results, callKey(tool, args))
	switch {
	case !ok:
		return nil, fmt.Errorf("the record has no call of %s with %.200s", tool, args)
	case e.Because != "":
		return nil, &skill.DeniedError{Tool: tool, Because: e.Because, Until: e.Until}
	case e.Result == nil:
		return nil, errors.New(e.Error)
	}
	res := *e.Result
	res.Items = slices.Clone(res.Items)
	return &res, nil
}

// Text gives what the source gave for the place.
func (p *recorded) Text(_ context.Context, at evidence.Place) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, ok := p.texts[at]
	switch {
	case !ok:
		return "", fmt.Errorf("%s: the record has no text of it: %w", at, skill.ErrNotFound)
	case e.Error != "":
		return "", errors.New(e.Error)
	}
	return e.Text, nil
}
