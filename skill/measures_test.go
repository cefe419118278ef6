package skill_test

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
	"github.com/findspot/findspot/skill/skilltest"
)

// events stamps a list of events a second apart.
func events(list ...skill.Event) []skill.Event {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for i, e := range list {
		at := skill.Stamp{N: i + 1, Time: start.Add(time.Duration(i) * time.Second)}
		switch e := e.(type) {
		case *skill.RunEvent:
			e.Stamp = at
		case *skill.CallEvent:
			e.Stamp = at
		case *skill.ResultEvent:
			e.Stamp = at
		case *skill.DeniedEvent:
			e.Stamp = at
		case *skill.ReplyEvent:
			e.Stamp = at
		case *skill.OutcomeEvent:
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
	call := func(n int, tool, args string) *skill.CallEvent {
		return &skill.CallEvent{Call: n, Tool: tool, Args: json.RawMessage(args)}
	}
	result := func(n int, tool, verdict string, items ...evidence.Item) *skill.ResultEvent {
		return &skill.ResultEvent{Call: n, Tool: tool, Result: &skill.Result{Verdict: verdict, Items: items}}
	}
	done := &skill.OutcomeEvent{Status: skill.StatusDone}
	const sym = `{"symbol":"f"}`
	for _, tt := range []struct {
		name   string
		events []skill.Event
		hits   int
		rate   float64
	}{
		{"nothing was asked", []skill.Event{call(1, "search_internal", "{}"), done}, 0, 0},
		{"found and read", []skill.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph")), call(2, "retrieve_entity", "{}"), result(2, "retrieve_entity", "", code), done}, 1, 1},
		{"read in the same result", []skill.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), code), done}, 1, 1},
		{"found and not read", []skill.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph")), done}, 1, 0},
		{"only the signature was read", []skill.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), signature), done}, 1, 0},
		{"one of two was read", []skill.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), caller(90, "graph"), code), done}, 1, 0},
		{"verified none", []skill.Event{call(1, "references", sym), result(1, "references", "verified none"), &skill.OutcomeEvent{Status: skill.StatusVerifiedNone}}, 1, 1},
		{"none known", []skill.Event{call(1, "references", sym), result(1, "references", "none known"), done}, 1, 0},
		{"by another name", []skill.Event{&skill.RunEvent{Tools: []skill.ToolOffer{{Name: "find_usages", AliasOf: "references"}}}, call(1, "find_usages", sym), result(1, "find_usages", "verified_none"), done}, 1, 1},
		{"fell back to the text", []skill.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), code), call(2, "search_text", "{}"), done}, 1, 0},
		{"the text alone knew", []skill.Event{call(1, "references", sym), result(1, "references", "found", caller(4, "text"), code), done}, 1, 0},
		{"the second try counts", []skill.Event{call(1, "references", sym), result(1, "references", "none_known"), call(2, "references", sym), result(2, "references", "found", caller(4, "graph"), code), done}, 2, 1},
		{"another symbol is open", []skill.Event{call(1, "references", `{"symbol":"h"}`), result(1, "references", "none_known"), call(2, "references", sym), result(2, "references", "verified_none"), done}, 2, 0},
		{"the server did not know, references did", []skill.Event{call(1, "lsp_references", sym), result(1, "lsp_references", "none_known"), call(2, "references", sym), result(2, "references", "verified_none"), done}, 2, 1},
		{"a server's references, read", []skill.Event{call(1, "lsp_references", sym), result(1, "lsp_references", "", caller(4, "gopls"), code), done}, 1, 1},
		{"refused", []skill.Event{&skill.CallEvent{Tool: "references", Refused: "not offered"}, done}, 0, 0},
		{"failed", []skill.Event{call(1, "references", sym), &skill.ResultEvent{Call: 1, Tool: "references", Error: "no"}, done}, 1, 0},
		{"stopped", []skill.Event{call(1, "references", sym), result(1, "references", "verified_none"), &skill.OutcomeEvent{Status: skill.StatusStopped}}, 1, 0},
	} {
		var m skill.Meter
		for _, e := range events(tt.events...) {
			m.Observe(e)
		}
		if got := m.Measures(); got.ReferenceToolHits != tt.hits || got.CallerResolutionRate != tt.rate {
			t.Errorf("%s: %d hits, rate %v; want %d, %v", tt.name, got.ReferenceToolHits, got.CallerResolutionRate, tt.hits, tt.rate)
		}
	}
	var m skill.Meter
	for _, e := range events(&skill.RunEvent{}, call(1, "references", sym), result(1, "references", "found", caller(4, "graph"), code), &skill.DeniedEvent{},
		&skill.ReplyEvent{Reply: &skill.Reply{Usage: skill.Usage{Input: 10, Output: 5}}}, done) {
		m.Observe(e)
	}
	want := skill.Measures{ReferenceToolHits: 1, CallerResolutionRate: 1, Callers: 1, CallersRead: 1, ToolCalls: 1, Denied: 1, ModelCalls: 1, Tokens: 15, Time: 5 * time.Second, Outcome: "done"}
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
	out := mustRun(t, skill.NewRunner(nil, skilltest.Tools(refs), &skill.RunnerOptions{Record: &rec}), s, nil)
	if out.Measures.CallerResolutionRate != 1 || out.Telemetry["caller_resolution_rate"] != 1.0 || out.Telemetry["reference_tool_hits"] != 1 {
		t.Errorf("measures %+v, telemetry %v", out.Measures, out.Telemetry)
	}
	m, err := skill.Measure(skill.ReadRecord(&rec))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(out.Measures, m); diff != "" {
		t.Errorf("(-run +record):\n%s", diff)
	}
}
