package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/skilltest"
)

// TestTrajectory: the record holds each request, answer, call and result in order, and the list; a replay gives the same list, and
// asks for nothing else.
func TestTrajectory(t *testing.T) {
	ws := open(t)
	look := skilltest.Calls("search_entity", `{"query":"show_timeout"}`)
	for name, c := range map[string]struct {
		how     string
		samples int
		turns   []skilltest.Turn
		want    string // events
	}{
		"rerank": {howRerank, 1, []skilltest.Turn{skilltest.Says("load"), skilltest.Calls("ranking", places("settings/loader.py"))},
			"run model reply refused model reply outcome"},
		"loop": {howLoop, 1, []skilltest.Turn{look, skilltest.Calls("locations", places("gone")), skilltest.Calls("locations", places("Merger.over"))},
			"run model reply call result model reply call result model reply call result model reply outcome outcome"},
		"forced": {howLoop, 1, []skilltest.Turn{look, skilltest.Says("That is all."), skilltest.Calls("locations", places("Merger.over"))},
			"run model reply call result model reply outcome model reply call result outcome"},
		"samples": {howLoop, 2, []skilltest.Turn{look, skilltest.Calls("locations", places("Merger.over", "load")), look, skilltest.Calls("locations", places("load"))},
			"run" + strings.Repeat(" model reply call result model reply call result model reply outcome", 2) + " outcome"},
		"none": {howNone, 1, nil, "run outcome"},
	} {
		t.Run(name, func(t *testing.T) {
			o := bounds(c.how)
			o.Samples = c.samples
			var recorded bytes.Buffer
			o.Record = &recorded
			var m skill.Model
			if c.turns != nil {
				m = skilltest.NewModel(c.turns...)
			}
			out := mustLocate(t, ws, m, o)
			var names []string
			calls := map[int]bool{}
			var end *record.Outcome
			for e, err := range record.Read(bytes.NewReader(recorded.Bytes())) {
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, e.Head().Name)
				switch e := e.(type) {
				case *record.Run:
					if e.Inputs["how"] != c.how || !strings.Contains(e.Inputs["question"].(string), settingsReport) {
						t.Errorf("the record begins with %v", e.Inputs)
					}
				case *record.Call:
					if calls[e.Call] {
						t.Errorf("two calls have the number %d", e.Call)
					}
					calls[e.Call] = true
				case *record.Result:
					if !calls[e.Call] || e.Result == nil && e.Error == "" {
						t.Errorf("result of call %d: %+v", e.Call, e)
					}
				case *record.Outcome:
					end = e
				}
			}
			if diff := cmp.Diff(strings.Fields(c.want), names); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			data, err := json.Marshal(end.Telemetry["places"])
			if err != nil {
				t.Fatal(err)
			}
			var listed []place
			if err := json.Unmarshal(data, &listed); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(out.Places, listed, cmpopts.IgnoreUnexported(place{})); diff != "" {
				t.Errorf("the list of the record (-want +got):\n%s", diff)
			}
			if c.turns == nil {
				return
			}
			r, err := skilltest.ReadRecording(&recorded)
			if err != nil {
				t.Fatal(err)
			}
			o.Record = nil
			again := mustLocate(t, ws, r.Model, o)
			if diff := cmp.Diff(out, again, cmp.AllowUnexported(place{})); diff != "" || again.Named == 0 {
				t.Errorf("the replay (-want +got):\n%s", diff)
			}
		})
	}
}

// failing is a file that is full.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestRecordFails(t *testing.T) {
	ws := open(t)
	for _, how := range []string{howNone, howRerank, howLoop} {
		o := bounds(how)
		o.Record = failing{}
		o.Samples = 2
		again := skilltest.Calls("locations", places("load"))
		m := skilltest.NewModel(again, again)
		if _, err := locate(t.Context(), ws, m, settingsReport, o); err == nil || !strings.Contains(err.Error(), "no space left") {
			t.Errorf("%s: %v", how, err)
		}
		if n := len(m.Requests()); n > 1 {
			t.Errorf("%s: %d requests, though nothing of them could be written", how, n)
		}
	}
}
