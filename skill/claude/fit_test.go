package claude

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFit(t *testing.T) {
	for _, tt := range []struct{ name, schema, want string }{
		{"an object is closed", `{"type":"object","properties":{"a":{"type":"string"}}}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`},
		{"an object of which nothing is said", `{"type":"object"}`, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"an object with names of any kind", `{"type":"object","additionalProperties":{"type":"number","maximum":3}}`,
			`{"type":"object","additionalProperties":{"type":"number","description":"{maximum: 3}"}}`},
		{"nothing beside a reference", `{"type":"array","items":{"$ref":"#/$defs/x","description":"y"},"$defs":{"x":{"type":"object"}}}`,
			`{"type":"array","items":{"$ref":"#/$defs/x"},"$defs":{"x":{"type":"object","properties":{},"additionalProperties":false}}}`},
		{"one of several", `{"oneOf":[{"type":"string"},{"type":"integer","minimum":2},{},{"description":"anything"}]}`,
			`{"anyOf":[{"type":"string"},{"type":"integer","description":"{minimum: 2}"}]}`},
		{"all of several", `{"allOf":[{"type":"string"},{"description":"anything"}]}`, `{"allOf":[{"type":"string"},true]}`},
		{"what is not known is said", `{"type":"string","pattern":"^a","description":"A word.","maxLength":7,"default":"ab","examples":["a",{"b":1}]}`,
			`{"type":"string","pattern":"^a","description":"A word.\n\n{default: ab, examples: [\"a\",{\"b\":1}], maxLength: 7}"}`},
		{"forms of strings", `{"type":"array","items":{"anyOf":[{"type":"string","format":"uri"},{"type":"string","format":"regex"}]}}`,
			`{"type":"array","items":{"anyOf":[{"type":"string","format":"uri"},{"type":"string","description":"{format: regex}"}]}}`},
		{"many elements", `{"type":"array","minItems":3,"maxItems":9}`, `{"type":"array","description":"{maxItems: 9, minItems: 3}"}`},
		{"one element", `{"type":"array","minItems":1}`, `{"type":"array","minItems":1}`},
		{"one of several types", `{"type":["string","null"]}`, `{"type":["string","null"]}`},
		{"values", `{"type":"object","properties":{"a":true,"b":{},"c":{"enum":["x",1,null]},"d":{"const":"q"}}}`,
			`{"type":"object","properties":{"a":true,"b":true,"c":{"enum":["x",1,null]},"d":{"const":"q"}},"additionalProperties":false}`},
		{"anything", `{"description":"anything"}`, `null`},
	} {
		var in, before, want any
		for v, raw := range map[*any]string{&in: tt.schema, &before: tt.schema, &want: tt.want} {
			if err := json.Unmarshal([]byte(raw), v); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
		}
		if diff := cmp.Diff(want, fit(in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(before, in); diff != "" {
			t.Errorf("%s: the schema was changed (-before +after):\n%s", tt.name, diff)
		}
	}
}
