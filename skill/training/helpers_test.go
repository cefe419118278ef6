package training_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/training"
)

// A story is a run to be recorded.
type story struct {
	id, repo string
	text     string // what the user asks
	results  []string
	args     string   // of the first call
	places   []string // what the run ends with
	status   string
	gates    []bool
	compact  bool // the last request rewrites the messages before it
}

// recorded writes the record of a model that calls two tools in parallel, then one, then answers.
func recorded(t testing.TB, s story) []byte {
	t.Helper()
	var b bytes.Buffer
	w := record.NewWriter(&b, &record.Options{Time: func(record.Event) time.Time { return time.Unix(1, 0) }})
	write := func(e record.Event) {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	if s.status == "" {
		s.status = skill.StatusDone
	}
	for len(s.results) < 3 {
		s.results = append(s.results, "nothing")
	}
	if s.args == "" {
		s.args = `{"query":"load"}`
	}
	schema := json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}}}`)
	write(&record.Run{Agent: "locate", Inputs: map[string]any{"question": s.text, "id": s.id, "repo": s.repo}, Model: true,
		Tools: []record.ToolOffer{{Name: "search", Description: "Search.", Guidance: "Use it first.", Schema: schema}, {Name: "read", Description: "Read.", Schema: schema}}})
	user := skill.Message{From: skill.FromUser, Text: s.text}
	first := skill.Message{From: skill.FromModel, Text: "Two looks.", Calls: []skill.ToolCall{{ID: "tu_9", Name: "search", Args: json.RawMessage(s.args)}, {ID: "tu_7", Name: "read", Args: json.RawMessage(`{"query":"b"}`)}}}
	r1, r2 := skill.Message{From: skill.FromTool, CallID: "tu_9", Text: s.results[0]}, skill.Message{From: skill.FromTool, CallID: "tu_7", Text: s.results[1], Error: true}
	second := skill.Message{From: skill.FromModel, Calls: []skill.ToolCall{{ID: "tu_3", Name: "read", Args: json.RawMessage(`{"query":"c"}`)}}}
	r3, more := skill.Message{From: skill.FromTool, CallID: "tu_3", Text: s.results[2]}, skill.Message{From: skill.FromUser, Text: "One turn is left."}
	reply := func(m skill.Message) *record.Reply {
		return &record.Reply{Conversation: 1, Reply: &skill.Reply{Text: m.Text, Calls: m.Calls}}
	}
	var items []evidence.Item
	var keys []string
	var places []any
	for i, p := range s.places {
		path, _, _ := strings.Cut(p, ":")
		key := fmt.Sprintf("C%d", i+1)
		keys = append(keys, key)
		items = append(items, evidence.Item{Key: key, Kind: evidence.KindEntity, At: evidence.Place{Path: path, Line: 1, Entity: p}, Text: "def f(): pass"})
		places = append(places, map[string]any{"path": path, "entity": p})
	}
	tools := []string{"search", "read"}
	write(&record.Model{Conversation: 1, System: "You find places.", Messages: []skill.Message{user}, Tools: tools})
	write(reply(first))
	write(&record.Call{Call: 1, Tool: "search", Args: json.RawMessage(s.args), By: "model"})
	write(&record.Result{Call: 1, Tool: "search", By: "model", Result: &skill.Result{Text: s.results[0], Items: items}})
	write(&record.Model{Conversation: 1, Keep: 1, Messages: []skill.Message{first, r1, r2}, Tools: tools})
	write(reply(second))
	if s.compact {
		write(&record.Model{Conversation: 1, Keep: 0, Messages: []skill.Message{{From: skill.FromUser, Text: s.text + "\n\nFound so far: b."}}, Tools: tools})
	} else {
		write(&record.Model{Conversation: 1, Keep: 4, Messages: []skill.Message{second, r3, more}, Tools: tools})
	}
	write(reply(skill.Message{From: skill.FromModel, Text: "It is in " + strings.Join(s.places, ", ") + "."}))
	for i, passed := range s.gates {
		write(&record.Gate{ID: fmt.Sprint("g", i), Condition: "quotes_stand", Passed: passed})
	}
	write(&record.Outcome{Status: s.status, Items: keys, Telemetry: map[string]any{"places": places}})
	return b.Bytes()
}

func read(t testing.TB, name string, data []byte) *training.Run {
	t.Helper()
	r, err := training.Read(name, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// export exports stories, and checks each line.
func export(t *testing.T, o training.Options, stories ...story) (train, validation string, rep training.Report) {
	t.Helper()
	var a, b bytes.Buffer
	x, err := training.NewExporter(&a, &b, &o)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range stories {
		if err := x.Add(read(t, fmt.Sprintf("run%d.jsonl", i), recorded(t, s)), func(err error) { t.Log(err) }); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(a.String() + b.String()) {
		if err := training.Check(o.Format, []byte(line)); err != nil {
			t.Errorf("Check(%s): %v\n%s", o.Format, err, line)
		}
	}
	return a.String(), b.String(), x.Report()
}
