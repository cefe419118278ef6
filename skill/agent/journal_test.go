package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/skilltest"
)

// session gathers and answers with a record of both.
func session(t *testing.T, m skill.Model, tools []skill.Tool, src evidence.Source, hooks ...*skill.Hooks) (recorded, text string, g *agent.Gathered) {
	t.Helper()
	var b bytes.Buffer
	g, err := agent.Gather(t.Context(), m, tools, "how long is the PSS?", &agent.GatherOptions{Record: &b, Now: skilltest.Clock(time.Second), Hooks: hooks, Source: src, Parallel: 1})
	if err != nil {
		t.Fatal(err)
	}
	a := readAnswer(t, agent.Answer(t.Context(), m, g, &agent.AnswerOptions{Source: src}))
	return b.String(), a.text, g
}

// TestSessionReplays makes sure that a recorded session, put in place of model, tools, source and hooks, makes the same
// calls and the same answer.
func TestSessionReplays(t *testing.T) {
	_, tools := codeTools()
	fail := skilltest.NewTool("lsp_references").Script(skilltest.Step{Err: errors.New("no server")})
	tools = append(tools, fail.Tool())
	sub := skilltest.NewModel(turn("search_entity", `{"query":"pss"}`), skilltest.Says("pss.py:detect_pss [C1]."))
	main := skilltest.NewModel(
		turn("search_internal", `{"query":"PSS"}`, "lsp_references", `{"symbol":"x"}`, "nothing_like_it", `{}`),
		turn("code-retrieval", `{"task":"find it"}`, "search_internal", `{"query":"PSS"}`),
		skilltest.Says("[D1] and [C1]"),
		skilltest.Says("The PSS has length 127 [D1]. Wrong [D9]. Found by detect_pss [C1]."), skilltest.Says("1. It is used [D1]."))
	m := twoMinds(sub, main)
	tools = append(tools, agent.CodeRetrieval().Tool(m, tools, nil))
	src := textSource{"ssb.pdf": "The PSS has length 127.", "pss.py": "def detect_pss():"}
	hook := &skill.Hooks{
		BeforeTool: func(_ context.Context, c skill.HookCall) (json.RawMessage, error) {
			if c.Tool == "search_internal" {
				return json.RawMessage(`{"query":"rewritten"}`), nil
			}
			return nil, nil
		},
		AfterTool: func(context.Context, skill.HookCall, *skill.Result) (skill.After, error) {
			return skill.After{Notes: []string{"seen"}}, nil
		},
	}
	recorded, text, g := session(t, m, tools, src, hook)
	if want := "The PSS has length 127 [D1]. It is used [D1]. Found by detect_pss [C1]."; text != want {
		t.Fatalf("answer = %q, want %q", text, want)
	}
	r, err := skilltest.ReadRecording(strings.NewReader(recorded))
	if err != nil {
		t.Fatalf("%v in\n%s", err, recorded)
	}
	if diff := cmp.Diff([]string{text}, r.Answers); diff != "" || r.Question != g.Question || len(r.Tools) != len(tools) {
		t.Errorf("recording of %q with %d tools, answers (-want +got):\n%s", r.Question, len(r.Tools), diff)
	}
	_, again, g2 := session(t, r.Model, r.Tools, r.Source)
	if diff := cmp.Diff(text, again); diff != "" {
		t.Errorf("the replayed answer (-want +got):\n%s", diff)
	}
	calls := func(g *agent.Gathered) (out []string) {
		for _, c := range g.Calls {
			out = append(out, c.Tool+" "+strings.Join(c.Keys, " ")+" "+c.Error)
		}
		return out
	}
	if diff := cmp.Diff(calls(g), calls(g2)); diff != "" {
		t.Errorf("the replayed calls (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(g.Messages, g2.Messages); diff != "" {
		t.Errorf("the replayed conversation (-want +got):\n%s", diff)
	}
	// Another question departs from the record, and the error says so.
	if _, err := agent.Gather(t.Context(), r.Model, r.Tools, "another question", nil); err == nil || !strings.Contains(err.Error(), "no such request") {
		t.Errorf("another question: %v", err)
	}
}

// TestSessionIsATrajectory makes sure that the record has what training on it needs.
func TestSessionIsATrajectory(t *testing.T) {
	search := skilltest.NewTool("search_internal", skilltest.Passages("ssb.pdf", 3, "The PSS has length 127."))
	search.Schema = querySchema
	m := skilltest.NewModel(turn("search_internal", `{"query":"PSS"}`), skilltest.Says("[D1]"), skilltest.Says("It has length 127 [D1]."))
	recorded, _, _ := session(t, m, skilltest.Tools(search), nil)
	var names []string
	var labels []string
	for e, err := range record.Read(strings.NewReader(recorded)) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, e.Head().Name)
		switch e := e.(type) {
		case *record.Run:
			if e.Agent != "gather" || len(e.Tools) != 1 || len(e.Tools[0].Schema) == 0 {
				t.Errorf("run = %+v, want the tools with their schemas", e)
			}
		case *record.Model:
			if len(e.Messages) == 0 {
				t.Error("a request without messages")
			}
		case *record.Result:
			if e.Result == nil || e.Result.Items[0].Key != "D1" || e.Result.Items[0].Text == "" {
				t.Errorf("result = %+v, want it whole", e)
			}
		case *record.Outcome:
			labels = append(labels, e.At+" "+e.Status)
		}
	}
	want := "run model reply call result model reply outcome model reply outcome"
	if diff := cmp.Diff(want, strings.Join(names, " ")); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"gather done", "answer done"}, labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

func TestSessionRecordFails(t *testing.T) {
	search := skilltest.NewTool("search_internal", skilltest.Passages("ssb.pdf", 3, "The PSS has length 127."))
	m := skilltest.NewModel(turn("search_internal", `{"query":"PSS"}`), skilltest.Says("[D1]"))
	full := writerFunc(func([]byte) (int, error) { return 0, errors.New("disk full") })
	g, err := agent.Gather(t.Context(), m, skilltest.Tools(search), "q", &agent.GatherOptions{Record: full})
	if err == nil || !strings.Contains(err.Error(), "disk full") || g == nil || len(g.Items) != 1 {
		t.Errorf("Gather = %v, %v: want what was gathered, and the error of the record", g, err)
	}
}
