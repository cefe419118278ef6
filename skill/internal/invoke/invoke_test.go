package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/bounded"
)

// TestTool: what a tool may do wrong is an error of the call.
func TestTool(t *testing.T) {
	for name, tt := range map[string]struct {
		call func(context.Context, json.RawMessage) (*skill.Result, error)
		args string
		want string
	}{
		"panics":    {func(context.Context, json.RawMessage) (*skill.Result, error) { panic("no") }, "{}", "tool it: panic: no"},
		"nothing":   {func(context.Context, json.RawMessage) (*skill.Result, error) { return nil, nil }, "{}", "returned nothing"},
		"arguments": {nil, "{", "not JSON"},
	} {
		_, err := Tool(t.Context(), skill.Tool{Name: "it", Call: tt.call}, json.RawMessage(tt.args), bounded.Grace)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// TestCleanResult: a result is a bounded copy that JSON can say.
func TestCleanResult(t *testing.T) {
	in := &skill.Result{Text: "a\xff", Data: struct {
		N int `json:"n"`
	}{7}, Items: []evidence.Item{{Text: "b\xff", Score: math.NaN()}}}
	out, err := CleanResult("search_entity", json.RawMessage(`{"query":"x"}`), in)
	if err != nil {
		t.Fatal(err)
	}
	if it := out.Items[0]; out.Text != "a\ufffd" || it.Text != "b\ufffd" || it.Score != 0 || it.Via != "search_entity" {
		t.Errorf("CleanResult = %+v", out)
	}
	if in.Items[0].Via != "" {
		t.Error("the tool's own result was changed")
	}
	if m, ok := out.Data.(map[string]any); !ok || m["n"] != 7.0 {
		t.Errorf("data = %#v", out.Data)
	}
	if len(out.Searched) != 1 || out.Searched[0].Query != "x" || out.Searched[0].Fresh {
		t.Errorf("searched = %+v, want one that is not stated to be fresh", out.Searched)
	}
	_, err = CleanResult("it", nil, &skill.Result{Text: strings.Repeat("x", maxResult+1)})
	if !errors.Is(err, skill.ErrTooLarge) {
		t.Errorf("a result that is too large gave %v", err)
	}
}

// TestAfterTool: a hook drops and cuts, and cannot add.
func TestAfterTool(t *testing.T) {
	res := &skill.Result{Text: "0123456789", Structured: "0123456789", Items: []evidence.Item{{Key: "D1", Text: "a"}, {Key: "D2", Text: "b"}}}
	hook := func(a skill.After) []*skill.Hooks {
		return []*skill.Hooks{nil, {AfterTool: func(_ context.Context, _ skill.HookCall, r *skill.Result) (skill.After, error) {
			r.Text = "changed" // of a copy
			return a, nil
		}}}
	}
	out, err := AfterTool(t.Context(), hook(skill.After{MaxRunes: 4}), bounded.Grace, skill.HookCall{Tool: "it"}, res)
	if err != nil || out.Text != "0123" || out.Structured != nil || out.Trimmed.Runes != 6 || res.Text != "0123456789" {
		t.Errorf("AfterTool = %+v, %v", out, err)
	}
	out, err = AfterTool(t.Context(), hook(skill.After{Drop: []int{0}}), bounded.Grace, skill.HookCall{Tool: "it"}, res)
	if err != nil || len(out.Items) != 1 || out.Items[0].Key != "D2" || out.Structured != nil || strings.Contains(out.Text, "[D1]") || len(res.Items) != 2 {
		t.Errorf("AfterTool = %+v, %v", out, err)
	}
	if out, err = AfterTool(t.Context(), hook(skill.After{Notes: []string{"seen"}}), bounded.Grace, skill.HookCall{Tool: "it"}, res); err != nil || out.Structured == nil {
		t.Errorf("AfterTool = %+v, %v: a note takes nothing away", out, err)
	}
	if _, err := AfterTool(t.Context(), hook(skill.After{Drop: []int{2}}), bounded.Grace, skill.HookCall{Tool: "it"}, res); err == nil {
		t.Error("an item that is not there was dropped")
	}
}
