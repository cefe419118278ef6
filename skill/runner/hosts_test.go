package runner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/lint"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
)

var (
	hostTools   = []string{"search_internal", "search_entity", "search_text", "retrieve_entity", "view_file", "write_file", "edit_file", "run_command", "apply_patch"}
	hostWriters = []string{"write_file", "edit_file", "run_command", "apply_patch"}
)

// greedyTools are tools that two goroutines may call.
func greedyTools(written *atomic.Int64) (out []skill.Tool) {
	for _, n := range hostTools {
		writes := slices.Contains(hostWriters, n)
		out = append(out, skill.Tool{Name: n, Writes: writes, Call: func(context.Context, json.RawMessage) (*skill.Result, error) {
			if writes {
				written.Add(1)
			}
			r := &skill.Result{Text: "found"}
			for i := range 4 {
				r.Items = append(r.Items, evidence.Item{Kind: evidence.KindPassage, Text: fmt.Sprint("passage ", i), At: evidence.Place{Doc: "d.pdf", Name: "d.pdf", Page: i + 1}})
			}
			return r, nil
		}})
	}
	return out
}

// besieged runs a skill beside a host that asks for every tool whenever something happened, and returns the events.
func besieged(t *testing.T, s *skill.Skill, persona string, more func(*runner.Runner, []skill.Tool, *runner.Options) *runner.Runner) (events []record.Event, written int64, out *runner.Outcome) {
	t.Helper()
	var n atomic.Int64
	w := &world{t: t, wanted: hostTools}
	o := w.options(persona, 7)
	woken := make(chan struct{}, 1)
	o.Events = func(e record.Event) {
		events = append(events, e)
		select {
		case woken <- struct{}{}:
		default:
		}
	}
	tools := greedyTools(&n)
	r := runner.New(hostile{w}, tools, o)
	if more != nil {
		r = more(r, tools, o)
	}
	in := map[string]any{}
	for _, x := range s.Workflow().Inputs {
		in[x.Name] = inputOf(x)
	}
	run, err := r.Start(t.Context(), s, in)
	if err != nil {
		t.Fatal(err)
	}
	over, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for range 200 {
			select {
			case <-over:
				return
			case <-woken:
			}
			for _, tool := range hostTools {
				_, _ = run.Call(context.WithoutCancel(t.Context()), tool, nil) // refusals are judged by the events
			}
		}
	}()
	out, err = run.Run(t.Context())
	close(over)
	<-stopped
	if err != nil {
		t.Fatal(err)
	}
	return events, n.Load(), out
}

// besiegable are the workflows of testdata/mutated, which lint proves, and of testdata/unproven, with more calls than they need.
func besiegable(t *testing.T) (out []*skill.Skill) {
	t.Helper()
	for _, dir := range []string{"testdata/mutated", "testdata/unproven"} {
		skills, err := skill.Load(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range skills {
			w := clone(t, s.Workflow())
			w.Limits.ToolCalls = 100000
			s, err := skill.New(s.Name, s.Description, w, &skill.NewOptions{AllowedTools: s.AllowedTools, Folder: os.DirFS(dir)})
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, s)
		}
	}
	return out
}

// TestHostThatAsksAtEveryEvent holds what lint says of workflows against runs under siege: no call while a gate of its
// guards is closed, nothing written without a person, and no step refused by a guard that lint calls proven.
func TestHostThatAsksAtEveryEvent(t *testing.T) {
	self := func(n string) string { return n }
	for _, s := range besiegable(t) {
		var n atomic.Int64
		proven := true
		for _, g := range lint.Check(s, greedyTools(&n)).Guards {
			proven = proven && g.Proven
		}
		refused, written := 0, int64(0)
		for _, persona := range personas {
			events, wrote, out := besieged(t, s, persona, nil)
			for _, bad := range opened(events, map[string]*skill.Skill{s.Name: s}, s.Name, self) {
				t.Errorf("%s, %s: %s", s.Name, persona, bad)
			}
			if persona == "nobody" && wrote > 0 {
				t.Errorf("%s: %d writes without a person", s.Name, wrote)
			}
			for _, d := range out.Denied {
				if d.By == "step" && d.Until != "an approve step is approved" {
					refused++
				}
			}
			written += wrote
		}
		if proven && refused > 0 {
			t.Errorf("%s: lint calls every guard proven, and a step was refused %d times", s.Name, refused)
		}
		t.Logf("%s: proven %v, steps refused %d, writes %d", s.Name, proven, refused, written)
	}
}

// TestSkillAsToolUnderSiege has a skill that writes called as a tool while a gate of the outer skill is closed, and when it is open.
func TestSkillAsToolUnderSiege(t *testing.T) {
	self := func(n string) string { return n }
	total := int64(0)
	for _, inner := range besiegable(t) {
		outer := parse(t, strings.ReplaceAll(`guards: [{deny: [write_file, edit_file, run_command, apply_patch], until: approved.outer_ok && passed.some}]
limits: {tool_calls: 100000}
steps:
  - {id: refs, search: {for: x}}
  - {id: start_ok, approve: "begin with ${refs}?"}
  - {id: early, call: INNER, args: {task: x}, on_error: continue}
  - {id: some, require: len(refs) > 0}
  - {id: outer_ok, approve: "go on with ${refs} and ${early}?"}
  - {id: late, call: INNER, args: {task: x}, on_error: continue}
`, "INNER", inner.Name))
		outer.AllowedTools = append(slices.Clone(hostTools), inner.Name)
		for _, persona := range personas {
			events, wrote, _ := besieged(t, outer, persona, func(r *runner.Runner, tools []skill.Tool, o *runner.Options) *runner.Runner {
				as, err := runner.New(nil, tools, &runner.Options{Approve: o.Approve, Wait: noWait}).Tool(inner)
				if err != nil {
					t.Fatal(err)
				}
				return runner.New(nil, append(tools, as), o)
			})
			for _, bad := range opened(events, map[string]*skill.Skill{outer.Name: outer}, outer.Name, self) {
				t.Errorf("%s as a tool, %s: %s", inner.Name, persona, bad)
			}
			if persona == "nobody" && wrote > 0 {
				t.Errorf("%s as a tool: %d writes without a person", inner.Name, wrote)
			}
			total += wrote
		}
	}
	if total == 0 {
		t.Error("nothing was ever written: the test shows nothing")
	}
	t.Logf("%d writes behind the gates", total)
}
