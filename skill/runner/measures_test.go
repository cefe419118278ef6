package runner_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

// events stamps a list of events a second apart.
func events(list ...record.Event) []record.Event {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, e := range list {
		at := record.Stamp{N: i + 1, Time: start.Add(time.Duration(i) * time.Second)}
		switch e := e.(type) {
		case *record.Run:
			e.Stamp = at
		case *record.Call:
			e.Stamp = at
		case *record.Result:
			e.Stamp = at
		case *record.Denied:
			e.Stamp = at
		case *record.Reply:
			e.Stamp = at
		case *record.Outcome:
			e.Stamp = at
		}
	}
	return list
}

func TestMeasures(t *testing.T) {
	caller := func(line int, via string) evidence.Item {
		return evidence.Item{Kind: evidence.KindCaller, Text: "x = f()", Via: via, At: evidence.Place{Path: "a.py", Line: line, EndLine: line}}
	}
	code := evidence.Item{Kind: evidence.KindEntity, Text: "def g():\n    x = f()\n", At: evidence.Place{Path: "a.py", Line: 3, EndLine: 4}}
	signature := evidence.Item{Kind: evidence.KindEntity, Text: "def g()", At: evidence.Place{Path: "a.py", Line: 3, EndLine: 4}}
	call := func(n int, tool, args string) *record.Call {
		return &record.Call{Call: n, Tool: tool, Args: json.RawMessage(args)}
	}
	result := func(n int, tool, verdict string, items ...evidence.Item) *record.Result {
		return &record.Result{Call: n, Tool: tool, Result: &skill.Result{Verdict: verdict, Items: items}}
	}
	done := &record.Outcome{Status: skill.StatusDone}
	const sym = `{"symbol":"f"}`
	for _, tt := range []struct {
		name   string
		events []record.Event
		hits   int
		rate   float64
	}{
		{"nothing was asked", []record.Event{call(1, "search_internal", "{}"), done}, 0, 0},
		{"found and read", []record.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph")), call(2, "retrieve_entity", "{}"), result(2, "retrieve_entity", "", code), done}, 1, 1},
		{"read in the same result", []record.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), code), done}, 1, 1},
		{"found and not read", []record.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph")), done}, 1, 0},
		{"only the signature was read", []record.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), signature), done}, 1, 0},
		{"one of two was read", []record.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), caller(90, "graph"), code), done}, 1, 0},
		{"verified none", []record.Event{call(1, "references", sym), result(1, "references", "verified none"), &record.Outcome{Status: skill.StatusVerifiedNone}}, 1, 1},
		{"none known", []record.Event{call(1, "references", sym), result(1, "references", "none known"), done}, 1, 0},
		{"by another name", []record.Event{&record.Run{Tools: []record.ToolOffer{{Name: "find_usages", AliasOf: "references"}}}, call(1, "find_usages", sym), result(1, "find_usages", "verified_none"), done}, 1, 1},
		{"fell back to the text", []record.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), code), call(2, "search_text", "{}"), done}, 1, 0},
		{"the text alone knew", []record.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "text"), code), done}, 1, 0},
		{"the second try counts", []record.Event{call(1, "references", sym), result(1, "references", "none_known"), call(2, "references", sym), result(2, "references", "found", caller(4, "graph"), code), done}, 2, 1},
		{"another symbol is open", []record.Event{call(1, "references", `{"symbol":"h"}`), result(1, "references", "none_known"), call(2, "references", sym), result(2, "references", "verified_none"), done}, 2, 0},
		{"the server did not know, references did", []record.Event{call(1, "lsp_references", sym), result(1, "lsp_references", "none_known"), call(2, "references", sym), result(2, "references", "verified_none"), done}, 2, 1},
		{"a server's references, read", []record.Event{call(1, "lsp_references", sym), result(1, "lsp_references", "", caller(4, "gopls"), code), done}, 1, 1},
		{"refused", []record.Event{&record.Call{Tool: "references", Refused: "not offered"}, done}, 0, 0},
		{"failed", []record.Event{call(1, "references", sym), &record.Result{Call: 1, Tool: "references", Error: "no"}, done}, 1, 0},
		{"stopped", []record.Event{call(1, "references", sym), result(1, "references", "verified_none"), &record.Outcome{Status: skill.StatusStopped}}, 1, 0},
	} {
		var m record.Meter
		for _, e := range events(tt.events...) {
			m.Observe(e)
		}
		if got := m.Measures(); got.ReferenceToolHits != tt.hits || got.CallerResolutionRate != tt.rate {
			t.Errorf("%s: %d hits, rate %v; want %d, %v", tt.name, got.ReferenceToolHits, got.CallerResolutionRate, tt.hits, tt.rate)
		}
	}
	var m record.Meter
	for _, e := range events(&record.Run{}, call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), code), &record.Denied{},
		&record.Reply{Reply: &skill.Reply{Usage: skill.Usage{Input: 10, Output: 5}}}, done) {
		m.Observe(e)
	}
	want := record.Measures{ReferenceToolHits: 1, CallerResolutionRate: 1, Callers: 1, CallersRead: 1, ToolCalls: 1, Denied: 1, ModelCalls: 1, Tokens: 15, Time: 5 * time.Second, Outcome: "done"}
	if diff := cmp.Diff(want, m.Measures()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("run", "measures", m.Measures())
	if !strings.Contains(log.String(), "measures.caller_resolution_rate=1 ") || !strings.Contains(log.String(), "measures.reference_tool_hits=1 ") {
		t.Errorf("logged %s", log.String())
	}
}

// TestMeasuresOfARecord computes the same from a run and from its record.
func TestMeasuresOfARecord(t *testing.T) {
	refs := skilltest.NewTool("references", &skill.Result{Verdict: "verified_none", Searched: []evidence.Searched{{Tool: "references", Query: "f", Full: true, Fresh: true}}})
	s := parse(t, "steps:\n  - {id: r, call: references, args: {symbol: f}}\n  - {id: n, when: len(r) == 0, finish: nothing_found}\n")
	var rec bytes.Buffer
	out := mustRun(t, runner.New(nil, skilltest.Tools(refs), &runner.Options{Record: &rec}), s, nil)
	if out.Measures.CallerResolutionRate != 1 || out.Telemetry["caller_resolution_rate"] != 1.0 || out.Telemetry["reference_tool_hits"] != 1 {
		t.Errorf("measures %+v, telemetry %v", out.Measures, out.Telemetry)
	}
	m, err := record.Measure(record.Read(&rec))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(out.Measures, m); diff != "" {
		t.Errorf("(-run +record):\n%s", diff)
	}
}
