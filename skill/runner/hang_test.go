package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

// hangs is a set of hooks of which one never returns, whatever its context says.
func hangs(which string, release <-chan struct{}) []*skill.Hooks {
	stay := func(name string) error {
		if name == which {
			<-release
		}
		return nil
	}
	return []*skill.Hooks{{
		BeforeTool: func(context.Context, skill.HookCall) (json.RawMessage, error) { return nil, stay("BeforeTool") },
		AfterTool: func(context.Context, skill.HookCall, *skill.Result) (skill.After, error) {
			return skill.After{}, stay("AfterTool")
		},
		AgentEnd:    func(context.Context, skill.AgentEnd) (string, error) { return "", stay("AgentEnd") },
		FinalAnswer: func(context.Context, *evidence.Answer) (string, error) { return "", stay("FinalAnswer") },
	}}
}

// silentModel says nothing for ever, or an empty word each second; it does not look at its context.
func silentModel(words bool, release <-chan struct{}) talker {
	return func(context.Context, *skill.Request) iter.Seq2[*skill.Delta, error] {
		return func(yield func(*skill.Delta, error) bool) {
			if !words {
				<-release
			}
			for words && yield(&skill.Delta{}, nil) {
				time.Sleep(time.Second)
			}
		}
	}
}

// TestHooksThatHang has hooks that never return around the calls of a run, of a gathering model, of a sub-agent and around
// an answer, in fake time: each ends when its time is over, and says what hung.
func TestHooksThatHang(t *testing.T) {
	const most = 15 * time.Second // a wall of ten, and the grace
	look := skilltest.Tools(skilltest.NewTool("look", &skill.Result{Text: "x"}))
	calls := func() skill.Model {
		return skilltest.NewModel(turn("look", `{}`), skilltest.Says("done"), skilltest.Says("done"), skilltest.Says("done"))
	}
	tests := map[string]func(t *testing.T, hooks []*skill.Hooks) string{
		"BeforeTool in a run": func(t *testing.T, hooks []*skill.Hooks) string {
			s := parse(t, "limits: {wall: 10s}\nsteps: [{id: a, call: look}]\n")
			var rec bytes.Buffer
			out := mustRun(t, runner.New(nil, look, &runner.Options{Hooks: hooks, Record: &rec}), s, nil)
			replayed(t, s, out, rec.Bytes())
			if out.Status != skill.StatusStopped {
				t.Errorf("%s: %s", out.Status, out.Reason)
			}
			return rec.String()
		},
		"BeforeTool in Gather": func(t *testing.T, hooks []*skill.Hooks) string {
			var rec bytes.Buffer
			g, err := agent.Gather(t.Context(), calls(), look, "q", &agent.GatherOptions{Hooks: hooks, Wall: 10 * time.Second, Record: &rec})
			if err != nil {
				t.Fatal(err)
			}
			return g.Reason + rec.String()
		},
		"AgentEnd of a sub-agent": func(t *testing.T, hooks []*skill.Hooks) string {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			_, err := (agent.SubAgent{Name: "sub", Description: "d", Prompt: "p", Tools: []string{"look"}}).Tool(calls(), look, &agent.GatherOptions{Hooks: hooks}).Call(ctx, json.RawMessage(`{"task":"x"}`))
			if err == nil {
				return ""
			}
			return err.Error()
		},
		"FinalAnswer": func(t *testing.T, hooks []*skill.Hooks) string {
			o := &agent.AnswerOptions{Hooks: hooks, Wall: 10 * time.Second}
			for _, err := range agent.Answer(t.Context(), skilltest.NewModel(skilltest.Says("It has 127 samples [D1].")), gathered(), o) {
				if err != nil {
					return err.Error()
				}
			}
			return ""
		},
	}
	tests["AfterTool in a run"], tests["AfterTool in Gather"] = tests["BeforeTool in a run"], tests["BeforeTool in Gather"]
	for name, play := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				which := strings.Fields(name)[0]
				start := time.Now()
				said := play(t, hangs(which, release))
				if took := time.Since(start); took > most {
					t.Errorf("it took %s", took)
				}
				if !strings.Contains(said, "hook "+which+" did not return within 2s") {
					t.Errorf("it said %s", said)
				}
			})
		})
	}
}

// TestModelsThatHang has models that never answer where no skill runs.
func TestModelsThatHang(t *testing.T) {
	const most = 15 * time.Second
	look := skilltest.Tools(skilltest.NewTool("look", &skill.Result{Text: "x"}))
	for name, play := range map[string]func(t *testing.T, m skill.Model) error{
		"Gather": func(t *testing.T, m skill.Model) error {
			g, err := agent.Gather(t.Context(), m, look, "q", &agent.GatherOptions{Wall: 10 * time.Second})
			if err == nil && g.Stopped != agent.GatherWall {
				t.Errorf("stopped %s: %s", g.Stopped, g.Reason)
			}
			return nil
		},
		"Answer": func(t *testing.T, m skill.Model) error {
			for p, err := range agent.Answer(t.Context(), m, gathered(), &agent.AnswerOptions{Wall: 10 * time.Second}) {
				if err != nil {
					return nil
				}
				if p.Report != nil && p.Report.Status == skill.StatusDone {
					return errors.New("an answer is done")
				}
			}
			return nil
		},
	} {
		for _, words := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					release := make(chan struct{})
					defer close(release)
					start := time.Now()
					if err := play(t, silentModel(words, release)); err != nil {
						t.Error(err)
					}
					if took := time.Since(start); took > most {
						t.Errorf("it took %s", took)
					}
				})
			})
		}
	}
}
