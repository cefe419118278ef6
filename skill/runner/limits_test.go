package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

// A talker is a model.
type talker func(ctx context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error]

func (f talker) Generate(ctx context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	return f(ctx, req)
}

// TestNothingHangsARun has tools, models and approvals that never return, in fake time.
func TestNothingHangsARun(t *testing.T) {
	ask := "limits: {wall: 10s}\nsteps: [{id: a, ask: x}]\n"
	call := "limits: {wall: 10s}\nsteps: [{id: a, call: t}, {id: b, call: t}]\n"
	tests := []struct {
		name, workflow string
		polite         bool // looks at its context
		took           time.Duration
	}{
		{"a tool", call, true, 10 * time.Second},
		{"a tool that ignores its context", call, false, 13 * time.Second},
		{"a model", ask, true, 10 * time.Second},
		{"a model that ignores its context", ask, false, 13 * time.Second},
		{"an approval", "limits: {wall: 10s}\nsteps: [{id: a, approve: x}]\n", false, 13 * time.Second},
		{"a skill in use", "", false, 8 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				hang := func(ctx context.Context) error {
					if !tt.polite {
						<-release
						return nil
					}
					<-ctx.Done()
					return ctx.Err()
				}
				tool := skill.Tool{Name: "t", Call: func(ctx context.Context, _ json.RawMessage) (*skill.Result, error) { return nil, hang(ctx) }}
				m := talker(func(ctx context.Context, _ *skill.Request) iter.Seq2[*skill.Delta, error] {
					return func(yield func(*skill.Delta, error) bool) { yield(nil, hang(ctx)) }
				})
				var s *skill.Skill
				if tt.workflow != "" {
					s = parse(t, tt.workflow)
				} else {
					skills, err := skill.Load(folder(map[string]string{"in/SKILL.md": md("in", strings.Replace(call, "10s", "5s", 1)), "out/SKILL.md": md("out", "steps: [{id: u, use: in}]\n")}))
					if err != nil {
						t.Fatal(err)
					}
					s = named(t, skills, "out")
				}
				var rec bytes.Buffer
				start := time.Now()
				out := mustRun(t, runner.New(m, []skill.Tool{tool}, &runner.Options{Record: &rec, Grace: 3 * time.Second,
					Approve: func(ctx context.Context, _ runner.Approval) (string, error) { return "", hang(ctx) }}), s, nil)
				if took := time.Since(start); out.Status != skill.StatusStopped || !strings.Contains(out.Reason, "s of time") || took != tt.took {
					t.Errorf("%s after %s: %s", out.Status, took, out.Reason)
				}
				if !tt.polite != strings.Contains(rec.String(), "did not return within 3s") {
					t.Errorf("record: %s", rec.String())
				}
				replayed(t, s, out, rec.Bytes())
			})
		})
	}
}

func TestHugeAndEndless(t *testing.T) {
	huge := talker(func(context.Context, *skill.Request) iter.Seq2[*skill.Delta, error] {
		return func(yield func(*skill.Delta, error) bool) {
			for yield(&skill.Delta{Text: strings.Repeat("x", 1<<20)}, nil) {
			}
		}
	})
	loops := talker(func(context.Context, *skill.Request) iter.Seq2[*skill.Delta, error] {
		return func(yield func(*skill.Delta, error) bool) {
			yield(&skill.Delta{Call: &skill.ToolCall{ID: "1", Name: "t", Args: json.RawMessage(`{}`)}}, nil)
		}
	})
	big := skilltest.NewTool("t", &skill.Result{Text: strings.Repeat("x", 17<<20)})
	deep := skilltest.NewTool("t", &skill.Result{Data: func() any { return make(chan int) }()})
	small := skilltest.NewTool("t", &skill.Result{Text: "x"})
	tests := []struct {
		name, workflow string
		model          skill.Model
		tool           *skilltest.ScriptedTool
		status, reason string
	}{
		{"a huge reply", "steps: [{id: a, ask: x}]\n", huge, small, skill.StatusInsufficient, "over"},
		{"a model that only calls", "steps: [{id: a, ask: x, with: [t]}]\n", loops, small, skill.StatusInsufficient, "made no text in 16 turns"},
		{"a model that only calls, few calls", "limits: {tool_calls: 5}\nsteps: [{id: a, ask: x, with: [t]}]\n", loops, small, skill.StatusStopped, "5 tool calls"},
		{"a huge result", "steps: [{id: a, call: t}]\n", nil, big, skill.StatusDone, "over 16777216 bytes"},
		{"data that is no JSON", "steps: [{id: a, call: t}]\n", nil, deep, skill.StatusDone, "is not JSON"},
		{"steps without end", "steps:\n  - id: a\n    loop: {max: 100}\n    steps:\n      - id: b\n        loop: {max: 100}\n        steps:\n          - id: c\n            loop: {max: 100}\n            steps: [{id: d, require: \"true\"}]\n", nil, small, skill.StatusStopped, "100000 steps"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := mustRun(t, runner.New(tt.model, skilltest.Tools(tt.tool), nil), parse(t, tt.workflow), nil)
			if out.Status != tt.status || !strings.Contains(out.Reason, tt.reason) {
				t.Errorf("%s: %.200s", out.Status, out.Reason)
			}
		})
	}
}

func TestLimitsOfASkillInUse(t *testing.T) {
	load := func(inner, use string) *skill.Skill {
		skills, err := skill.Load(folder(map[string]string{
			"in/SKILL.md":  md("in", "limits: "+inner+"\nsteps:\n  - {id: l, loop: {max: 9}, steps: [{id: x, call: t}]}\n"),
			"out/SKILL.md": md("out", "limits: {tool_calls: 6}\nsteps:\n  - {id: a, call: t}\n  - {id: u, use: in"+use+"}\n  - {id: z, call: t}\n")}))
		if err != nil {
			t.Fatal(err)
		}
		return named(t, skills, "out")
	}
	for _, tt := range []struct {
		name, inner, use string
		status, reason   string
		calls            int
	}{
		{"its own", "{tool_calls: 3}", "", skill.StatusStopped, "skill in: limit reached: 3 tool calls", 4},
		{"its own, and the run goes on", "{tool_calls: 3}", ", on_error: continue", skill.StatusDone, "3 tool calls", 5},
		{"the run's", "{tool_calls: 50}", ", on_error: continue", skill.StatusStopped, "6 tool calls", 6},
		{"tokens are not used", "{tokens: 1}", "", skill.StatusStopped, "6 tool calls", 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := load(tt.inner, tt.use)
			var rec bytes.Buffer
			out := mustRun(t, runner.New(nil, skilltest.Tools(skilltest.NewTool("t", &skill.Result{Text: "x"})), &runner.Options{Record: &rec}), s, nil)
			if out.Status != tt.status || !strings.Contains(out.Reason, tt.reason) || out.ToolCalls != tt.calls {
				t.Errorf("%s after %d calls: %s", out.Status, out.ToolCalls, out.Reason)
			}
			replayed(t, s, out, rec.Bytes())
		})
	}
}

func TestEventsAndLog(t *testing.T) {
	s := parse(t, "steps: [{id: a, call: t}]\n")
	var rec, log bytes.Buffer
	var got []string
	strip := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	o := &runner.Options{Record: &rec, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: strip})),
		Events: func(e record.Event) {
			got = append(got, e.Head().Name)
			if e.Head().N != len(got) || e.Head().Time.IsZero() {
				t.Errorf("event %d: %+v", len(got), e.Head())
			}
		}}
	mustRun(t, runner.New(nil, skilltest.Tools(skilltest.NewTool("t", &skill.Result{Text: strings.Repeat("long ", 100)})), o), s, nil)
	if diff := cmp.Diff([]string{"run", "step", "call", "result", "step_end", "outcome"}, got); diff != "" {
		t.Errorf("events (-want +got)\n%s", diff)
	}
	want := `level=DEBUG msg="skill: result" call=1 tool=t by=step items=0 bytes=500` + "\n"
	if !strings.Contains(log.String(), want) || strings.Contains(log.String(), "long long") || strings.Count(log.String(), "\n") != 6 {
		t.Errorf("log:\n%s", log.String())
	}
	var coded skill.CodedError
	if errors.As(&skill.HangError{What: "x"}, &coded) {
		t.Error("a HangError has a code")
	}
}
