package training

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill"
)

// Check returns an error wrapping ErrFormat when a line is no example of a format: roles alternate, each call has one result before the
// next turn (but those of the last turn), arguments are JSON objects, each called tool is offered with a schema of an object, and the
// last turn is the model's. Sources: OpenAI's chat fine-tuning and function calling guides, Anthropic's Messages API, the sharegpt
// section of LLaMA-Factory's data/README, docs/formats.md.
func Check(format string, line []byte) error {
	var (
		c   *Conversation
		err error
	)
	switch format {
	case OpenAIChat:
		c, err = parseOpenAI(line)
	case Anthropic:
		c, err = parseAnthropic(line)
	case ShareGPT:
		c, err = parseShareGPT(line)
	case JSONL:
		c, err = parseJSONL(line)
	default:
		return badFormat(format)
	}
	if err == nil && c != nil {
		err = c.sound()
	}
	if err != nil && !errors.Is(err, skill.ErrFormat) {
		err = fmt.Errorf("%w: %w", err, skill.ErrFormat)
	}
	return err
}

// parse reads one JSON value and nothing behind it, without fields that v lacks.
func parse(line []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return err
	}
	if dec.More() {
		return errors.New("there is more than one value")
	}
	return nil
}

func parseOpenAI(line []byte) (*Conversation, error) {
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict"`
		Arguments   *string         `json:"arguments"`
	}
	type typed struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	var in struct {
		Messages []struct {
			Role    string  `json:"role"`
			Content *string `json:"content"`
			Calls   []typed `json:"tool_calls"`
			CallID  string  `json:"tool_call_id"`
		} `json:"messages"`
		Tools []typed `json:"tools"`
	}
	if err := parse(line, &in); err != nil {
		return nil, err
	}
	c := &Conversation{}
	for i, m := range in.Messages {
		text := ""
		if m.Content != nil {
			text = *m.Content
		} else if len(m.Calls) == 0 {
			return nil, fmt.Errorf("message %d: no content", i+1)
		}
		from, ok := map[string]string{"user": skill.FromUser, "assistant": skill.FromModel, "tool": skill.FromTool}[m.Role]
		if m.Role == "system" && i == 0 {
			c.System = text
			continue
		}
		if !ok {
			return nil, fmt.Errorf("message %d: role %q", i+1, m.Role)
		}
		if err := turn(c, i, from, skill.FromTool); err != nil {
			return nil, err
		}
		one := skill.Message{From: from, Text: text, CallID: m.CallID}
		for _, call := range m.Calls {
			if call.Type != "function" || call.Function.Arguments == nil {
				return nil, fmt.Errorf("message %d: a call needs type function and arguments", i+1)
			}
			one.Calls = append(one.Calls, skill.ToolCall{ID: call.ID, Name: call.Function.Name, Args: json.RawMessage(*call.Function.Arguments)})
		}
		c.Messages = append(c.Messages, one)
	}
	for _, t := range in.Tools {
		if t.Type != "function" {
			return nil, fmt.Errorf("tool %q: type %q", t.Function.Name, t.Type)
		}
		if err := c.offer(t.Function.Name, t.Function.Parameters); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// turn refuses two turns of one role in a row, but of those that may repeat.
func turn(c *Conversation, i int, from, repeats string) error {
	if n := len(c.Messages); n > 0 && c.Messages[n-1].From == from && from != repeats {
		return fmt.Errorf("message %d: two in a row are from the %s", i+1, from)
	}
	return nil
}

func (c *Conversation) offer(name string, schema json.RawMessage) error {
	var s struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(schema, &s); err != nil || name == "" || s.Type != "object" || s.Properties == nil {
		return fmt.Errorf("tool %q: no schema of an object with properties", name)
	}
	c.Tools = append(c.Tools, skill.ToolSpec{Name: name, Schema: schema})
	return nil
}

func parseAnthropic(line []byte) (*Conversation, error) {
	var in struct {
		System   string `json:"system"`
		Messages []struct {
			Role    string `json:"role"`
			Content []struct {
				Type    string          `json:"type"`
				Text    string          `json:"text"`
				ID      string          `json:"id"`
				Name    string          `json:"name"`
				Input   json.RawMessage `json:"input"`
				CallID  string          `json:"tool_use_id"`
				Content string          `json:"content"`
				Error   bool            `json:"is_error"`
			} `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Schema      json.RawMessage `json:"input_schema"`
		} `json:"tools"`
	}
	if err := parse(line, &in); err != nil {
		return nil, err
	}
	c, last := &Conversation{System: in.System}, ""
	for i, m := range in.Messages {
		if m.Role != "user" && m.Role != "assistant" || m.Role == last {
			return nil, fmt.Errorf("message %d: role %q after %q", i+1, m.Role, last)
		}
		last = m.Role
		one := skill.Message{From: map[string]string{"user": skill.FromUser, "assistant": skill.FromModel}[m.Role]}
		for _, b := range m.Content {
			switch {
			case b.Type == "text" && b.Text != "":
				one.Text += b.Text
			case b.Type == "tool_use" && m.Role == "assistant":
				one.Calls = append(one.Calls, skill.ToolCall{ID: b.ID, Name: b.Name, Args: b.Input})
			case b.Type == "tool_result" && m.Role == "user" && one.Text == "": // results come first
				c.Messages = append(c.Messages, skill.Message{From: skill.FromTool, CallID: b.CallID, Text: b.Content})
			default:
				return nil, fmt.Errorf("message %d: a block %q does not belong there", i+1, b.Type)
			}
		}
		if one.Text != "" || len(one.Calls) > 0 {
			c.Messages = append(c.Messages, one)
		} else if len(m.Content) == 0 {
			return nil, fmt.Errorf("message %d: it is empty", i+1)
		}
	}
	for _, t := range in.Tools {
		if err := c.offer(t.Name, t.Schema); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// parseShareGPT checks the turns; human and observation are in odd places, gpt and function_call in even ones.
func parseShareGPT(line []byte) (*Conversation, error) {
	var in struct {
		Turns []struct {
			From  string `json:"from"`
			Value string `json:"value"`
		} `json:"conversations"`
		System string `json:"system"`
		Tools  string `json:"tools"`
	}
	if err := parse(line, &in); err != nil {
		return nil, err
	}
	var tools []struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
	}
	if err := parse([]byte(in.Tools), &tools); err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	c := &Conversation{System: in.System}
	for _, t := range tools {
		if err := c.offer(t.Name, t.Parameters); err != nil {
			return nil, err
		}
	}
	var open []string
	for i, t := range in.Turns {
		user := t.From == "human" || t.From == "observation"
		if user != (i%2 == 0) || !user && t.From != "gpt" && t.From != "function_call" || t.Value == "" && t.From != "observation" {
			return nil, fmt.Errorf("turn %d: %q does not belong there, or is empty", i+1, t.From)
		}
		if (t.From == "observation") != (len(open) > 0) {
			return nil, fmt.Errorf("turn %d: %q, and %d calls wait for their results", i+1, t.From, len(open))
		}
		m := skill.Message{From: skill.FromUser, Text: t.Value}
		switch t.From {
		case "observation":
			for _, id := range open {
				c.Messages = append(c.Messages, skill.Message{From: skill.FromTool, CallID: id, Text: t.Value})
			}
			open = nil
			continue
		case "gpt":
			m.From = skill.FromModel
		case "function_call":
			m.From = skill.FromModel
			if i := strings.LastIndex(t.Value, "</think>\n"); i >= 0 && strings.HasPrefix(t.Value, "<think>") {
				t.Value = t.Value[i+len("</think>\n"):]
			}
			type call struct {
				Name string          `json:"name"`
				Args json.RawMessage `json:"arguments"`
			}
			calls := make([]call, 1)
			var err error
			if strings.HasPrefix(t.Value, "[") {
				err = parse([]byte(t.Value), &calls)
			} else {
				err = parse([]byte(t.Value), &calls[0])
			}
			if err != nil || len(calls) == 0 {
				return nil, fmt.Errorf("turn %d: no calls as JSON: %w", i+1, err)
			}
			for k, one := range calls {
				id := fmt.Sprint(i, ".", k)
				open = append(open, id)
				m.Calls = append(m.Calls, skill.ToolCall{ID: id, Name: one.Name, Args: one.Args})
			}
		}
		c.Messages = append(c.Messages, m)
	}
	return c, nil
}

// An example is a line of JSONL.
type example struct {
	ID         string           `json:"id"`
	Repository string           `json:"repository"`
	Status     string           `json:"status"`
	System     string           `json:"system,omitempty"`
	Messages   []skill.Message  `json:"messages,omitempty"`
	Tools      []skill.ToolSpec `json:"tools,omitempty"`
	Steps      []Step           `json:"steps,omitempty"` // of a run without a model, in the place of messages
}

// parseJSONL returns nil for a run without a model, which has nothing more to be checked.
func parseJSONL(line []byte) (*Conversation, error) {
	var in example
	if err := parse(line, &in); err != nil {
		return nil, err
	}
	if in.ID == "" || (len(in.Messages) > 0) == (len(in.Steps) > 0) {
		return nil, errors.New("an example has an id, and messages or steps")
	}
	if len(in.Steps) > 0 {
		return nil, nil
	}
	return &Conversation{System: in.System, Messages: in.Messages, Tools: in.Tools}, nil
}
