package schema

import (
	"encoding/json"
	"testing"
)

const query = `{"type":"object","properties":{"query":{"type":"string","description":"what to look for"}},"required":["query"]}`

// TestFits: what does not fit is an error, and a schema that cannot be read lets everything through where the tool decides.
func TestFits(t *testing.T) {
	for _, tt := range []struct {
		schema, args   string
		fits, conforms bool
	}{
		{query, `{"query":"x"}`, true, true},
		{query, `{"query":7}`, false, false},
		{query, `{}`, false, false},
		{query, `{`, false, false},
		{`{"type":7}`, `{}`, true, false},
		{`{"$ref":"#/nowhere"}`, `{}`, true, false},
	} {
		if err := Fits(json.RawMessage(tt.schema), json.RawMessage(tt.args)); (err == nil) != tt.fits {
			t.Errorf("Fits(%s, %s) = %v", tt.schema, tt.args, err)
		}
		if err := Conforms(json.RawMessage(tt.schema), tt.args); (err == nil) != tt.conforms {
			t.Errorf("Conforms(%s, %s) = %v", tt.schema, tt.args, err)
		}
	}
	if !Accepts(json.RawMessage(query), "query") || Accepts(json.RawMessage(query), "limit") {
		t.Error("Accepts does not go by the properties")
	}
	if got, want := Describe(json.RawMessage(query)), "Arguments:\n- query (required): what to look for"; got != want {
		t.Errorf("Describe = %q, want %q", got, want)
	}
}
