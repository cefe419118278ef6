package skill

import (
	"bytes"
	"encoding/json"

	"github.com/findspot/findspot/skill/internal/jsonvalue"
)

// WorkflowSchema returns the JSON Schema (draft 2020-12) of a workflow file, for editors: it is made from the tables that
// the parser reads with, and docs/workflow.schema.json is a copy of it. What no schema can say, such as that a step is
// bound before it is used, is left to [ParseWorkflow] and [Lint].
func WorkflowSchema() json.RawMessage {
	defs := object{{"steps", object{{"type", "array"}, {"minItems", 1}, {"maxItems", maxSteps}, {"items", object{{"$ref", "#/$defs/step"}}}}}}
	kinds := []any{}
	for _, f := range stepForms {
		kinds = append(kinds, object{{"$ref", "#/$defs/" + string(f.kind)}})
	}
	defs = append(defs, pair{"step", object{{"description", "A step has an id and does one thing."}, {"oneOf", kinds}}})
	for _, f := range stepForms {
		fields := append(append([]field{}, stepFields...), field{name: string(f.kind), doc: f.doc, form: f.subject, required: true})
		s := schemaOf(mapOf(append(fields, f.fields...)...)).(object)
		defs = append(defs, pair{string(f.kind), append(object{{"title", string(f.kind)}, {"description", f.doc}}, s...)})
	}
	whole := schemaOf(mapOf(append(append([]field{}, fileFields...), blockFields...)...)).(object)
	out := append(object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "findspot workflow"},
		{"description", "The workflow of a skill: inputs, limits, guards and steps."},
	}, whole...)
	data, err := json.Marshal(append(out, pair{"$defs", defs}))
	if err != nil { // the tables hold texts and numbers only
		panic(err)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		panic(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// An object is a JSON object with its members in order, for people read the schema.
type object []pair

type pair struct {
	name  string
	value any
}

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

// scalar is what stands for a text: YAML reads 38.331 as a number and true as a truth, and the parser takes what was written.
var scalar = []string{"string", "number", "boolean"}

func schemaOf(f *form) any {
	switch f.kind {
	case formText:
		if len(f.enum) > 0 {
			return object{{"enum", f.enum}}
		}
		return object{{"type", scalar}}
	case formTexts:
		if len(f.enum) > 0 {
			return object{{"anyOf", []any{object{{"enum", f.enum}}, object{{"type", "array"}, {"items", object{{"enum", f.enum}}}}}}}
		}
		return object{{"type", append([]string{"array"}, scalar...)}, {"items", object{{"type", scalar}}}}
	case formNumber:
		return object{{"type", "integer"}, {"minimum", f.lo}, {"maximum", f.hi}}
	case formBool:
		return object{{"type", "boolean"}}
	case formDuration:
		return object{{"type", "string"}, {"pattern", `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`}}
	case formObject:
		return object{{"type", "object"}}
	case formMap:
		props, required := object{}, []string{}
		for _, x := range f.fields {
			s := schemaOf(x.form)
			if o, ok := s.(object); ok {
				s = append(object{{"description", x.doc}}, o...)
			}
			props = append(props, pair{x.name, s})
			if x.required {
				required = append(required, x.name)
			}
		}
		out := object{{"type", "object"}, {"properties", props}, {"additionalProperties", false}}
		if len(required) > 0 {
			out = append(out, pair{"required", required})
		}
		return out
	case formDict:
		return object{{"type", "object"}, {"additionalProperties", schemaOf(f.of)}}
	case formList:
		return object{{"type", "array"}, {"items", schemaOf(f.of)}}
	case formSteps:
		return object{{"$ref", "#/$defs/steps"}}
	case formEither:
		any := []any{}
		for _, x := range f.any {
			any = append(any, schemaOf(x))
		}
		return object{{"anyOf", any}}
	}
	return object{}
}
