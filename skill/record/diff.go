package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/message"
)

// A Difference says where two runs part. Times, numbers of events and calls, and the digest of the skill are left out.
type Difference struct {
	Same bool `json:"same"` // nothing differs
	// Step is the way to the step in which they part, such as "collect > refs (time 2)"; empty: outside of any.
	Step    string       `json:"step,omitempty"`
	A       *Side        `json:"a,omitempty"`       // the first event of each run that the other one does not have
	B       *Side        `json:"b,omitempty"`       // nil: the run had ended
	Fields  []FieldDelta `json:"fields,omitempty"`  // what differs in it, when both are of one kind; at most 20
	Outcome []FieldDelta `json:"outcome,omitempty"` // what differs in how they ended; at most 20
	Digests []string     `json:"digests,omitempty"` // of the skill in A and in B, when they differ
}

// A Side is an event of one of two runs.
type Side struct {
	Line  int    `json:"line"` // of the record, from 1
	Event string `json:"event"`
	Text  string `json:"text"` // the event on one line, long texts cut
}

// A FieldDelta is a value that differs, at a path such as "result.items[0].text". Long texts are cut around the first
// byte that differs.
type FieldDelta struct {
	Path string `json:"path"`
	A    string `json:"a"` // JSON; empty: it is not there
	B    string `json:"b"`
}

const maxDeltas = 20

// Diff compares the records of two runs, event by event and then by outcome. A damaged record is a [*Error].
func Diff(a, b io.Reader) (*Difference, error) {
	var events [2][]Event
	for i, r := range []io.Reader{a, b} {
		for e, err := range Read(r) {
			if err != nil {
				return nil, fmt.Errorf("record %s: %w", []string{"A", "B"}[i], err)
			}
			events[i] = append(events[i], e)
		}
	}
	return DiffEvents(events[0], events[1])
}

func DiffEvents(a, b []Event) (*Difference, error) {
	d := &Difference{Same: true}
	if x, y := a[0].(*Run).Digest, b[0].(*Run).Digest; x != y {
		d.Digests = []string{x, y}
	}
	var at way
	for i := range max(len(a), len(b)) {
		x, err := withoutTimes(a, i)
		if err != nil {
			return nil, err
		}
		y, err := withoutTimes(b, i)
		if err != nil {
			return nil, err
		}
		if x != nil && y != nil && reflect.DeepEqual(x, y) {
			at.follow(a[i])
			continue
		}
		d.Same = false
		if x != nil {
			at.enter(a[i])
		} else {
			at.enter(b[i])
		}
		d.Step, d.A, d.B = at.String(), side(a, i), side(b, i)
		if x != nil && y != nil && x["event"] == y["event"] {
			d.Fields = deltas("", x, y, nil)
		}
		break
	}
	x, err := outcomeOf(a)
	if err != nil {
		return nil, err
	}
	y, err := outcomeOf(b)
	if err != nil {
		return nil, err
	}
	d.Outcome = deltas("", x, y, nil)
	d.Same = d.Same && len(d.Outcome) == 0
	return d, nil
}

func side(events []Event, i int) *Side {
	if i >= len(events) {
		return nil
	}
	return &Side{Line: i + 1, Event: Name(events[i]), Text: Summary(events[i])}
}

// withoutTimes is an event without what two equal runs need not share; nil: there is none.
func withoutTimes(events []Event, i int) (map[string]any, error) {
	if i >= len(events) {
		return nil, nil
	}
	data, err := jsonvalue.Marshal(events[i])
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	for _, k := range []string{"n", "t", "digest", "call"} {
		delete(m, k)
	}
	return m, nil
}

func outcomeOf(events []Event) (map[string]any, error) {
	for i, e := range slices.Backward(events) {
		if _, ok := e.(*Outcome); ok {
			m, err := withoutTimes(events, i)
			delete(m, "event")
			return m, err
		}
	}
	return map[string]any{"status": "the record ends without an outcome"}, nil
}

// deltas lists where two plain values differ.
func deltas(path string, a, b any, out []FieldDelta) []FieldDelta {
	if len(out) >= maxDeltas || reflect.DeepEqual(a, b) {
		return out
	}
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			break
		}
		names := maps.Clone(x)
		maps.Copy(names, y)
		for _, k := range slices.Sorted(maps.Keys(names)) {
			va, inA := x[k]
			vb, inB := y[k]
			p := strings.TrimPrefix(path+"."+k, ".")
			if inA && inB {
				out = deltas(p, va, vb, out)
			} else if len(out) < maxDeltas {
				out = append(out, delta(p, va, vb, inA, inB))
			}
		}
		return out
	case []any:
		y, ok := b.([]any)
		if !ok {
			break
		}
		for i := range max(len(x), len(y)) {
			p := fmt.Sprintf("%s[%d]", path, i)
			switch {
			case i < len(x) && i < len(y):
				out = deltas(p, x[i], y[i], out)
			case len(out) < maxDeltas && i < len(x):
				out = append(out, delta(p, x[i], nil, true, false))
			case len(out) < maxDeltas:
				out = append(out, delta(p, nil, y[i], false, true))
			}
		}
		return out
	}
	return append(out, delta(path, a, b, true, true))
}

// delta shows both values around the first byte in which they differ.
func delta(path string, a, b any, inA, inB bool) FieldDelta {
	text := func(v any, there bool) string {
		if !there {
			return ""
		}
		data, err := jsonvalue.Marshal(v)
		if err != nil {
			return err.Error()
		}
		return string(data)
	}
	d := FieldDelta{Path: path, A: text(a, inA), B: text(b, inB)}
	n := 0
	for n < len(d.A) && n < len(d.B) && d.A[n] == d.B[n] {
		n++
	}
	from := 0
	if n > 60 {
		from = n - 40
	}
	cut := func(s string) string {
		if from > 0 && from < len(s) {
			s = "..." + strings.ToValidUTF8(s[from:], "")
		}
		return message.Clip(s, 160)
	}
	d.A, d.B = cut(d.A), cut(d.B)
	return d
}

// A way is the steps around an event, outermost first.
type way struct {
	steps []string
	tries map[string]int // by way: how often it was begun
}

// follow moves along with an event that was.
func (w *way) follow(e Event) {
	switch e := e.(type) {
	case *Step:
		w.enter(e)
	case *StepEnd:
		if n := len(w.steps); n > 0 && e.Status != "skipped" {
			w.steps = w.steps[:n-1]
		}
	}
}

// enter goes into the step that an event begins, if it does.
func (w *way) enter(e Event) {
	begin, ok := e.(*Step)
	if !ok {
		return
	}
	if w.tries == nil {
		w.tries = map[string]int{}
	}
	name := begin.ID
	key := strings.Join(append(slices.Clone(w.steps), name), " ")
	if w.tries[key]++; w.tries[key] > 1 {
		name = fmt.Sprintf("%s (time %d)", name, w.tries[key])
	}
	w.steps = append(w.steps, name)
}

func (w *way) String() string { return message.OneLine(strings.Join(w.steps, " > ")) }

// WriteText writes the difference for a reader; a and b name the two runs.
func (d *Difference) WriteText(w io.Writer, a, b string) error {
	var s strings.Builder
	if len(d.Digests) == 2 {
		fmt.Fprintf(&s, "the skill differs: %.12s in %s, %.12s in %s\n", d.Digests[0], a, d.Digests[1], b)
	}
	if d.Same {
		s.WriteString("the runs are the same\n")
	}
	if d.A != nil || d.B != nil {
		fmt.Fprintf(&s, "the runs part in step %s\n", cmp.Or(d.Step, "(before or after all steps)"))
		for _, x := range []struct {
			name string
			side *Side
		}{{a, d.A}, {b, d.B}} {
			if x.side == nil {
				fmt.Fprintf(&s, "  %s has ended\n", x.name)
				continue
			}
			fmt.Fprintf(&s, "  %s:%d  %s\n", x.name, x.side.Line, x.side.Text)
		}
		writeDeltas(&s, d.Fields)
	}
	if len(d.Outcome) > 0 {
		s.WriteString("the outcomes differ\n")
		writeDeltas(&s, d.Outcome)
	}
	_, err := io.WriteString(w, s.String())
	return err
}

func writeDeltas(s *strings.Builder, list []FieldDelta) {
	for _, f := range list {
		fmt.Fprintf(s, "  %s\n    - %s\n    + %s\n", message.OneLine(f.Path), message.OneLine(cmp.Or(f.A, "(not there)")), message.OneLine(cmp.Or(f.B, "(not there)")))
	}
}
