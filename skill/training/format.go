package training

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill"
)

// The formats of an example, one JSON object a line.
const (
	OpenAIChat = "openai-chat" // messages with tool_calls, tools: OpenAI's chat fine-tuning
	Anthropic  = "anthropic"   // system, messages of text, tool_use and tool_result blocks, tools: the Messages API
	ShareGPT   = "sharegpt"    // conversations of {from, value}, system, tools as text, as LLaMA-Factory reads it
	JSONL      = "jsonl"       // this project's own: docs/formats.md
)

// Formats returns the names of all formats.
func Formats() []string { return []string{OpenAIChat, Anthropic, ShareGPT, JSONL} }

type object = map[string]any

// marshal leaves <, > and & as they are.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Encode returns the conversation as one line of a format, without a line end; not checked. JSONL needs more than a conversation has: an
// [Exporter] writes it.
func (c *Conversation) Encode(format string) (json.RawMessage, error) {
	var v any
	var err error
	switch format {
	case OpenAIChat:
		v, err = c.openAI()
	case Anthropic:
		v, err = c.anthropic()
	case ShareGPT:
		v, err = c.shareGPT()
	default:
		return nil, badFormat(format)
	}
	if err != nil {
		return nil, err
	}
	return marshal(v)
}

func badFormat(format string) error {
	return fmt.Errorf("format %q: must be one of %v: %w", format, Formats(), skill.ErrUnsupported)
}

func (c *Conversation) definitions(format string) ([]json.RawMessage, error) {
	var out []json.RawMessage
	for _, t := range c.Tools {
		d, err := t.Definition(format)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

func (c *Conversation) openAI() (any, error) {
	var messages []object
	if c.System != "" {
		messages = append(messages, object{"role": "system", "content": c.System})
	}
	for _, m := range c.Messages {
		switch m.From {
		case skill.FromModel:
			one := object{"role": "assistant", "content": m.Text}
			if len(m.Calls) > 0 {
				if m.Text == "" {
					one["content"] = nil
				}
				var calls []object
				for _, call := range m.Calls {
					calls = append(calls, object{"id": call.ID, "type": "function", "function": object{"name": call.Name, "arguments": string(call.Args)}})
				}
				one["tool_calls"] = calls
			}
			messages = append(messages, one)
		case skill.FromTool:
			messages = append(messages, object{"role": "tool", "tool_call_id": m.CallID, "content": m.Text})
		default:
			messages = append(messages, object{"role": "user", "content": m.Text})
		}
	}
	out := object{"messages": messages}
	if len(c.Tools) > 0 {
		tools, err := c.definitions(skill.FormatOpenAI)
		if err != nil {
			return nil, err
		}
		out["tools"] = tools
	}
	return out, nil
}

func (c *Conversation) anthropic() (any, error) {
	var messages []object
	for _, m := range c.Messages {
		role, blocks := "user", []object{}
		switch m.From {
		case skill.FromTool:
			block := object{"type": "tool_result", "tool_use_id": m.CallID, "content": m.Text}
			if m.Error {
				block["is_error"] = true
			}
			blocks = append(blocks, block)
		default:
			if m.Text != "" {
				blocks = append(blocks, object{"type": "text", "text": m.Text})
			}
			if m.From == skill.FromModel {
				role = "assistant"
				for _, call := range m.Calls {
					blocks = append(blocks, object{"type": "tool_use", "id": call.ID, "name": call.Name, "input": call.Args})
				}
			}
		}
		if n := len(messages); n > 0 && messages[n-1]["role"] == role { // results, and what the user says behind them, are one message
			messages[n-1]["content"] = append(messages[n-1]["content"].([]object), blocks...)
			continue
		}
		messages = append(messages, object{"role": role, "content": blocks})
	}
	out := object{"messages": messages}
	if c.System != "" {
		out["system"] = c.System
	}
	if len(c.Tools) > 0 {
		tools, err := c.definitions(skill.FormatAnthropic)
		if err != nil {
			return nil, err
		}
		out["tools"] = tools
	}
	return out, nil
}

// shareGPT writes calls as function_call and results as observation; several of one turn are a JSON list in one value, as the roles must
// alternate. Text beside calls stands before them, in the same value.
func (c *Conversation) shareGPT() (any, error) {
	type turn struct {
		From  string `json:"from"`
		Value string `json:"value"`
	}
	turns := []turn{}
	for i := 0; i < len(c.Messages); i++ {
		m := c.Messages[i]
		switch {
		case m.From == skill.FromModel && len(m.Calls) > 0:
			var calls []object
			for _, call := range m.Calls {
				calls = append(calls, object{"name": call.Name, "arguments": call.Args})
			}
			v, err := oneOrAll(calls)
			if err != nil {
				return nil, err
			}
			if m.Text != "" {
				v = "<think>" + m.Text + "</think>\n" + v
			}
			turns = append(turns, turn{"function_call", v})
		case m.From == skill.FromModel:
			turns = append(turns, turn{"gpt", m.Text})
		case m.From == skill.FromTool:
			var results []string
			for ; i < len(c.Messages) && c.Messages[i].From == skill.FromTool; i++ {
				results = append(results, c.Messages[i].Text)
			}
			if i < len(c.Messages) && c.Messages[i].From == skill.FromUser { // roles alternate: what the user adds stands with the results
				results = append(results, c.Messages[i].Text)
				i++
			}
			i--
			v := results[0]
			if len(results) > 1 {
				list, err := marshal(results)
				if err != nil {
					return nil, err
				}
				v = string(list)
			}
			turns = append(turns, turn{"observation", v})
		default:
			turns = append(turns, turn{"human", m.Text})
		}
	}
	tools := "[]"
	if len(c.Tools) > 0 {
		var plain []object
		for _, t := range c.Tools {
			d, err := t.Definition(skill.FormatMCP)
			if err != nil {
				return nil, err
			}
			var m map[string]json.RawMessage
			if err := json.Unmarshal(d, &m); err != nil {
				return nil, err
			}
			plain = append(plain, object{"name": t.Name, "description": t.Description, "parameters": m["inputSchema"]})
		}
		list, err := marshal(plain)
		if err != nil {
			return nil, err
		}
		tools = string(list)
	}
	return object{"conversations": turns, "system": c.System, "tools": tools}, nil
}

func oneOrAll(list []object) (string, error) {
	var v any = list
	if len(list) == 1 {
		v = list[0]
	}
	data, err := marshal(v)
	return string(data), err
}

// toolName is what both providers take for a name.
var toolName = lazyregexp.New(`^[a-zA-Z0-9_-]{1,64}$`)

// sound says what makes a conversation no example in any format; nil: nothing. Every call has its result before the next message, but
// those of the last one, which is the answer.
func (c *Conversation) sound() error {
	tools := map[string]bool{}
	for _, t := range c.Tools {
		if _, err := t.Definition(skill.FormatOpenAI); err != nil {
			return err
		}
		if !toolName.MatchString(t.Name) {
			return fmt.Errorf("tool %q: a name has 1 to 64 letters, digits, _ and -", t.Name)
		}
		tools[t.Name] = true
	}
	open, ids := []string{}, map[string]bool{}
	for i, m := range c.Messages {
		if len(open) > 0 && m.From != skill.FromTool {
			return fmt.Errorf("message %d: call %q has no result", i+1, open[0])
		}
		switch m.From {
		case skill.FromTool:
			k := slices.Index(open, m.CallID)
			if k < 0 {
				return fmt.Errorf("message %d: the result of %q, which was not called", i+1, m.CallID)
			}
			open = slices.Delete(open, k, k+1)
		case skill.FromUser, skill.FromModel:
			if i == 0 && m.From != skill.FromUser {
				return fmt.Errorf("message 1: from %s, and must be from the user", m.From)
			}
			if m.Text == "" && len(m.Calls) == 0 {
				return fmt.Errorf("message %d: it is empty", i+1)
			}
			for _, call := range m.Calls {
				switch {
				case m.From != skill.FromModel:
					return fmt.Errorf("message %d: the user calls a tool", i+1)
				case call.ID == "" || ids[call.ID]:
					return fmt.Errorf("message %d: call id %q: missing or used before", i+1, call.ID)
				case !tools[call.Name]:
					return fmt.Errorf("message %d: tool %q was not offered", i+1, call.Name)
				}
				if err := call.Check(); err != nil {
					return fmt.Errorf("message %d: %w", i+1, err)
				}
				ids[call.ID] = true
				open = append(open, call.ID)
			}
		default:
			return fmt.Errorf("message %d: from %q", i+1, m.From)
		}
	}
	if n := len(c.Messages); n == 0 || c.Messages[n-1].From != skill.FromModel {
		return fmt.Errorf("the last message is not the model's")
	}
	return nil
}
