package findspot

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/findspot/findspot/skill"
)

// newTool makes a tool of a function over a struct: the schema comes from the struct's tags, and arguments are checked
// against it before the function sees them.
func newTool[In any](name, description string, call func(context.Context, In) (*skill.Result, error)) skill.Tool {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic("findspot: input of tool " + name + ": " + err.Error()) // the structs are ours
	}
	data, err := json.Marshal(schema)
	if err != nil {
		panic("findspot: schema of tool " + name + ": " + err.Error())
	}
	return skill.Tool{
		Name: name, Description: description, Schema: data,
		Call: func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
			var in In
			if len(bytes.TrimSpace(args)) == 0 {
				args = json.RawMessage("{}")
			}
			dec := json.NewDecoder(bytes.NewReader(args))
			dec.DisallowUnknownFields()
			if err := dec.Decode(&in); err != nil {
				return nil, fmt.Errorf("%s: arguments: %s; it takes %s", name, strings.TrimPrefix(err.Error(), "json: "), describe(schema))
			}
			for _, p := range schema.Required {
				if !hasField(args, p) {
					return nil, fmt.Errorf("%s: argument %q is missing; it takes %s", name, p, describe(schema))
				}
			}
			return call(ctx, in)
		},
	}
}

func hasField(args json.RawMessage, name string) bool {
	var m map[string]json.RawMessage
	return json.Unmarshal(args, &m) == nil && m[name] != nil
}

// describe lists the arguments of a tool for an error message.
func describe(s *jsonschema.Schema) string {
	required := map[string]bool{}
	for _, r := range s.Required {
		required[r] = true
	}
	var out []string
	for _, p := range s.PropertyOrder {
		if required[p] {
			p += " (required)"
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return "no arguments"
	}
	return strings.Join(out, ", ")
}
