package grammar

import (
	"bytes"
	"encoding/json"

	"github.com/findspot/findspot/skill/internal/jsonvalue"
)

// An object is a JSON object with its members in order, for people who read the schema.
type object []pair

type pair struct {
	name  string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.name)
		if err != nil {
			return nil, err
		}
		value, err := jsonvalue.Marshal(p.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// An Input is what the schema of a run's inputs says of one of them.
type Input struct {
	Name        string
	Type        string // empty: any
	Required    bool
	Default     any
	Description string
	Line        int
}

// InputSchema is the JSON Schema of the inputs of a run.
func InputSchema(inputs []Input) any {
	props, required := object{}, []string{}
	for _, in := range inputs {
		p := object{}
		switch in.Type {
		case "list":
			p = append(p, pair{"type", "array"})
		case "":
		default:
			p = append(p, pair{"type", in.Type})
		}
		if in.Description != "" {
			p = append(p, pair{"description", in.Description})
		}
		if in.Default != nil {
			p = append(p, pair{"default", in.Default})
		}
		props = append(props, pair{in.Name, p})
		if in.Required && in.Default == nil {
			required = append(required, in.Name)
		}
	}
	out := object{{"type", "object"}, {"properties", props}}
	if len(required) > 0 {
		out = append(out, pair{"required", required})
	}
	return append(out, pair{"additionalProperties", false})
}
