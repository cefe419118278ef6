package export

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/toolset"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

// The events that hooks run at.
const (
	preTool    = "PreToolUse"
	postTool   = "PostToolUse"
	userPrompt = "UserPromptSubmit"
)

// MaxInput bounds what a house says at one event, in bytes.
const MaxInput = 32 << 20

// A Hook answers what a house asks at its events about one skill. It is safe for concurrent use, also by several processes over one folder of state.
type Hook struct {
	Skill *skill.Skill
	Tools []skill.Tool // of findspot, with those that only some hosts offer
	State string       // folder of the states of sessions, made when it is not there
}

// input is what a house says, as far as it is used. Only tool_input is the model's.
type input struct {
	Session  string          `json:"session_id"`
	Event    string          `json:"hook_event_name"`
	Tool     string          `json:"tool_name"`
	Args     json.RawMessage `json:"tool_input"`
	Response json.RawMessage `json:"tool_response"`
	Prompt   string          `json:"prompt"`
}

// output is what a house is told, in the form of Claude Code and Codex.
type output struct {
	Specific struct {
		Event    string `json:"hookEventName"`
		Decision string `json:"permissionDecision,omitempty"`
		Reason   string `json:"permissionDecisionReason,omitempty"`
		Context  string `json:"additionalContext,omitempty"`
	} `json:"hookSpecificOutput"`
}

// Answer returns the JSON that answers one event; empty: nothing is said, and the house goes on as without a hook, with its own
// permissions. An error must block the event: the caller says it on standard error and ends with status 2.
func (h *Hook) Answer(data []byte) ([]byte, error) {
	in, err := readInput(data)
	if err != nil {
		return nil, err
	}
	if h.Skill.Workflow() == nil || len(h.Skill.Workflow().Guards) == 0 {
		return nil, nil
	}
	set, err := toolset.New(h.Tools)
	if err != nil {
		return nil, err
	}
	store := &store{dir: h.State, skill: h.Skill, session: in.Session}
	var out output
	out.Specific.Event = in.Event
	switch in.Event {
	case preTool:
		st, err := store.read()
		if err != nil {
			return nil, err
		}
		if out.Specific.Reason = h.denial(set, st, in); out.Specific.Reason == "" {
			return nil, nil
		}
		out.Specific.Decision = "deny"
	case postTool:
		tool, ours := strings.CutPrefix(in.Tool, toolPrefix)
		items, ok := itemsOf(set.Canonical(tool), in.Response)
		if !ours || !ok {
			return nil, nil
		}
		var opened []string
		err := store.update(func(st *state) error {
			before := h.gates(st)
			st.add(runner.Answer{Tool: tool, Items: items})
			after := h.gates(st)
			for step := range h.Skill.Workflow().All() {
				if after.Open(step.ID) && !before.Open(step.ID) {
					opened = append(opened, step.ID)
				}
			}
			return nil
		})
		if err != nil || len(opened) == 0 {
			return nil, err
		}
		out.Specific.Context = fmt.Sprintf("Skill %s: %s passed.", h.Skill.Name, strings.Join(opened, ", "))
	case userPrompt:
		if out.Specific.Context, err = h.person(store, in.Prompt); err != nil || out.Specific.Context == "" {
			return nil, err
		}
	default:
		return nil, nil
	}
	return jsonvalue.Marshal(out)
}

func readInput(data []byte) (*input, error) {
	if len(data) > MaxInput {
		return nil, fmt.Errorf("hook input over %d bytes: make the call smaller", MaxInput)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	in := &input{}
	if err := d.Decode(in); err != nil {
		return nil, fmt.Errorf("hook input is not the JSON that Claude Code and Codex write: %w", err)
	}
	switch {
	case d.More():
		return nil, errors.New("hook input: more than one JSON value")
	case in.Event == "":
		return nil, errors.New("hook input has no hook_event_name")
	case in.Session == "":
		return nil, errors.New("hook input has no session_id")
	case in.Event == preTool && in.Tool == "":
		return nil, errors.New("hook input has no tool_name")
	}
	return in, nil
}

// gates are the gates as the session stands.
func (h *Hook) gates(st *state) *runner.Gates {
	g := runner.NewGates(h.Skill, h.Tools, st.Answers)
	g.Look(func(step string) bool { return slices.Contains(st.Approved, step) })
	return g
}

// denial says why a call is denied, and which step comes next; empty: it is not.
func (h *Hook) denial(set *toolset.Set, st *state, in *input) string {
	if st.Released {
		return ""
	}
	gates := h.gates(st)
	for _, g := range h.Skill.Workflow().Guards {
		if gates.Holds(g) {
			continue
		}
		because := ""
		if denies(set, g, in.Tool, in.Args) {
			because = cmp.Or(g.Because, "a guard of the skill")
		} else if forges(set, h.State, in.Tool, in.Args) {
			because = "while a guard is closed, nothing changes what keeps it closed: shell commands must be known to only read, and the folders of findspot and its hooks stay as they are"
		}
		if because != "" {
			return fmt.Sprintf("%s is denied by skill %s: %s. It is denied until %s. %s", in.Tool, h.Skill.Name, because, cmp.Or(g.Until, "the skill has a gate for it"), h.next(gates, g))
		}
	}
	return ""
}

// next says which step opens the first closed gate of a guard.
func (h *Hook) next(gates *runner.Gates, g workflow.Guard) string {
	before := ""
	for st := range h.Skill.Workflow().All() {
		switch {
		case st.Search != nil || st.Call != nil:
			before = st.ID
		case !st.Gate() || gates.Open(st.ID) || !names(g, st.ID):
		case gates.Observable(st):
			return fmt.Sprintf("Next is %s: %s must hold. Call findspot's tools for it (step %s)%s.", st.ID, st.Require.Cond, before, because(st.Require.Because))
		case st.Require != nil:
			return fmt.Sprintf("Next is %s: %s. Show the person that it holds; they alone can confirm it, by typing: approve %s", st.ID, st.Require.Cond, st.ID)
		default:
			return fmt.Sprintf("Next is %s: show the person %s; they alone can approve it, by typing: approve %s", st.ID, st.Approve.What, st.ID)
		}
	}
	return "No step opens it."
}

func because(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// names reports whether a guard waits for a gate.
func names(g workflow.Guard, step string) bool {
	gates, _ := expression.ParseGates(g.Until) // one that cannot be read never opens
	return slices.ContainsFunc(gates, func(term expression.Gate) bool { return term.Step == step })
}

// person does what a person types as a whole prompt, and says what it did; empty: the prompt is about something else.
func (h *Hook) person(store *store, prompt string) (said string, err error) {
	words := strings.Fields(prompt)
	if len(prompt) > 300 || len(words) != 2 {
		return "", nil
	}
	verb, name := strings.ToLower(words[0]), strings.TrimPrefix(words[1], h.Skill.Name+"/")
	switch verb {
	case "release", "enforce":
		if name != h.Skill.Name {
			return "", nil
		}
		err = store.update(func(st *state) error { st.Released = verb == "release"; return nil })
		return fmt.Sprintf("The person typed %q: the guards of skill %s are %s in this session.", prompt, name, map[bool]string{true: "off", false: "on"}[verb == "release"]), err
	case "approve", "withdraw":
	default:
		return "", nil
	}
	step := h.gate(name)
	if step == nil {
		return "", nil
	}
	err = store.update(func(st *state) error {
		gates := h.gates(st)
		if verb == "withdraw" {
			st.Approved = slices.DeleteFunc(st.Approved, func(s string) bool { return s == name })
			said = fmt.Sprintf("The person withdrew the approval of %s in skill %s.", name, h.Skill.Name)
			return nil
		}
		if gates.Observable(step) {
			said = fmt.Sprintf("%s of skill %s is no approval: it opens by what findspot's tools return (%s).", name, h.Skill.Name, step.Require.Cond)
			return nil
		}
		for before := range h.Skill.Workflow().All() {
			if before.ID == name {
				break
			}
			if before.Gate() && !gates.Open(before.ID) && slices.ContainsFunc(h.Skill.Workflow().Guards, func(g workflow.Guard) bool { return names(g, before.ID) }) {
				said = fmt.Sprintf("%s of skill %s is not approved: %s comes before it and has not passed. Tell the person.", name, h.Skill.Name, before.ID)
				return nil
			}
		}
		if !slices.Contains(st.Approved, name) {
			st.Approved = append(st.Approved, name)
		}
		said = fmt.Sprintf("The person approved %s of skill %s.", name, h.Skill.Name)
		return nil
	})
	return said, err
}

func (h *Hook) gate(id string) *workflow.Step {
	for st := range h.Skill.Workflow().All() {
		if st.ID == id && st.Gate() {
			return st
		}
	}
	return nil
}
