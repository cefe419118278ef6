package grammar

import (
	"bytes"
	"encoding/json"
)

// JSONSchema is the schema (draft 2020-12) of a workflow file, made from the tables of this package.
func JSONSchema() json.RawMessage {
	defs := object{{"steps", object{{"type", "array"}, {"minItems", 1}, {"maxItems", MaxSteps}, {"items", object{{"$ref", "#/$defs/step"}}}}}}
	kinds := []any{}
	for _, f := range stepForms {
		kinds = append(kinds, object{{"$ref", "#/$defs/" + f.kind}})
	}
	defs = append(defs, pair{"step", object{{"description", "A step has an id and does one thing."}, {"oneOf", kinds}}})
	for _, f := range stepForms {
		fields := append(append([]Field{}, stepFields...), Field{Name: f.kind, doc: f.doc, Form: f.Subject, required: true})
		s := schemaOf(mapOf(append(fields, f.Fields...)...)).(object)
		defs = append(defs, pair{f.kind, append(object{{"title", f.kind}, {"description", f.doc}}, s...)})
	}
	whole := schemaOf(mapOf(append(append([]Field{}, fileFields...), blockFields...)...)).(object)
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

// scalar is what stands for a text: YAML reads 38.331 as a number and true as a truth, and the parser takes what was written.
var scalar = []string{"string", "number", "boolean"}

func schemaOf(f *Form) any {
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
		for _, x := range f.Fields {
			s := schemaOf(x.Form)
			if o, ok := s.(object); ok {
				s = append(object{{"description", x.doc}}, o...)
			}
			props = append(props, pair{x.Name, s})
			if x.required {
				required = append(required, x.Name)
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
