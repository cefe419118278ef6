package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/skilltest"
)

func codeTools() (search *skilltest.ScriptedTool, tools []skill.Tool) {
	search = skilltest.NewTool("search_entity", skilltest.Entities(evidence.KindEntity, "pss.py:detect_pss", "pss.py:other"))
	docs := skilltest.NewTool("search_internal", skilltest.Passages("ssb.pdf", 3, "The PSS has length 127."))
	write := skilltest.NewTool("write_file", &skill.Result{Text: "written"})
	write.Writes = true
	return search, skilltest.Tools(search, docs, write)
}

func TestSubAgent(t *testing.T) {
	search, tools := codeTools()
	sub := skilltest.NewModel(turn("search_entity", `{"query":"pss"}`, "write_file", `{}`, "search_internal", `{"query":"x"}`),
		skilltest.Says("pss.py:detect_pss finds it [C1]. Made up [C9].\nNot found: the SSS."))
	main := skilltest.NewModel(turn("search_internal", `{"query":"PSS"}`, "code-retrieval", `{"task":"where is the PSS detected?"}`, "code-retrieval", `{"question":"x"}`), skilltest.Says("[D1] [C1]"))
	m := twoMinds(sub, main)
	var by []string
	hook := &skill.Hooks{
		BeforeTool: func(_ context.Context, c skill.HookCall) (json.RawMessage, error) {
			by = append(by, c.By+" "+c.Tool)
			return nil, nil
		},
		AgentEnd: func(_ context.Context, e skill.AgentEnd) (string, error) {
			return fmt.Sprintf("%s was asked %q and was shown %d pieces", e.Agent, e.Task, len(e.Items)), nil
		},
	}
	all := append(tools, agent.CodeRetrieval().Tool(m, tools, nil))
	g, err := agent.Gather(t.Context(), m, all, "q", &agent.GatherOptions{Hooks: []*skill.Hooks{hook}, Parallel: 1})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"D1", "C1"}, keysOf(g.Items)); diff != "" {
		t.Errorf("items (-want +got):\n%s", diff)
	}
	answer := told(main)[1]
	for _, want := range []string{"finds it [C1].", "Not found: the SSS.", "1 sentences are left out", "def detect_pss", `asked "where is the PSS detected?" and was shown 2 pieces`} {
		if !strings.Contains(answer, want) {
			t.Errorf("the caller was told %q, want it to hold %q", answer, want)
		}
	}
	if strings.Contains(answer, "Made up") || !strings.Contains(told(main)[2], "task (required)") {
		t.Errorf("the caller was told %q and %q", answer, told(main)[2])
	}
	if diff := cmp.Diff([]string{"model search_internal", "model code-retrieval", "code-retrieval search_entity"}, by); diff != "" {
		t.Errorf("hooks saw (-want +got):\n%s", diff)
	}
	if g.ToolCalls != 3 || len(search.Calls()) != 1 || g.Tokens < 30 {
		t.Errorf("%d calls, %d tokens counted: want those of the sub-agent too", g.ToolCalls, g.Tokens)
	}
	for _, r := range sub.Requests() {
		if len(r.Tools) != 1 || r.Tools[0].Name != "search_entity" {
			t.Errorf("the sub-agent is offered %v", r.Tools)
		}
	}
	for _, text := range told(sub)[1:] {
		if !strings.Contains(text, "there is no tool") {
			t.Errorf("a tool that the sub-agent does not have: %q", text)
		}
	}
}

func TestSubAgentBounds(t *testing.T) {
	_, tools := codeTools()
	endless := func(calls int) *skilltest.ScriptedModel {
		var turns []skilltest.Turn
		for i := range calls {
			turns = append(turns, turn("search_entity", fmt.Sprintf(`{"query":"%d"}`, i)))
		}
		return skilltest.NewModel(turns...)
	}
	// It spends its caller's calls.
	sub := endless(50)
	main := skilltest.NewModel(turn("code-retrieval", `{"task":"a"}`), skilltest.Says("done"))
	m := twoMinds(sub, main)
	g, err := agent.Gather(t.Context(), m, append(tools, agent.CodeRetrieval().Tool(m, tools, nil)), "q", &agent.GatherOptions{ToolCalls: 4})
	if err != nil || g.Stopped != agent.GatherCalls || g.ToolCalls != 4 || len(sub.Requests()) != 3 {
		t.Errorf("stopped %s after %d calls, %d turns of the sub-agent, %v", g.Stopped, g.ToolCalls, len(sub.Requests()), err)
	}
	if len(g.Items) == 0 {
		t.Error("what it found until then is lost")
	}
	// Its own turns.
	s := agent.CodeRetrieval()
	s.Turns = 2
	res, err := s.Tool(endless(50), tools, nil).Call(t.Context(), json.RawMessage(`{"task":"a"}`))
	if err != nil || !strings.Contains(res.Text, "ended early: 2 turns") {
		t.Errorf("Call = %v, %v", res, err)
	}
	// It writes only when it names a tool that does.
	if s.Tool(nil, tools, nil).Writes {
		t.Error("code-retrieval writes")
	}
	s.Tools = append(s.Tools, "write_file")
	if !s.Tool(nil, tools, nil).Writes {
		t.Error("a sub-agent that may write does not say so")
	}
	// No tools, no task, no model.
	for _, tt := range []struct {
		m     skill.Model
		tools []skill.Tool
		args  string
	}{{main, nil, `{"task":"a"}`}, {main, tools, `{"task":" "}`}, {main, tools, `{}`}, {nil, tools, `{"task":"a"}`}} {
		if _, err := agent.CodeRetrieval().Tool(tt.m, tt.tools, nil).Call(t.Context(), json.RawMessage(tt.args)); err == nil {
			t.Errorf("Call(%s) with %d tools is no error", tt.args, len(tt.tools))
		}
	}
	// A hook refuses its answer.
	no := &skill.Hooks{AgentEnd: func(context.Context, skill.AgentEnd) (string, error) { return "", errors.New("too short") }}
	_, err = agent.CodeRetrieval().Tool(skilltest.NewModel(turn("search_entity", `{"query":"a"}`), skilltest.Says("x")), tools, &agent.GatherOptions{Hooks: []*skill.Hooks{no}}).Call(t.Context(), json.RawMessage(`{"task":"a"}`))
	if err == nil || !strings.Contains(err.Error(), "too short") {
		t.Errorf("a refused answer: %v", err)
	}
}

// TestSubAgentDepth makes sure that agents that call one another come to an end.
func TestSubAgentDepth(t *testing.T) {
	depth := 0
	m := modelFunc(func(_ context.Context, req *skill.Request, yield func(*skill.Delta, error) bool) {
		for i, tool := range req.Tools {
			if strings.HasPrefix(tool.Name, "agent") && len(req.Messages) == 1 {
				depth++
				yield(&skill.Delta{Call: &skill.ToolCall{ID: fmt.Sprint(i), Name: tool.Name, Args: json.RawMessage(`{"task":"deeper"}`)}}, nil)
				return
			}
		}
		yield(&skill.Delta{Text: "done"}, nil)
	})
	_, tools := codeTools()
	for i := range 5 {
		s := agent.SubAgent{Name: fmt.Sprintf("agent%d", i), Tools: []string{"search_entity", fmt.Sprintf("agent%d", i-1)}}
		tools = append(tools, s.Tool(m, tools, nil))
	}
	g, err := agent.Gather(t.Context(), m, tools[len(tools)-1:], "q", nil)
	if err != nil || depth != 3 || // the third is refused
		g.Stopped != agent.GatherDone {
		t.Errorf("agents were called %d levels deep, stopped %s, %v", depth, g.Stopped, err)
	}
}
