package training

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
)

// A Run is what a record says of one run.
type Run struct {
	Name    string // as given to [Read]
	Begin   *record.Run
	Events  []record.Event  // all, in order
	Outcome *record.Outcome // the last one; nil: the record ends without

	items map[string]evidence.Item // by key
}

// Read reads a record. An error names the record, and its line where one is damaged.
func Read(name string, r io.Reader) (*Run, error) {
	run := &Run{Name: name, items: map[string]evidence.Item{}}
	for e, err := range record.Read(r) {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		run.Events = append(run.Events, e)
		switch e := e.(type) {
		case *record.Run:
			run.Begin = e
		case *record.Result:
			if e.Result != nil {
				for _, it := range e.Result.Items {
					run.items[it.Key] = it
				}
			}
		case *record.Outcome:
			run.Outcome = e
		}
	}
	return run, nil
}

// ID names the issue that the run is about: the input instance_id or id, else the name of the record without folder and ending.
func (r *Run) ID() string {
	for _, k := range []string{"instance_id", "id"} {
		if s, ok := r.Begin.Inputs[k].(string); ok && s != "" {
			return s
		}
	}
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(r.Name, `\`, "/")), ".jsonl")
}

// Repository is the input repo, else that of the first evidence that has one; empty: the record does not say.
func (r *Run) Repository() string {
	if s, ok := r.Begin.Inputs["repo"].(string); ok && s != "" {
		return s
	}
	for _, e := range r.Events {
		if res, ok := e.(*record.Result); ok && res.Result != nil {
			for _, it := range res.Result.Items {
				if it.At.Repo != "" {
					return it.At.Repo
				}
			}
		}
	}
	return ""
}

// Status is the status of the outcome; empty: the record ends without one.
func (r *Run) Status() string {
	if r.Outcome == nil {
		return ""
	}
	return r.Outcome.Status
}

// Item returns the evidence with a key.
func (r *Run) Item(key string) (evidence.Item, bool) { it, ok := r.items[key]; return it, ok }

// Places are the ids of entities and files that the run ended with, best first: the list "places" of its telemetry, as agents that
// locate write it, else the evidence of its outcome. Never nil.
func (r *Run) Places() []string {
	out := []string{}
	add := func(path, entity string) {
		if id := entity; id != "" || path != "" {
			if id == "" {
				id = path
			}
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	if r.Outcome == nil {
		return out
	}
	if list, ok := r.Outcome.Telemetry["places"].([]any); ok {
		for _, v := range list {
			m, _ := v.(map[string]any)
			path, _ := m["path"].(string)
			entity, _ := m["entity"].(string)
			add(path, entity)
		}
		return out
	}
	for _, key := range r.Outcome.Items {
		at := r.items[key].At
		add(at.Path, at.Entity)
	}
	return out
}

// Verified reports whether the answer of the run passed verification: it ended in done or verified_no_results, no gate of it is closed,
// no hook refused the answer, and an answering agent found sentences that hold and left none out. A run with neither gates nor such a count
// was not verified.
func (r *Run) Verified() bool {
	if s := r.Status(); s != skill.StatusDone && s != skill.StatusVerifiedNone {
		return false
	}
	gates := map[string]bool{}
	for _, e := range r.Events {
		switch e := e.(type) {
		case *record.Gate:
			gates[e.ID] = e.Passed
		case *record.Withdrawn:
			gates[e.ID] = false
		case *record.Final:
			if e.Error != "" {
				return false
			}
		}
	}
	for _, passed := range gates {
		if !passed {
			return false
		}
	}
	verified, counted := number(r.Outcome.Telemetry["verified"])
	if counted {
		left, _ := number(r.Outcome.Telemetry["left_out"])
		return left == 0 && (verified > 0 || r.Status() == skill.StatusVerifiedNone)
	}
	return len(gates) > 0 || r.Status() == skill.StatusVerifiedNone
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	}
	return 0, false
}

// A Conversation is what a model was sent and what it answered.
type Conversation struct {
	System   string
	Messages []skill.Message  // the last one is from the model
	Tools    []skill.ToolSpec // by name
}

// Turns counts the answers of the model.
func (c *Conversation) Turns() (n int) {
	for _, m := range c.Messages {
		if m.From == skill.FromModel {
			n++
		}
	}
	return n
}

var errNoModel = errors.New("no model took part")

// Conversations returns what can be learned from, in the order in which it began. An answer that is an error is
// left out.
func (r *Run) Conversations() ([]*Conversation, error) {
	type talk struct {
		Conversation
		names map[string]bool
		asked []skill.Message // of the last request
	}
	var out []*talk
	last := map[int]*talk{}
	for _, e := range r.Events {
		switch e := e.(type) {
		case *record.Model:
			t := last[e.Conversation]
			if e.Keep < 0 || t == nil && e.Keep > 0 || t != nil && e.Keep > len(t.asked) {
				return nil, fmt.Errorf("%s: line %d: it keeps %d messages of a request that has fewer: %w", r.Name, e.N, e.Keep, skill.ErrFormat)
			}
			var asked []skill.Message
			if t != nil {
				asked = slices.Clone(t.asked[:e.Keep])
			}
			asked = append(asked, e.Messages...)
			if t == nil || e.Keep < len(t.asked) {
				next := &talk{names: map[string]bool{}}
				if t != nil {
					next.System = t.System
				}
				t = next
				out = append(out, t)
				last[e.Conversation] = t
			}
			if e.System != "" {
				t.System = e.System
			}
			for _, name := range e.Tools {
				t.names[name] = true
			}
			t.asked, t.Messages = asked, asked
		case *record.Reply:
			t := last[e.Conversation]
			if t == nil {
				return nil, fmt.Errorf("%s: line %d: an answer without a request: %w", r.Name, e.N, skill.ErrFormat)
			}
			if e.Reply != nil && e.Error == "" {
				t.Messages = append(slices.Clone(t.asked), e.Reply.Message())
			}
		}
	}
	specs := map[string]skill.ToolSpec{}
	for _, o := range r.Begin.Tools {
		specs[o.Name] = skill.Tool{Name: o.Name, Description: o.Description, Guidance: o.Guidance, Schema: o.Schema}.Spec()
	}
	var found []*Conversation
	for _, t := range out {
		t.Messages = whole(t.Messages)
		if len(t.Messages) == 0 {
			continue
		}
		names := make([]string, 0, len(t.names))
		for n := range t.names {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			spec, ok := specs[n]
			if !ok {
				return nil, fmt.Errorf("%s: a model was told of the tool %q, which the record does not describe: %w", r.Name, n, skill.ErrFormat)
			}
			t.Tools = append(t.Tools, spec)
		}
		found = append(found, &t.Conversation)
	}
	if len(found) == 0 {
		return nil, errNoModel
	}
	return found, nil
}

// whole joins neighbours of one sender, and cuts off what no answer follows. The results of calls stay apart.
func whole(in []skill.Message) []skill.Message {
	var out []skill.Message
	for _, m := range in {
		m.State = nil
		if n := len(out); n > 0 && out[n-1].From == m.From && m.From != skill.FromTool {
			out[n-1].Text = strings.TrimSpace(out[n-1].Text + "\n\n" + m.Text)
			out[n-1].Calls = append(slices.Clone(out[n-1].Calls), m.Calls...)
			continue
		}
		out = append(out, m)
	}
	for n := len(out); n > 0; n-- {
		if m := out[n-1]; m.From == skill.FromModel && (m.Text != "" || len(m.Calls) > 0) {
			return out[:n]
		}
	}
	return nil
}

// A Step is a call of a run, for runs that no model made.
type Step struct {
	Tool   string          `json:"tool"`
	Args   json.RawMessage `json:"args"`
	By     string          `json:"by"`
	Result string          `json:"result"` // the text that the tool returned
	Error  string          `json:"error,omitempty"`
}

// Steps are the calls that were made, in order.
func (r *Run) Steps() []Step {
	out, at := []Step{}, map[int]int{}
	for _, e := range r.Events {
		switch e := e.(type) {
		case *record.Call:
			if e.Refused == "" {
				at[e.Call] = len(out)
				out = append(out, Step{Tool: e.Tool, Args: e.Args, By: e.By})
			}
		case *record.Result:
			if i, ok := at[e.Call]; ok {
				out[i].Error = e.Error
				if e.Result != nil {
					out[i].Result = e.Result.Text
				}
			}
		}
	}
	return out
}
