package toolset

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/findspot/findspot/skill"
)

func call(context.Context, json.RawMessage) (*skill.Result, error) { return nil, nil }

// TestSet: a tool is asked for by all of its names.
func TestSet(t *testing.T) {
	set, err := New([]skill.Tool{{Name: "write_file", Writes: true, Call: call}, {Name: "save", AliasOf: "write_file", Call: call}, {Name: "run_command", Call: call}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what      string
		got, want bool
	}{
		{"the alias writes", set.Writes("save"), true},
		{"a reading tool writes", set.Writes("run_command"), false},
		{"a list of the alias names the tool", set.Lists([]string{"save"}, "write_file"), true},
		{"a pattern over the alias names the tool", set.Lists([]string{"sa*"}, "write_file"), true},
		{"a list names another tool", set.Lists([]string{"save"}, "run_command"), false},
		{"a rule allows its command", set.Allows([]string{"run_command(rg:*)"}, "run_command", json.RawMessage(`{"command":"rg x"}`)), true},
		{"a rule allows another command", set.Allows([]string{"run_command(rg:*)"}, "run_command", json.RawMessage(`{"command":"rm x"}`)), false},
		{"a rule allows the tool as such", set.Allows([]string{"run_command(rg:*)"}, "run_command", nil), true},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", tt.what, tt.got, tt.want)
		}
	}
	if got := set.Canonical("save"); got != "write_file" {
		t.Errorf("Canonical(save) = %s", got)
	}
	for name, tools := range map[string][]skill.Tool{
		"no function":          {{Name: "a"}},
		"twice":                {{Name: "a", Call: call}, {Name: "a", Call: call}},
		"an alias of nothing":  {{Name: "a", AliasOf: "b", Call: call}},
		"an alias of an alias": {{Name: "a", Call: call}, {Name: "b", AliasOf: "a", Call: call}, {Name: "c", AliasOf: "b", Call: call}},
	} {
		if _, err := New(tools); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
