package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
)

// maxSchemaDepth bounds the nesting of a schema.
const maxSchemaDepth = 64

// A Schema is the schema of an answer as providers want it: that of an object.
type Schema struct {
	Map     map[string]any
	wrapped bool
}

// wrapKey holds an answer that is no object.
const wrapKey = "answer"

// NewSchema reads the schema of an answer. As providers want an object at the top, any other value is asked for as the
// one property of one.
func NewSchema(raw json.RawMessage) (*Schema, error) {
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil || m == nil {
		return nil, &skill.ModelError{Fault: skill.FaultInvalid, Text: "the schema of the answer is not a JSON object"}
	}
	if depth(m, 0) > maxSchemaDepth {
		return nil, &skill.ModelError{Fault: skill.FaultInvalid, Text: fmt.Sprintf("the schema of the answer is nested over %d deep", maxSchemaDepth)}
	}
	delete(m, "$schema")
	if m["type"] == "object" {
		return &Schema{Map: m}, nil
	}
	outer := map[string]any{"type": "object", "required": []any{wrapKey}, "additionalProperties": false}
	for _, k := range []string{"$defs", "definitions"} { // references are from the top
		if v, ok := m[k]; ok {
			outer[k] = v
			delete(m, k)
		}
	}
	outer["properties"] = map[string]any{wrapKey: m}
	return &Schema{Map: outer, wrapped: true}, nil
}

// Value takes out of the model's text what the caller's schema describes. A text that is not as asked for is returned as
// it is: the caller checks it.
func (s *Schema) Value(text string) string {
	text = unfence(text)
	if !s.wrapped {
		return text
	}
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &m) != nil || len(m) != 1 || m[wrapKey] == nil {
		return text
	}
	return string(m[wrapKey])
}

// unfence takes the one code fence away that models put around JSON when they are only told a schema.
func unfence(text string) string {
	t := strings.TrimSpace(text)
	if !strings.HasPrefix(t, "```") || !strings.HasSuffix(t, "```") || strings.Count(t, "```") != 2 {
		return text
	}
	first, rest, ok := strings.Cut(strings.TrimSuffix(t, "```"), "\n")
	if !ok || strings.ContainsAny(first, " {[\"") {
		return text
	}
	return strings.TrimSpace(rest)
}

// Strict reports whether a schema keeps to what OpenAI's strict mode takes: every object closed and all its properties
// required, and none of the keywords that it does not know.
func (s *Schema) Strict() bool { return strict(s.Map) }

var strictKeys = []string{
	"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "description", "title", "$ref", "$defs",
}

func strict(v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for k := range m {
		if !slices.Contains(strictKeys, k) {
			return false
		}
	}
	props, _ := m["properties"].(map[string]any)
	if m["type"] == "object" {
		required, _ := m["required"].([]any)
		if m["additionalProperties"] != false || len(required) != len(props) {
			return false
		}
		for _, r := range required {
			if name, ok := r.(string); !ok || props[name] == nil {
				return false
			}
		}
	}
	inner := slices.Collect(maps.Values(props))
	if defs, ok := m["$defs"].(map[string]any); ok {
		inner = slices.AppendSeq(inner, maps.Values(defs))
	}
	if list, ok := m["anyOf"].([]any); ok {
		inner = append(inner, list...)
	}
	if items, ok := m["items"]; ok {
		inner = append(inner, items)
	}
	return !slices.ContainsFunc(inner, func(v any) bool { return !strict(v) })
}

func depth(v any, at int) int {
	most := at
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			most = max(most, depth(e, at+1))
		}
	case []any:
		for _, e := range v {
			most = max(most, depth(e, at+1))
		}
	}
	return most
}

// Object is a tool's schema as a map; nil or empty is that of an object without properties.
func Object(raw json.RawMessage) (map[string]any, error) {
	if len(raw) == 0 {
		return map[string]any{"type": "object", "properties": map[string]any{}}, nil
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil || m == nil {
		return nil, &skill.ModelError{Fault: skill.FaultInvalid, Text: "a tool's schema is not a JSON object"}
	}
	if depth(m, 0) > maxSchemaDepth {
		return nil, &skill.ModelError{Fault: skill.FaultInvalid, Text: fmt.Sprintf("a tool's schema is nested over %d deep", maxSchemaDepth)}
	}
	delete(m, "$schema")
	if m["type"] == nil {
		m["type"] = "object"
	}
	if m["properties"] == nil {
		m["properties"] = map[string]any{}
	}
	return m, nil
}
