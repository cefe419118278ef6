package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/internal/message"
	"github.com/google/jsonschema-go/jsonschema"
)

// Conforms checks a JSON text against a JSON Schema.
func Conforms(schema json.RawMessage, answer string) error {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	rs, err := s.Resolve(nil)
	if err != nil {
		return fmt.Errorf("schema: %w", err)
	}
	var v any
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		return fmt.Errorf("the answer is not JSON: %w", err)
	}
	return rs.Validate(v)
}

// Fits checks arguments against a tool's schema. A schema that cannot be read lets everything through: the tool decides.
func Fits(schema, args json.RawMessage) error {
	var s jsonschema.Schema
	if len(schema) == 0 || json.Unmarshal(schema, &s) != nil {
		return nil
	}
	rs, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(args, &v); err != nil {
		return err
	}
	return rs.Validate(v)
}

// Accepts reports whether a schema has a property of that name, or says nothing of properties.
func Accepts(schema json.RawMessage, name string) bool {
	var s jsonschema.Schema
	if len(schema) == 0 || json.Unmarshal(schema, &s) != nil {
		return false
	}
	return s.Properties[name] != nil
}

// Describe lists the arguments of a schema in its own words.
func Describe(schema json.RawMessage) string {
	var s jsonschema.Schema
	if json.Unmarshal(schema, &s) != nil || len(s.Properties) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("Arguments:")
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		req := ""
		if slices.Contains(s.Required, name) {
			req = " (required)"
		}
		fmt.Fprintf(&b, "\n- %s%s: %s", name, req, message.Clip(s.Properties[name].Description, 300))
	}
	return b.String()
}
