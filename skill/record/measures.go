package record

import (
	"cmp"
	"encoding/json"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/convention"
)

// Measures are the numbers of one run, computed from its events alone: of a skill's run, of an agent's, of a question that
// the host answers itself, while they happen or from a record. [Meter] computes them.
type Measures struct {
	// ReferenceToolHits counts the calls of reference tools that were made: references and lsp_references, by any of their
	// names, retries included. A call that was refused or denied is none.
	ReferenceToolHits int `json:"reference_tool_hits"`
	// TextSearchHits counts the calls of search_text that were made.
	TextSearchHits int `json:"text_search_hits"`
	// CallerResolutionRate is 1.0 when callers were resolved through references, else 0.0, also when nobody asked for any.
	// It is 1.0 when all of this holds:
	//   - The run ended in done or verified_no_results.
	//   - search_text was not called, and no reference result rests on the text alone (each of its items has Via "text").
	//   - There is a reference result, and each is resolved; of results for the same symbol the last one counts, and those of
	//     lsp_references count only when references was not called.
	//   - A reference result is resolved when its verdict is verified_none, or when it has callers or uses and the code of
	//     each was read: some result of the run has an item of another kind in the same file that holds the caller's line
	//     and whose lines include its line.
	CallerResolutionRate float64       `json:"caller_resolution_rate"`
	Callers              int           `json:"callers"`      // callers and uses in the reference results that count
	CallersRead          int           `json:"callers_read"` // those whose code was read
	ToolCalls            int           `json:"tool_calls"`   // calls that were made
	Denied               int           `json:"denied"`       // calls that a guard or hook refused
	ModelCalls           int           `json:"model_calls"`
	Tokens               int           `json:"tokens"`  // input and output together, as the models count them
	Time                 time.Duration `json:"time_ns"` // from the first event to the outcome, or to the last one
	Outcome              string        `json:"outcome"` // status of the outcome event; empty: there was none yet
}

// LogValue is the measures for a log.
func (m Measures) LogValue() slog.Value {
	return slog.GroupValue(slog.Int("reference_tool_hits", m.ReferenceToolHits), slog.Int("text_search_hits", m.TextSearchHits),
		slog.Float64("caller_resolution_rate", m.CallerResolutionRate), slog.Int("callers", m.Callers), slog.Int("callers_read", m.CallersRead),
		slog.Int("tool_calls", m.ToolCalls), slog.Int("denied", m.Denied), slog.Int("model_calls", m.ModelCalls), slog.Int("tokens", m.Tokens),
		slog.Duration("time", m.Time), slog.String("outcome", m.Outcome))
}

// A Meter computes [Measures] from events. The zero value is ready; give its Observe to runner.Options.Events. It is safe
// for concurrent use and keeps of the evidence what it needs, at most 20,000 items: a run with more resolves nothing.
type Meter struct {
	mu      sync.Mutex
	m       Measures
	mains   map[string]string // main names of tools by their other names
	first   time.Time
	ended   bool
	queries map[int]string // of reference calls, by number
	results []referenceResult
	read    map[string][]evidence.Item // code by file
	kept    int
}

// A referenceResult is what a meter keeps of one.
type referenceResult struct {
	tool, query string
	verdict     string
	callers     []evidence.Item
}

const maxMetered = 20_000

// Observe takes one event into account. Events come in order.
func (t *Meter) Observe(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at := e.Head().Time; !at.IsZero() && !t.ended {
		if t.first.IsZero() {
			t.first = at
		}
		t.m.Time = at.Sub(t.first)
	}
	switch e := e.(type) {
	case *Run:
		t.mains = map[string]string{}
		for _, o := range e.Tools {
			if o.AliasOf != "" {
				t.mains[o.Name] = o.AliasOf
			}
		}
	case *Call:
		t.call(e)
	case *Result:
		t.result(e)
	case *Denied:
		t.m.Denied++
	case *Reply:
		t.m.ModelCalls++
		if e.Reply != nil {
			t.m.Tokens += e.Reply.Usage.Input + e.Reply.Usage.Output
		}
	case *Outcome:
		t.m.Outcome, t.ended = e.Status, true
	}
}

func (t *Meter) main(tool string) string { return cmp.Or(t.mains[tool], tool) }

func (t *Meter) call(e *Call) {
	if e.Refused != "" || e.Call == 0 {
		return
	}
	t.m.ToolCalls++
	switch t.main(e.Tool) {
	case convention.References, convention.ServerReferences:
		t.m.ReferenceToolHits++
		if t.queries == nil {
			t.queries = map[int]string{}
		}
		t.queries[e.Call] = symbolOf(e.Args)
	case convention.SearchText:
		t.m.TextSearchHits++
	}
}

// symbolOf is what a reference call asks for: its arguments without those that do not change the question.
func symbolOf(args json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return string(args)
	}
	if s, ok := m["symbol"].(string); ok && s != "" {
		return s
	}
	data, err := json.Marshal(m)
	if err != nil {
		return string(args)
	}
	return string(data)
}

func (t *Meter) result(e *Result) {
	if e.Result == nil {
		return
	}
	tool := t.main(e.Tool)
	reference := tool == convention.References || tool == convention.ServerReferences
	r := referenceResult{tool: tool, query: t.queries[e.Call], verdict: convention.Verdict(e.Result.Verdict)}
	for _, it := range e.Result.Items {
		use := it.Kind == evidence.KindCaller || it.Kind == evidence.KindReference
		if it.At.Path == "" || it.Tier == evidence.TierVerdict {
			continue
		}
		if t.kept++; t.kept > maxMetered {
			continue
		}
		switch {
		case use && reference:
			r.callers = append(r.callers, it)
		case !use:
			if t.read == nil {
				t.read = map[string][]evidence.Item{}
			}
			file := it.At.Repo + "//" + it.At.Path
			t.read[file] = append(t.read[file], it)
		}
	}
	if reference {
		t.results = slices.DeleteFunc(t.results, func(o referenceResult) bool { return o.tool == r.tool && o.query == r.query })
		t.results = append(t.results, r)
	}
}

// Measures returns the numbers so far.
func (t *Meter) Measures() Measures {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.measures(t.m.Outcome)
}

// ending returns the numbers of a run that is about to end in status.
func (t *Meter) ending(status string) Measures {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.measures(status)
}

// measures are the numbers if the run ended in status now. t.mu is held.
func (t *Meter) measures(status string) Measures {
	m := t.m
	m.Outcome = status
	results := t.results
	if slices.ContainsFunc(results, func(r referenceResult) bool { return r.tool == convention.References }) {
		results = slices.DeleteFunc(slices.Clone(results), func(r referenceResult) bool { return r.tool != convention.References })
	}
	resolved := len(results) > 0 && m.TextSearchHits == 0 && (status == skill.StatusDone || status == skill.StatusVerifiedNone)
	for _, r := range results {
		text := len(r.callers) > 0
		for _, c := range r.callers {
			m.Callers++
			text = text && c.Via == "text"
			if t.wasRead(c) {
				m.CallersRead++
			} else {
				resolved = false
			}
		}
		resolved = resolved && !text && (len(r.callers) > 0 || r.verdict == skill.VerdictVerifiedNone)
	}
	if resolved && t.kept <= maxMetered { // what was not kept may be a caller
		m.CallerResolutionRate = 1
	}
	return m
}

// wasRead reports whether some result holds the line of a caller.
func (t *Meter) wasRead(c evidence.Item) bool {
	line := strings.TrimSpace(c.Text)
	return slices.ContainsFunc(t.read[c.At.Repo+"//"+c.At.Path], func(it evidence.Item) bool {
		return it.At.Line <= c.At.Line && c.At.Line <= max(it.At.EndLine, it.At.Line) && strings.Contains(it.Text, line)
	})
}

// Measure computes the measures of a record. An error of the record is returned with what was measured before it.
func Measure(events iter.Seq2[Event, error]) (Measures, error) {
	var t Meter
	for e, err := range events {
		if err != nil {
			return t.Measures(), err
		}
		t.Observe(e)
	}
	return t.Measures(), nil
}
