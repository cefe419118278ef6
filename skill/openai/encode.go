package openai

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/wire"
)

const (
	longestName = 64
	longestID   = 40
	empty       = "(empty)" // some servers refuse texts that are empty
)

// asked is a request in the API's form, with what is needed to read its answer.
type asked struct {
	params params
	model  string
	names  *wire.Names
	ids    map[string]bool // of the calls so far, as they are sent
	schema *wire.Schema    // nil: the answer is text
}

func (m *Model) encode(model string, req *skill.Request) (*asked, error) {
	if err := req.Check(); err != nil {
		return nil, err
	}
	names, err := wire.NewNames(req.Tools, longestName)
	if err != nil {
		return nil, err
	}
	a := &asked{model: model, names: names, ids: map[string]bool{}}
	p := &a.params
	p.Model, p.Stream = model, true
	if n := cmp.Or(max(0, req.MaxTokens), m.opt.MaxTokens); n > 0 {
		if m.own { // its models that think know only the new name, many other servers only the old one
			p.MaxCompletion = n
		} else {
			p.MaxTokens = n
		}
	}
	p.Temperature, p.ReasoningEffort = m.opt.Temperature, m.opt.Effort
	if !m.opt.NoUsage {
		p.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if err := a.tools(req); err != nil {
		return nil, err
	}
	system := req.System
	if len(req.Schema) > 0 {
		if a.schema, err = wire.NewSchema(req.Schema); err != nil {
			return nil, err
		}
		if m.opt.SchemaText {
			told, err := json.Marshal(a.schema.Map)
			if err != nil {
				return nil, err
			}
			system = strings.TrimSpace(system + "\n\nYour final answer is one JSON value and nothing else, of this JSON Schema:\n" + string(told))
		} else {
			p.ResponseFormat = &responseFormat{
				Type: "json_schema", JSONSchema: answerSchema{Name: "answer", Schema: a.schema.Map, Strict: a.schema.Strict()},
			}
		}
	}
	if strings.TrimSpace(system) != "" {
		p.Messages = append(p.Messages, message{Role: roleSystem, Content: system})
	}
	for i := range req.Messages {
		a.message(&req.Messages[i])
	}
	return a, nil
}

func (a *asked) tools(req *skill.Request) error {
	p := &a.params
	for _, t := range req.Tools {
		schema, err := wire.Object(t.Schema)
		if err != nil {
			return err
		}
		p.Tools = append(p.Tools, tool{
			Type: "function", Function: function{Name: a.names.To(t.Name, longestName), Description: t.Description, Parameters: schema},
		})
	}
	switch req.Choice {
	case "":
	case skill.ToolsAny:
		p.ToolChoice = "required"
	case skill.ToolsNone:
		if len(p.Tools) > 0 {
			p.ToolChoice = "none"
		}
	default:
		p.ToolChoice = toolChoice{Type: "function", Function: chosenTool{Name: a.names.To(req.Choice, longestName)}}
	}
	return nil
}

// message adds a message to the conversation. Those of the user in a row become one, as the templates of some open models
// want the sides to take turns.
func (a *asked) message(m *skill.Message) {
	list := a.params.Messages
	switch m.From {
	case skill.FromModel:
		if strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0 { // nothing was said: there is nothing to tell the model
			return
		}
		list = append(list, a.assistant(m))
	case skill.FromTool:
		text := visible(m.Text)
		if m.Error {
			text = "Error: " + text
		}
		list = append(list, message{Role: roleTool, Content: text, Result: wire.Name(m.CallID, longestID)})
	default:
		text := visible(m.Text)
		if n := len(list); n > 0 && list[n-1].Role == roleUser {
			text = list[n-1].Content + "\n\n" + text
			list = list[:n-1]
		}
		list = append(list, message{Role: roleUser, Content: text})
	}
	a.params.Messages = list
}

func visible(s string) string {
	if strings.TrimSpace(s) == "" {
		return empty
	}
	return s
}

func (a *asked) assistant(m *skill.Message) message {
	out := message{Role: roleModel}
	if strings.TrimSpace(m.Text) != "" {
		out.Content = m.Text
	}
	s := readState(m.State)
	if s == nil || s.Model != a.model || len(m.Calls) == 0 {
		s = &state{} // thoughts are for the calls that they led to
	}
	for _, c := range m.Calls {
		id := wire.Name(c.ID, longestID)
		a.ids[id] = true
		args := string(c.Args)
		var plain string
		var compact bytes.Buffer
		switch {
		case json.Unmarshal(c.Args, &plain) == nil: // no object: what the model wrote, as it wrote it
			args = plain
		case json.Compact(&compact, c.Args) == nil:
			args = compact.String()
		}
		out.Calls = append(out.Calls, toolCall{
			ID: id, Type: "function", Function: called{Name: a.names.To(c.Name, longestName), Arguments: args}, Extra: s.Calls[c.ID],
		})
	}
	out.Reasoning, out.Details = s.Reasoning, s.Details
	return out
}

// state is what Reply.State holds for this package.
type state struct {
	Model     string                     `json:"model"`
	Reasoning string                     `json:"reasoning_content,omitempty"`
	Details   []json.RawMessage          `json:"reasoning_details,omitempty"`
	Calls     map[string]json.RawMessage `json:"extra_content,omitempty"` // by the call's id
}

type stateBox struct {
	OpenAI *state `json:"openai"`
}

func readState(raw json.RawMessage) *state {
	var box stateBox
	if len(raw) == 0 || json.Unmarshal(raw, &box) != nil {
		return nil
	}
	return box.OpenAI
}
