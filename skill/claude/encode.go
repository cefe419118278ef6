package claude

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/wire"
)

const (
	longestName = 64
	answerTool  = "final_answer" // the tool that stands for an answer of a schema, with Options.SchemaTool
	nothing     = "(empty)"      // the API refuses texts without a letter
)

// asked is a request in the API's form, with what is needed to read its answer.
type asked struct {
	params params
	model  string
	names  *wire.Names
	ids    map[string]bool // of the calls so far, as they are sent
	schema *wire.Schema    // nil: the answer is text
	tool   string          // the name of the tool that stands for the answer; empty: none does
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
	p.MaxTokens = cmp.Or(max(0, req.MaxTokens), m.opt.MaxTokens)
	p.Temperature = m.opt.Temperature
	if m.opt.Effort != "" {
		p.OutputConfig = &outputConfig{Effort: m.opt.Effort}
	}
	if strings.TrimSpace(req.System) != "" {
		p.System = []content{textBlock(req.System)}
	}
	if err := a.tools(req); err != nil {
		return nil, err
	}
	if len(req.Schema) > 0 {
		if err := a.answer(req, m.opt.SchemaTool); err != nil {
			return nil, err
		}
	}
	for i := range req.Messages {
		a.message(&req.Messages[i])
	}
	if !m.opt.NoCache {
		a.mark(len(req.Messages) > 1)
	}
	return a, nil
}

func (a *asked) tools(req *skill.Request) error {
	p := &a.params
	for _, t := range req.Tools {
		tool, err := toolOf(a.names.To(t.Name, longestName), t.Description, t.Schema)
		if err != nil {
			return err
		}
		p.Tools = append(p.Tools, tool)
	}
	switch req.Choice {
	case "":
	case skill.ToolsAny:
		p.ToolChoice = &toolChoice{Type: "any"}
	case skill.ToolsNone:
		if len(p.Tools) > 0 {
			p.ToolChoice = &toolChoice{Type: "none"}
		}
	default:
		p.ToolChoice = &toolChoice{Type: "tool", Name: a.names.To(req.Choice, longestName)}
	}
	return nil
}

func toolOf(name, description string, schema json.RawMessage) (tool, error) {
	m, err := wire.Object(schema)
	if err != nil {
		return tool{}, err
	}
	m["type"] = "object" // the API takes no other
	list, _ := m["required"].([]any)
	list = slices.DeleteFunc(list, func(v any) bool { _, ok := v.(string); return !ok })
	if m["required"] = list; len(list) == 0 {
		delete(m, "required")
	}
	return tool{Name: name, Description: description, InputSchema: m}, nil
}

// answer asks for an answer of the request's schema.
func (a *asked) answer(req *skill.Request, asTool bool) error {
	s, err := wire.NewSchema(req.Schema)
	if err != nil {
		return err
	}
	a.schema = s
	p := &a.params
	if !asTool {
		fitted, ok := fit(s.Map).(map[string]any)
		if !ok || len(fitted) == 0 {
			return &skill.ModelError{Fault: skill.FaultInvalid, Text: "the schema of the answer is none that can be sent"}
		}
		if p.OutputConfig == nil {
			p.OutputConfig = &outputConfig{}
		}
		p.OutputConfig.Format = &outputFormat{Type: "json_schema", Schema: fitted}
		return nil
	}
	a.tool = answerTool
	for a.names.From(a.tool) != a.tool || contains(req.Tools, a.tool) {
		a.tool += "_"
	}
	raw, err := json.Marshal(s.Map)
	if err != nil {
		return err
	}
	last, err := toolOf(a.tool, "Gives the final answer. Call it once, when nothing else is to be looked up.", raw)
	if err != nil {
		return err
	}
	p.Tools = append(p.Tools, last)
	switch c := p.ToolChoice; {
	case c != nil && c.Type == "tool":
	case len(req.Tools) == 0 || c != nil && c.Type == "none":
		p.ToolChoice = &toolChoice{Type: "tool", Name: a.tool}
	default:
		p.ToolChoice = &toolChoice{Type: "any"}
	}
	return nil
}

func contains(tools []skill.ToolSpec, name string) bool {
	for _, t := range tools {
		if t.Name == name {
			return true
		}
	}
	return false
}

// message adds a message to the conversation. Messages of one side in a row become one, results of tools first, as the API
// wants them right behind the calls.
func (a *asked) message(m *skill.Message) {
	switch m.From {
	case skill.FromModel:
		blocks := a.blocks(m)
		if len(blocks) == 0 { // nothing was said: there is nothing to tell the model
			return
		}
		a.add(roleModel, blocks...)
	case skill.FromTool:
		a.add(roleUser, content{
			Type: "tool_result", Result: wire.Name(m.CallID, longestName), Content: []content{textBlock(visible(m.Text))}, IsError: m.Error,
		})
	default:
		a.add(roleUser, textBlock(visible(m.Text)))
	}
}

func (a *asked) add(role string, blocks ...content) {
	list := a.params.Messages
	if n := len(list); n > 0 && list[n-1].Role == role {
		list[n-1].Content = append(list[n-1].Content, blocks...)
		return
	}
	a.params.Messages = append(list, message{Role: role, Content: blocks})
}

func textBlock(s string) content { return content{Type: "text", Text: s} }

func visible(s string) string {
	if strings.TrimSpace(s) == "" {
		return nothing
	}
	return s
}

// blocks are the pieces of a model's message: as they came if its state says so, else text and then calls.
func (a *asked) blocks(m *skill.Message) (out []content) {
	calls := map[string]*skill.ToolCall{}
	for i := range m.Calls {
		calls[m.Calls[i].ID] = &m.Calls[i]
	}
	text := m.Text
	if s := readState(m.State); s != nil && s.Model == a.model {
		fits := s.fits(m)
		for _, b := range s.Blocks {
			switch {
			case b.Data != "":
				out = append(out, content{Type: "redacted_thinking", Data: b.Data})
			case b.Signature != "":
				out = append(out, content{Type: "thinking", Thinking: &b.Thinking, Signature: b.Signature})
			case !fits: // the message was changed: the thoughts stay, before what there is now
			case b.Text > 0:
				piece := text[:min(b.Text, len(text))]
				if s.texts() == 1 {
					piece = text
				}
				text = text[len(piece):]
				if strings.TrimSpace(piece) != "" {
					out = append(out, textBlock(piece))
				}
			case b.Call != "":
				out = append(out, a.call(calls[b.Call]))
			}
		}
		if fits {
			return out
		}
	}
	if strings.TrimSpace(text) != "" {
		out = append(out, textBlock(text))
	}
	for i := range m.Calls {
		out = append(out, a.call(&m.Calls[i]))
	}
	return out
}

func (a *asked) call(c *skill.ToolCall) content {
	id := wire.Name(c.ID, longestName)
	a.ids[id] = true
	input := c.Args
	if c.Check() != nil { // the API takes an object only; the result says what was wrong with it
		raw, err := json.Marshal(map[string]json.RawMessage{"arguments": c.Args})
		if err != nil {
			raw = json.RawMessage("{}")
		}
		input = raw
	}
	return content{Type: "tool_use", ID: id, Name: a.names.To(c.Name, longestName), Input: input}
}

// mark sets the cache's marks: one behind tools and instructions, which are the same in every turn, and one at the end of a
// conversation that is going on.
func (a *asked) mark(goingOn bool) {
	p := &a.params
	cache := &cacheControl{Type: "ephemeral"}
	if n := len(p.System); n > 0 {
		p.System[n-1].Cache = cache
	} else if n := len(p.Tools); n > 0 {
		p.Tools[n-1].Cache = cache
	}
	if n := len(p.Messages); n > 0 && goingOn && p.Messages[n-1].Role == roleUser {
		blocks := p.Messages[n-1].Content
		blocks[len(blocks)-1].Cache = cache
	}
}

// state is what Reply.State holds for this package: how a message with thoughts was put together.
type state struct {
	Model  string  `json:"model"`
	Blocks []block `json:"blocks"`
}

// A block is one piece of a message; one of the fields says which.
type block struct {
	Thinking  string `json:"thinking,omitempty"`
	Signature string `json:"signature,omitempty"` // of Thinking, which may be empty
	Data      string `json:"data,omitempty"`      // thoughts that cannot be read
	Text      int    `json:"text,omitempty"`      // bytes of the message's text
	Call      string `json:"call,omitempty"`      // id of one of its calls
}

type stateBox struct {
	Anthropic *state `json:"anthropic"`
}

func readState(raw json.RawMessage) *state {
	var box stateBox
	if len(raw) == 0 || json.Unmarshal(raw, &box) != nil {
		return nil
	}
	return box.Anthropic
}

// texts is the number of pieces of text.
func (s *state) texts() (n int) {
	for _, b := range s.Blocks {
		if b.Text > 0 {
			n++
		}
	}
	return n
}

// fits reports whether the state is that of the message as it is now: hosts may have changed it. A text in one piece may have
// another length, as hosts trim it.
func (s *state) fits(m *skill.Message) bool {
	left, calls := len(m.Text), map[string]bool{}
	for _, c := range m.Calls {
		calls[c.ID] = true
	}
	one := s.texts() == 1
	for _, b := range s.Blocks {
		if b.Text < 0 || b.Text > left && !one || b.Call != "" && !calls[b.Call] {
			return false
		}
		left -= b.Text
		delete(calls, b.Call)
	}
	return (left == 0 || one) && len(calls) == 0
}
