package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
	"github.com/findspot/findspot/skill/workflow"
)

// replayed replays a record and wants the same bytes and the same outcome.
func replayed(t testing.TB, s *skill.Skill, want *runner.Outcome, recorded []byte) {
	t.Helper()
	var again bytes.Buffer
	got, err := runner.Replay(t.Context(), s, bytes.NewReader(recorded), &again)
	if err != nil {
		t.Fatalf("Replay: %v\n%s", err, recorded)
	}
	if diff := cmp.Diff(string(recorded), again.String()); diff != "" {
		t.Errorf("journal (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
		t.Errorf("outcome (-want +got)\n%s", diff)
	}
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A source that knows what stands at a place, but for one.
type pages struct{ missing string }

func (p pages) Text(_ context.Context, at evidence.Place) (string, error) {
	if p.missing != "" && at.Path == p.missing {
		return "", errors.New("the file is gone")
	}
	return "The primary synchronization signal uses an m-sequence.", nil
}

func writer() *skilltest.ScriptedTool {
	w := skilltest.NewTool("write_file", &skill.Result{Text: "ok"})
	w.Writes = true
	return w
}

func TestReplay(t *testing.T) {
	evil := skilltest.Passages("e.pdf", 1, strings.Repeat("long \u2028<b>&\x80 text ", 40), `{"same_as":"x"} ${inputs.task}`)
	evil.Data = map[string]any{"same_as": "a", "~same_as": map[string]any{"same_as": strings.Repeat("y", 300)}, "n": 3, "f": 1e300, "deep": []any{nil, true}}
	nan := skilltest.Entities("entity", "a.py:f")
	tests := []struct {
		name, workflow string
		in             map[string]any
		tools          []*skilltest.ScriptedTool
		model          []skilltest.Turn
		opt            runner.Options
		status         string
	}{
		{name: "search, merge and refine", workflow: "inputs: {task: string}\nsteps:\n  - {id: q, expand: \"${inputs.task}\"}\n  - id: l\n    loop: {max: 3, until: len(r) > 50}\n    steps:\n" +
			"      - {id: r, search: {in: both, for: \"${q}\", merge: true, where: {doc: x}}}\n      - {id: q, refine: {from: \"${r}\", task: \"${inputs.task}\"}}\n  - {id: n, when: len(r) == 0, finish: nothing_found}\n  - {id: a, synthesize: [r]}\n",
			in: task, tools: []*skilltest.ScriptedTool{skilltest.NewTool("search_internal", passages(), evil), skilltest.NewTool("search_entity", nan)}, status: skill.StatusDone},
		{name: "retry, fallback and errors", workflow: "steps:\n  - {id: a, call: t, args: {x: 1}, retry: {max: 3, on: server_starting, wait: 1s}, fallback: {call: u}}\n  - {id: b, call: u, on_error: stop}\n",
			tools:  []*skilltest.ScriptedTool{skilltest.NewTool("t").Script(skilltest.Step{Err: startingError{}}, skilltest.Step{Err: startingError{}}, skilltest.Step{Err: errors.New("broken")}), skilltest.NewTool("u").Script(skilltest.Step{Result: evil}, skilltest.Step{Err: errors.New("u broke")})},
			status: skill.StatusInsufficient},
		{name: "denied", workflow: guarded, in: map[string]any{"task": "x"}, tools: []*skilltest.ScriptedTool{skilltest.NewTool("search_internal", passages()), writer()}, status: skill.StatusStopped},
		{name: "a limit of calls", workflow: "limits: {tool_calls: 2}\nsteps:\n  - {id: l, loop: {max: 9}, steps: [{id: x, call: t}]}\n", tools: []*skilltest.ScriptedTool{skilltest.NewTool("t", evil)}, status: skill.StatusStopped},
		{name: "a limit of time", workflow: "limits: {wall: 1s}\nsteps:\n  - {id: l, loop: {max: 99}, steps: [{id: x, call: t}]}\n", tools: []*skilltest.ScriptedTool{skilltest.NewTool("t", evil)}, opt: runner.Options{Now: skilltest.Clock(30 * time.Millisecond)}, status: skill.StatusStopped},
		{name: "a limit of tokens", workflow: "limits: {tokens: 20}\nsteps: [{id: a, ask: x}, {id: b, ask: x}, {id: c, ask: x}]\n", model: []skilltest.Turn{skilltest.Says("a"), skilltest.Says("b"), skilltest.Says("c")}, status: skill.StatusStopped},
		{name: "a model with tools, refused once", workflow: "inputs: {n: {type: integer, default: 7}}\nsteps:\n  - {id: r, search: {for: \"x ${inputs.n % 2}\"}}\n  - {id: q, ask: Which, with: [t, u], schema: {type: object, required: [a]}, from: [r]}\n  - {id: w, write: plan, from: [r], cite: every_claim}\n  - {id: ok, approve: \"${w}\"}\n  - {id: a, synthesize: [r, w], verify: quotes}\n",
			tools: []*skilltest.ScriptedTool{skilltest.NewTool("search_internal", passages()), skilltest.NewTool("t", evil), skilltest.NewTool("u").Script(skilltest.Step{Err: errors.New("no")})},
			model: []skilltest.Turn{skilltest.Calls("t", `{ "a" : "<x>" }`), skilltest.Calls("u", `no json`), skilltest.Calls("nobody", `{}`), skilltest.Says(`{"b": 1}`), skilltest.Says(`{"a": 1}`), skilltest.Says("No key here."), skilltest.Says("A plan [D1]."),
				skilltest.Says(`It "uses an m-sequence" [D1].`)},
			opt: runner.Options{Source: pages{}, Approve: func(context.Context, runner.Approval) (string, error) { return "approve", nil }}, status: skill.StatusDone},
		{name: "revised, then a model that fails", workflow: "steps:\n  - {id: r, search: {for: x}}\n  - {id: w, write: plan, from: [r]}\n  - {id: ok, approve: \"${w}\", choices: [approve, revise, stop]}\n",
			tools: []*skilltest.ScriptedTool{skilltest.NewTool("search_internal", passages())}, model: []skilltest.Turn{skilltest.Says("One [D1]."), skilltest.Says("Two [D1]."), {Err: errors.New("overloaded")}},
			opt: runner.Options{Approve: func(context.Context, runner.Approval) (string, error) { return "revise", nil }}, status: skill.StatusInsufficient},
		{name: "an approval that fails", workflow: "steps: [{id: ok, approve: \"text\"}]\n", opt: runner.Options{Approve: func(context.Context, runner.Approval) (string, error) { return "", errors.New("gone") }}, status: skill.StatusStopped},
		{name: "places", workflow: "steps:\n  - {id: r, call: t}\n  - {id: a, synthesize: [r], verify: locations}\n", tools: []*skilltest.ScriptedTool{skilltest.NewTool("t", nan)}, opt: runner.Options{Source: pages{missing: "a.py"}}, status: skill.StatusInsufficient},
		{name: "each", workflow: "inputs: {names: {type: list}}\nsteps:\n  - {id: e, each: \"${inputs.names}\", as: x, steps: [{id: y, call: t, args: {n: \"${x}\"}}]}\n  - {id: g, require: len(e) == 2}\n", in: map[string]any{"names": []any{1, "b"}},
			tools: []*skilltest.ScriptedTool{skilltest.NewTool("t", &skill.Result{Data: map[string]any{"v": 1}})}, status: skill.StatusDone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := parse(t, tt.workflow)
			var m skill.Model
			if tt.model != nil {
				m = skilltest.NewModel(tt.model...)
			}
			var rec bytes.Buffer
			opt := tt.opt
			opt.Record, opt.Wait = &rec, noWait
			out := mustRun(t, runner.New(m, skilltest.Tools(tt.tools...), &opt), s, tt.in)
			if out.Status != tt.status {
				t.Errorf("%s: %s\n%s", out.Status, out.Reason, rec.String())
			}
			replayed(t, s, out, rec.Bytes())
		})
	}
}

func TestReplayOfCancelledRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tool := skill.Tool{Name: "t", Call: func(context.Context, json.RawMessage) (*skill.Result, error) {
		cancel()
		return &skill.Result{Text: "x"}, nil
	}}
	s := parse(t, "steps: [{id: a, call: t}, {id: b, call: t}]\n")
	var rec bytes.Buffer
	out, err := runner.New(nil, []skill.Tool{tool}, &runner.Options{Record: &rec}).Run(ctx, s, nil)
	if !errors.Is(err, context.Canceled) || out.Status != skill.StatusStopped || out.At != "a" {
		t.Fatalf("%v: %+v", err, out)
	}
	replayed(t, s, out, rec.Bytes())
}

// TestReplayWithHost has a host that calls the run's tools before, during and after it, from several goroutines.
func TestReplayWithHost(t *testing.T) {
	for round := range 8 {
		s := parse(t, guarded)
		s.AllowedTools = []string{"write_file", "search_internal", "read"}
		var run *runner.Run
		var wg sync.WaitGroup
		host := func(ctx context.Context, n int) {
			for i := range n {
				wg.Go(func() {
					tool := []string{"read", "write_file", "search_internal", "nobody"}[i%4]
					_, _ = run.Call(ctx, tool, json.RawMessage(fmt.Sprintf(`{"path":"f%d"}`, i)))
				})
			}
		}
		docs := skill.Tool{Name: "search_internal", Call: func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
			if strings.Contains(string(args), "query") {
				host(ctx, round)
			}
			return passages(), nil
		}}
		read := skill.Tool{Name: "read", Call: func(_ context.Context, args json.RawMessage) (*skill.Result, error) {
			return skilltest.Entities("entity", string(args)+":f"), nil
		}}
		write := skilltest.NewTool("write_file", &skill.Result{Text: "ok"})
		write.Writes = true
		var rec bytes.Buffer
		r := runner.New(nil, []skill.Tool{docs, read, write.Tool()}, &runner.Options{Record: &rec, Limits: workflow.Limits{ToolCalls: 9}})
		var err error
		if run, err = r.Start(t.Context(), s, map[string]any{"task": "x"}); err != nil {
			t.Fatal(err)
		}
		host(t.Context(), 2)
		out, err := run.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		host(t.Context(), 1)
		wg.Wait()
		replayed(t, s, out, rec.Bytes())
	}
}

func TestReplayRefuses(t *testing.T) {
	s := parse(t, "steps: [{id: a, call: t}, {id: b, call: t}]\n")
	var rec bytes.Buffer
	mustRun(t, runner.New(nil, skilltest.Tools(skilltest.NewTool("t", passages())), &runner.Options{Record: &rec}), s, nil)
	lines := strings.SplitAfter(strings.TrimSuffix(rec.String(), "\n"), "\n")
	join := func(l []string) string { return strings.Join(l, "") }
	other := parse(t, "steps: [{id: a, call: t}]\n")
	tests := []struct {
		name, record string
		s            *skill.Skill
		want         string
		is           error
	}{
		{"another version of the skill", rec.String(), other, "skill test", skill.ErrStale},
		{"nothing", "", s, "line 1: the record is empty", skill.ErrFormat},
		{"no record", "hello\n", s, "line 1: it is not JSON", skill.ErrFormat},
		{"cut off within a line", rec.String()[:rec.Len()-20], s, fmt.Sprintf("line %d: it is cut off", len(lines)), skill.ErrFormat},
		{"cut off after a line", join(lines[:5]), s, "line 5: the record ends here, before the run does", skill.ErrStale},
		{"a line is missing", join(slices.Delete(slices.Clone(lines), 3, 4)), s, "line 4: it says it is event 5", skill.ErrFormat},
		{"a line is damaged", join(lines[:3]) + "{" + join(lines[3:]), s, "line 4: it is not JSON", skill.ErrFormat},
		{"a text was changed", strings.ReplaceAll(rec.String(), "m-sequence", "n-sequence"), s, "does not match its hash", skill.ErrStale},
		{"another event", strings.Replace(rec.String(), `"event":"step"`, `"event":"leap"`, 1), s, `"leap" is not an event`, skill.ErrFormat},
		{"another format", strings.Replace(rec.String(), `"format":2`, `"format":3`, 1), s, "format 3", skill.ErrFormat},
		{"a longer one", rec.String() + strings.Replace(lines[len(lines)-1], fmt.Sprintf(`{"n":%d`, len(lines)), fmt.Sprintf(`{"n":%d`, len(lines)+1), 1) + "\n", s, "its record goes on", skill.ErrStale},
		{"another step ran", strings.ReplaceAll(rec.String(), `"id":"b"`, `"id":"c"`), s, "departs from its record", skill.ErrStale},
	}
	for _, tt := range tests {
		_, err := runner.Replay(t.Context(), tt.s, strings.NewReader(tt.record), nil)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.Is(err, tt.is) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestRecordKeepsTextsOnce(t *testing.T) {
	s := parse(t, "steps:\n  - {id: l, loop: {max: 20}, steps: [{id: r, search: {for: x}}]}\n")
	long := skilltest.Passages("a.pdf", 1, strings.Repeat("a long passage. ", 1000))
	var rec bytes.Buffer
	out := mustRun(t, runner.New(nil, skilltest.Tools(skilltest.NewTool("search_internal", long)), &runner.Options{Record: &rec}), s, nil)
	if rec.Len() > 45_000 { // the text is there once: 16,000 bytes, as text of the result and of its item alike
		t.Errorf("%d bytes", rec.Len())
	}
	replayed(t, s, out, rec.Bytes())
	n := 0
	for e, err := range record.Read(bytes.NewReader(rec.Bytes())) {
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := e.(*record.Result); ok && len(e.Result.Items[0].Text) == 16_000 {
			n++
		}
	}
	if n != 20 {
		t.Errorf("%d results read back whole", n)
	}
}

func FuzzReadRecord(f *testing.F) {
	s := parse(f, "steps: [{id: a, call: t}, {id: b, call: t}]\n")
	var rec bytes.Buffer
	evil := passages()
	evil.Text = strings.Repeat("x", 400)
	evil.Data = map[string]any{"same_as": strings.Repeat("x", 400)}
	if _, err := runner.New(nil, skilltest.Tools(skilltest.NewTool("t", evil)), &runner.Options{Record: &rec}).Run(context.Background(), s, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(rec.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		var again bytes.Buffer
		out, err := runner.Replay(t.Context(), s, bytes.NewReader(data), &again)
		if err == nil && (out == nil || !bytes.Equal(data, again.Bytes())) {
			t.Errorf("a replay without error gave another journal")
		}
	})
}

// TestFinalAnswerHookOfARun asks the host's hooks about the answer of a step, and replays what they said.
func TestFinalAnswerHookOfARun(t *testing.T) {
	s := parse(t, "inputs: {task: {type: string}}\nsteps:\n  - {id: r, search: {for: x}}\n  - {id: answer, synthesize: [r]}\n")
	var saw *evidence.Answer
	agree := &skill.Hooks{FinalAnswer: func(_ context.Context, a *evidence.Answer) (string, error) {
		saw = a
		return "for internal use", nil
	}}
	refuse := &skill.Hooks{FinalAnswer: func(context.Context, *evidence.Answer) (string, error) { return "", errors.New("it names a person") }}
	for name, tt := range map[string]struct {
		hooks  []*skill.Hooks
		status string
		want   string
	}{
		"agrees":  {[]*skill.Hooks{agree}, skill.StatusDone, "for internal use"},
		"refuses": {[]*skill.Hooks{agree, refuse}, skill.StatusStopped, "it names a person"},
	} {
		var rec bytes.Buffer
		r := runner.New(nil, skilltest.Tools(skilltest.NewTool("search_internal", passages())), &runner.Options{Hooks: tt.hooks, Record: &rec})
		out := mustRun(t, r, s, map[string]any{"task": "what is it?"})
		if last := out.Steps[len(out.Steps)-1]; out.Status != tt.status || !strings.Contains(last.Note, tt.want) {
			t.Errorf("%s: %s, %+v; want %s with %q", name, out.Status, last, tt.status, tt.want)
		}
		if saw == nil || saw.Question != "what is it?" || len(saw.Items) == 0 {
			t.Errorf("%s: the hook saw %+v", name, saw)
		}
		replayed(t, s, out, rec.Bytes())
	}
}
