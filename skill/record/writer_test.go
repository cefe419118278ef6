package record_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/skilltest"
)

// TestRecordWriter writes the record of a loop by hand and reads it back: numbered, with what is new of each request, and whatever
// keys a model's arguments have.
func TestRecordWriter(t *testing.T) {
	var file bytes.Buffer
	w := record.NewWriter(&file, &record.Options{Time: func(record.Event) time.Time { return time.Unix(0, 0) }})
	if err := w.Write(&record.Result{}); err == nil {
		t.Error("a record that begins with a result is no error")
	}
	if _, err := w.Ask(t.Context(), 1, "host", skilltest.NewModel(), &skill.Request{}); err == nil {
		t.Error("a record that begins with a request is no error")
	}
	if err := w.Write(&record.Run{Agent: "host", Inputs: map[string]any{"question": "q"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&record.Run{}); err == nil {
		t.Error("a second beginning is no error")
	}
	m := skilltest.NewModel(skilltest.Calls("look", `{"same_as":"x","at":1}`), skilltest.Says("done"))
	req := &skill.Request{Role: skill.RoleWorker, System: "s", Messages: []skill.Message{{From: skill.FromUser, Text: strings.Repeat("long ", 100)}}}
	first, err := w.Ask(t.Context(), 3, "host", m, req)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = append(req.Messages, first.Message(), skill.Message{From: skill.FromTool, CallID: first.Calls[0].ID, Text: "seen"})
	if reply, err := w.Ask(t.Context(), 3, "host", m, req); err != nil || reply.Text != "done" {
		t.Fatalf("Ask = %v, %v", reply, err)
	}
	if _, err := w.Ask(t.Context(), 3, "host", m, req); err == nil {
		t.Error("a model without an answer is no error")
	}

	var names []string
	for e, err := range record.Read(&file) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, e.Head().Name)
		switch e := e.(type) {
		case *record.Model:
			if want := map[int]int{2: 0, 4: 1, 6: 3}[e.N]; e.Conversation != 3 || e.By != "host" || e.Keep != want {
				t.Errorf("request %d: conversation %d of %q keeps %d, want 3 of host and %d", e.N, e.Conversation, e.By, e.Keep, want)
			}
		case *record.Reply:
			if e.N == 3 && !json.Valid(e.Reply.Calls[0].Args) || e.N == 3 && !strings.Contains(string(e.Reply.Calls[0].Args), `"same_as":"x"`) {
				t.Errorf("arguments %s", e.Reply.Calls[0].Args)
			}
			if (e.Error != "") != (e.N == 7) {
				t.Errorf("reply %d: error %q", e.N, e.Error)
			}
		}
	}
	if got, want := strings.Join(names, " "), "run model reply model reply model reply"; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
}
