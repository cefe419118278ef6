package skill_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
)

func TestDefinition(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"q":{"type":"string","description":"a <word>"}},"required":["q"],"additionalProperties":false}`)
	tool := skill.Tool{Name: "find", Description: "Finds.", Guidance: "Ask it first.", Schema: schema}
	writer := tool
	writer.Writes = true
	indexer, closed, both := tool, tool, writer
	indexer.Changes, closed.Offline, both.Changes = true, true, true
	bare := skill.Tool{Name: "bare"}
	for _, tt := range []struct {
		tool   skill.Tool
		format string
		want   string
	}{
		{tool, skill.FormatAnthropic, `{"name":"find","description":"Finds. Ask it first.","input_schema":` + string(schema) + `}`},
		{tool, skill.FormatOpenAI, `{"type":"function","function":{"name":"find","description":"Finds. Ask it first.","parameters":` + string(schema) + `,"strict":false}}`},
		{tool, skill.FormatMCP, `{"name":"find","description":"Finds. Ask it first.","inputSchema":` + string(schema) + `,"annotations":{"readOnlyHint":true}}`},
		{writer, skill.FormatMCP, `{"name":"find","description":"Finds. Ask it first.","inputSchema":` + string(schema) + `,"annotations":{"readOnlyHint":false}}`},
		{both, skill.FormatMCP, `{"name":"find","description":"Finds. Ask it first.","inputSchema":` + string(schema) + `,"annotations":{"readOnlyHint":false}}`},
		{indexer, skill.FormatMCP, `{"name":"find","description":"Finds. Ask it first.","inputSchema":` + string(schema) + `,"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true}}`},
		{closed, skill.FormatMCP, `{"name":"find","description":"Finds. Ask it first.","inputSchema":` + string(schema) + `,"annotations":{"readOnlyHint":true,"openWorldHint":false}}`},
		{bare, skill.FormatAnthropic, `{"name":"bare","description":"","input_schema":{"type":"object","properties":{}}}`},
	} {
		got, err := tt.tool.Definition(tt.format)
		if err != nil {
			t.Errorf("Definition(%s): %v", tt.format, err)
		}
		if diff := cmp.Diff(tt.want, string(got)); diff != "" {
			t.Errorf("Definition(%s) (-want +got):\n%s", tt.format, diff)
		}
	}
	if _, err := tool.Definition("xml"); err == nil || !strings.Contains(err.Error(), "anthropic") {
		t.Errorf("Definition(xml) = %v, want an error with the forms there are", err)
	}
	for _, bad := range []string{`[]`, `null`, `{"type":"array"}`, `{`} {
		x := skill.Tool{Name: "x", Schema: json.RawMessage(bad)}
		if _, err := x.Definition(skill.FormatOpenAI); !errors.Is(err, skill.ErrFormat) {
			t.Errorf("Definition of schema %s = %v, want ErrFormat", bad, err)
		}
		if err := skill.WriteDefinitions(&strings.Builder{}, []skill.Tool{x}, skill.FormatMarkdown); !errors.Is(err, skill.ErrFormat) {
			t.Errorf("WriteDefinitions of schema %s = %v, want ErrFormat", bad, err)
		}
	}
}

func TestWriteDefinitions(t *testing.T) {
	tools := []skill.Tool{
		{Name: "find", Description: "Finds.", Guidance: "Ask it first.", Schema: json.RawMessage(
			`{"type":"object","properties":{"z":{"type":"string","description":"a|b"},"a":{"type":"array","items":{"type":"integer"}}},"required":["z"]}`)},
		{Name: "seek", Description: "Seeks.", AliasOf: "find", Writes: true},
		{Name: "keep", Description: "Keeps.", Changes: true},
	}
	var b strings.Builder
	if err := skill.WriteDefinitions(&b, tools, skill.FormatMarkdown); err != nil {
		t.Fatal(err)
	}
	want := "## find\n\nFinds.\n\nAsk it first.\n\n| argument | type | |\n|---|---|---|\n| `z` | string, required | a\\|b |\n| `a` | list of integer |  |\n\n" +
		"## seek\n\nAnother name of `find`, with the arguments of other systems. Seeks.\n\nIt changes something outside of the run: guards hold for it by default.\n\n" +
		"## keep\n\nKeeps.\n\nIt may change what answers are made from, such as an index.\n\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("Markdown (-want +got):\n%s", diff)
	}
	for _, format := range []string{skill.FormatAnthropic, skill.FormatOpenAI, skill.FormatMCP} {
		b.Reset()
		if err := skill.WriteDefinitions(&b, tools, format); err != nil {
			t.Fatal(err)
		}
		var list []json.RawMessage
		if err := json.Unmarshal([]byte(b.String()), &list); err != nil || len(list) != 3 {
			t.Errorf("%s: %d definitions, %v, in %s", format, len(list), err, b.String())
		}
	}
}

// TestScopes makes sure that what tools remember in one run is not seen in another.
func TestScopes(t *testing.T) {
	type key struct{}
	memory := skill.Tool{Name: "memory", Call: func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
		s := skill.ScopeOf(ctx)
		before := s.Load(key{})
		s.Store(key{}, string(args))
		return &skill.Result{Text: fmt.Sprint(before)}, nil
	}}
	s := parse(t, "steps:\n  - id: a\n    call: memory\n")
	r := runner.New(nil, []skill.Tool{memory}, nil)
	var runs []*runner.Run
	for range 2 {
		run, err := r.Start(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, run)
	}
	for i, want := range []string{"<nil>", "<nil>", `"0"`, `"1"`} {
		res, err := runs[i%2].Call(t.Context(), "memory", json.RawMessage(fmt.Sprintf("%q", fmt.Sprint(i))))
		if err != nil || res.Text != want {
			t.Errorf("call %d = %v, %v, want %s", i, res, err, want)
		}
	}
	if skill.ScopeOf(t.Context()) != nil {
		t.Error("a context of nobody has a scope")
	}
}

// TestUnattendedNow tells an approval that nobody can give from one that failed.
func TestUnattendedNow(t *testing.T) {
	s := parse(t, "steps:\n  - id: ok\n    approve: go on\n    choices: [approve, stop]\n    unattended: approve\n")
	for _, tt := range []struct {
		err  error
		want string
	}{{fmt.Errorf("the client cannot ask: %w", runner.ErrUnattended), skill.StatusDone}, {errors.New("broken"), skill.StatusStopped}} {
		r := runner.New(nil, nil, &runner.Options{TrustDigests: []string{s.Digest}, Approve: func(context.Context, runner.Approval) (string, error) { return "", tt.err }})
		if out := mustRun(t, r, s, nil); out.Status != tt.want {
			t.Errorf("Approve fails with %v: %s, %s, want %s", tt.err, out.Status, out.Reason, tt.want)
		}
	}
}
