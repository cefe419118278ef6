package claude

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What the API's schemas know, by https://platform.claude.com/docs/en/build-with-claude/structured-outputs (JSON Schema limitations).
var (
	schemaWords = []string{
		"$defs", "type", "anyOf", "allOf", "description", "title", "enum", "const", "properties", "additionalProperties", "required", "items",
		"minItems", "format", "pattern",
	}
	stringFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)

// fit makes of a JSON Schema one that the API takes, with all that the model should know of it: objects are closed, oneOf
// becomes anyOf, and what the API does not know is said in the description. A schema without a type, a choice or a value to be
// becomes nil where it is an object, since the API takes none that anything meets; true and false stay. The given schema is not changed.
func fit(schema any) any {
	in, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	if ref, ok := in["$ref"].(string); ok && ref != "" { // nothing may stand beside it
		return map[string]any{"$ref": ref}
	}
	out, rest := map[string]any{}, map[string]any{}
	for word, v := range in {
		switch {
		case slices.Contains(schemaWords, word):
			out[word] = v
		case word != "oneOf":
			rest[word] = v
		}
	}
	fitAll(out, "$defs", false)
	if list, ok := in["oneOf"].([]any); ok && len(list) > 0 && empty(out["anyOf"]) {
		out["anyOf"] = list
	}
	fitAll(out, "anyOf", true)
	fitAll(out, "allOf", false)
	if out["type"] == nil && empty(out["anyOf"]) && empty(out["allOf"]) && empty(out["enum"]) && out["const"] == nil {
		return nil
	}
	switch out["type"] {
	case "object":
		fitObject(out)
	case "string":
		if f, ok := out["format"].(string); ok && !slices.Contains(stringFormats, f) {
			rest["format"] = f
			delete(out, "format")
		}
	case "array":
		if items, ok := out["items"]; ok {
			out["items"] = orAnything(fit(items))
		}
		if n, ok := out["minItems"].(float64); ok && n != 0 && n != 1 {
			rest["minItems"] = n
			delete(out, "minItems")
		}
	}
	describe(out, rest)
	return out
}

// fitObject closes an object, unless it has no properties of its own but a schema for those of any name.
func fitObject(out map[string]any) {
	switch more, has := out["additionalProperties"]; {
	case out["properties"] != nil:
		fitAll(out, "properties", false)
		out["additionalProperties"] = false
	case has:
		out["additionalProperties"] = orAnything(fit(more))
	default:
		out["properties"], out["additionalProperties"] = map[string]any{}, false
	}
}

// fitAll fits the schemas in a list or a map of them. drop leaves out those of a list that the API does not take.
func fitAll(out map[string]any, word string, drop bool) {
	switch v := out[word].(type) {
	case []any:
		var list []any
		for _, one := range v {
			if f := fit(one); f != nil || !drop {
				list = append(list, orAnything(f))
			}
		}
		if out[word] = list; len(list) == 0 {
			delete(out, word)
		}
	case map[string]any:
		m := make(map[string]any, len(v))
		for name, one := range v {
			m[name] = orAnything(fit(one))
		}
		out[word] = m
	}
}

// orAnything is the schema that anything meets where there is none.
func orAnything(schema any) any {
	if schema == nil {
		return true
	}
	return schema
}

func empty(v any) bool {
	list, ok := v.([]any)
	return !ok || len(list) == 0
}

// describe says in a schema's description what the schema cannot.
func describe(out, rest map[string]any) {
	if len(rest) == 0 {
		return
	}
	var parts []string
	for _, word := range slices.Sorted(maps.Keys(rest)) {
		text, ok := rest[word].(string)
		if !ok {
			raw, err := json.Marshal(rest[word])
			if err != nil { // it came out of JSON
				continue
			}
			text = string(raw)
		}
		parts = append(parts, fmt.Sprintf("%s: %s", word, text))
	}
	text := "{" + strings.Join(parts, ", ") + "}"
	if before, ok := out["description"].(string); ok && before != "" {
		text = before + "\n\n" + text
	}
	out["description"] = text
}
