package jsonvalue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// isPlain reports whether a value is made of nothing but maps, lists, texts, numbers and booleans. Values are never
// changed once they are bound, so that such a one need not be copied.
func isPlain(v any, depth int) bool {
	switch v := v.(type) {
	case nil, string, bool, int, float64:
		return true
	case []any:
		for _, el := range v {
			if depth == 0 || !isPlain(el, depth-1) {
				return false
			}
		}
		return true
	case map[string]any:
		for _, el := range v {
			if depth == 0 || !isPlain(el, depth-1) {
				return false
			}
		}
		return true
	}
	return false
}

// MaxDepth is how deep a value may be nested to be taken as it is. Deeper ones are copied through JSON, which has a limit of its own.
const MaxDepth = 32

// WholeNumbers makes whole numbers int, as YAML gives them, so that an input is the same from a program, from JSON and
// from a record. v is plain and not shared: it is changed.
func WholeNumbers(v any) any {
	switch v := v.(type) {
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int(v)
		}
	case []any:
		for i := range v {
			v[i] = WholeNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = WholeNumbers(v[k])
		}
	}
	return v
}

// Marshal is JSON without HTML escapes: the record is read by people too.
func Marshal(v any) ([]byte, error) {
	if raw, ok := v.(json.RawMessage); ok {
		v = Valid(raw)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Valid is raw itself, or a JSON text of it: what a model sent as arguments may be anything.
func Valid(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 || json.Valid(raw) {
		return raw
	}
	data, err := json.Marshal(string(raw))
	if err != nil { // cannot be: a string always is JSON
		return json.RawMessage(`""`)
	}
	return data
}

// Of brings any value with JSON tags into maps, lists, texts, numbers and booleans. A value that is so already is
// itself, not a copy.
func Of(v any) (any, error) {
	if isPlain(v, MaxDepth) {
		return v, nil
	}
	return Copy(v)
}

// Copy is Of with a copy, in which every number is a float64.
func Copy(v any) (any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	var out any
	if err := dec.Decode(&out); err != nil {
		return nil, err
	}
	return out, nil
}

// Render is a value as text, for an argument that has text around it or for a reader.
func Render(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		out := make([]string, len(v))
		for i, el := range v {
			out[i] = Render(el)
		}
		return strings.Join(out, "\n")
	case map[string]any:
		if s, ok := v["text"].(string); ok {
			return s
		}
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// Texts flattens a plain value into texts.
func Texts(v any) []string {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		var out []string
		for _, el := range v {
			out = append(out, Texts(el)...)
		}
		return out
	}
	if s := strings.TrimSpace(Render(v)); s != "" {
		return []string{s}
	}
	return nil
}
