package skill

import (
	"encoding/json"
	"fmt"
)

// Check returns a [*ModelError] with the fault invalid when no provider would take the request: a call without a result
// before the next message, a result without a call, two calls with one id, arguments or a schema that are no JSON, a
// message from nobody known, a choice among tools that are not there.
func (r *Request) Check() error {
	wrong := func(format string, args ...any) error {
		return &ModelError{Fault: FaultInvalid, Text: "the request: " + fmt.Sprintf(format, args...)}
	}
	if len(r.Messages) == 0 {
		return wrong("it has no message")
	}
	seen := map[string]bool{}
	open := map[string]bool{} // calls without a result
	for i, m := range r.Messages {
		if m.From != FromTool && len(open) > 0 {
			return wrong("%d calls of the message before message %d have no result", len(open), i+1)
		}
		switch m.From {
		case FromUser:
		case FromModel:
			if i == 0 {
				return wrong("its first message is from the model")
			}
			for _, c := range m.Calls {
				if c.ID == "" || c.Name == "" {
					return wrong("a call in message %d has no id or no name", i+1)
				}
				if seen[c.ID] {
					return wrong("two calls have the id %q", c.ID)
				}
				if !json.Valid(c.Args) {
					return wrong("the arguments of call %q are not JSON", c.ID)
				}
				seen[c.ID], open[c.ID] = true, true
			}
		case FromTool:
			if !open[m.CallID] {
				return wrong("message %d is a result of call %q, which is not open", i+1, m.CallID)
			}
			delete(open, m.CallID)
		default:
			return wrong("message %d is from %q", i+1, m.From)
		}
	}
	if len(open) > 0 {
		return wrong("%d calls have no result", len(open))
	}
	names := map[string]bool{}
	for _, t := range r.Tools {
		if t.Name == "" || names[t.Name] {
			return wrong("a tool has no name, or that of another: %q", t.Name)
		}
		names[t.Name] = true
		var schema map[string]json.RawMessage
		if len(t.Schema) > 0 && json.Unmarshal(t.Schema, &schema) != nil {
			return wrong("the schema of tool %s is not a JSON object", t.Name)
		}
	}
	switch r.Choice {
	case "", ToolsNone:
	case ToolsAny:
		if len(r.Tools) == 0 {
			return wrong("a tool must be called, and there is none")
		}
	default:
		if !names[r.Choice] {
			return wrong("the tool %q must be called, and it is not there", r.Choice)
		}
	}
	var schema map[string]json.RawMessage
	if len(r.Schema) > 0 && json.Unmarshal(r.Schema, &schema) != nil {
		return wrong("the schema of the answer is not a JSON object")
	}
	return nil
}
