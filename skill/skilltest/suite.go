package skilltest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
)

// TestModel is the conformance suite for models. start returns a model that answers with the turns in order, makes no second
// try, and stops when t does. Models behind a protocol are tested over it: with [NewAnthropicServer] or [NewOpenAIServer].
func TestModel(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	for name, run := range map[string]func(*testing.T, func(t *testing.T, turns ...Turn) skill.Model){
		"text": testText, "calls": testCalls, "conversation": testConversation, "bad arguments": testBadArguments, "stops": testStops,
		"errors": testErrors, "broken": testBroken, "context": testContext, "reader leaves": testLeave, "parallel": testParallel, "refused requests": testRefused,
		"schema": testSchema, "names": testNames,
	} {
		t.Run(name, func(t *testing.T) { run(t, start) })
	}
}

func ask(text string) *skill.Request {
	return &skill.Request{Role: skill.RoleWorker, Messages: []skill.Message{{From: skill.FromUser, Text: text}}}
}

var lookTool = []skill.ToolSpec{
	{Name: "look", Description: "looks", Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)},
	{Name: "list", Description: "lists"},
}

// deltas reads an answer and checks the order of its pieces.
func deltas(t *testing.T, m skill.Model, req *skill.Request) []*skill.Delta {
	t.Helper()
	before, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	var out []*skill.Delta
	for d, err := range m.Generate(t.Context(), req) {
		if err != nil {
			t.Fatalf("Generate: %v", err)
		}
		if n := len(out); n > 0 && out[n-1].Stop != "" {
			t.Errorf("a piece came after the last one: %+v", d)
		}
		out = append(out, d)
	}
	if n := len(out); n == 0 || out[n-1].Stop == "" {
		t.Error("the last piece has no Stop")
	}
	if after, _ := json.Marshal(req); string(after) != string(before) { // it was marshalled before
		t.Errorf("the request was changed (-before +after):\n%s", cmp.Diff(string(before), string(after)))
	}
	return out
}

func testText(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	const text = "The PSS has length 127 [D1]. Größe: 3 µs — \"quoted\" \\ and 漢字 🛰️.\n\n\tA second line.\u2028"
	m := start(t, Turn{Text: text, Usage: skill.Usage{Input: 120, Output: 17, Cached: 100}}, Turn{})
	var got strings.Builder
	pieces := 0
	list := deltas(t, m, ask("How long is the PSS?"))
	for _, d := range list {
		if d.Text != "" {
			pieces++
		}
		got.WriteString(d.Text)
	}
	if got.String() != text {
		t.Errorf("text: (-want +got)\n%s", cmp.Diff(text, got.String()))
	}
	if pieces < 3 {
		t.Errorf("the text came in %d pieces; it is to be streamed", pieces)
	}
	last := list[len(list)-1]
	if last.Stop != skill.StopEnd || last.Usage == nil || *last.Usage != (skill.Usage{Input: 120, Output: 17, Cached: 100}) || last.Model == "" {
		t.Errorf("the last piece is %+v (usage %+v)", last, last.Usage)
	}
	reply, err := skill.Collect(m.Generate(t.Context(), ask("and now nothing")))
	if err != nil || reply.Text != "" || reply.Stop != skill.StopEnd {
		t.Errorf("an empty answer: %+v, %v", reply, err)
	}
}

func testCalls(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	m := start(t, Turn{Text: "I look twice.", Calls: []skill.ToolCall{
		{ID: "a", Name: "look", Args: json.RawMessage(`{"query":"PSS \"127\" é"}`)},
		{ID: "b", Name: "look", Args: json.RawMessage(`{"query":"SSS"}`)},
		{ID: "b", Name: "list", Args: json.RawMessage(``)},
	}})
	req := ask("q")
	req.Tools = lookTool
	reply, err := skill.Collect(m.Generate(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`look {"query":"PSS \"127\" é"}`, `look {"query":"SSS"}`, `list {}`}
	var got []string
	ids := map[string]bool{}
	for _, c := range reply.Calls {
		got = append(got, c.Name+" "+string(c.Args))
		if c.ID == "" || ids[c.ID] {
			t.Errorf("the id %q is empty or used twice", c.ID)
		}
		ids[c.ID] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	if reply.Text != "I look twice." || reply.Stop != skill.StopTools {
		t.Errorf("text %q, stop %q", reply.Text, reply.Stop)
	}
}

func testConversation(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	m := start(t, Calls("look", `{"query":"a"}`), Calls("look", `{"query":"b"}`), Says("Done [D1]."))
	req := ask("q")
	req.System, req.Tools = "You look things up.", lookTool
	for turn := range 3 {
		reply, err := skill.Collect(m.Generate(t.Context(), req))
		if err != nil {
			t.Fatalf("turn %d: %v", turn, err)
		}
		req.Messages = append(req.Messages, reply.Message())
		for _, c := range reply.Calls {
			req.Messages = append(req.Messages, skill.Message{From: skill.FromTool, CallID: c.ID, Text: "", Error: turn == 1})
		}
		if turn == 2 && reply.Text != "Done [D1]." {
			t.Errorf("the answer is %q", reply.Text)
		}
	}
	ids := map[string]bool{}
	for _, msg := range req.Messages {
		for _, c := range msg.Calls {
			if ids[c.ID] {
				t.Errorf("two calls of the conversation have the id %q", c.ID)
			}
			ids[c.ID] = true
		}
	}
}

func testBadArguments(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	for _, args := range []string{`{"query": "a`, `look for it`, `["a"]`, `{"a":1}{"b":2}`, `null`} {
		m := start(t, Calls("look", args), Says("I see."))
		req := ask("q")
		req.Tools = lookTool
		reply, err := skill.Collect(m.Generate(t.Context(), req))
		if err != nil || len(reply.Calls) != 1 {
			t.Errorf("arguments %s: %+v, %v", args, reply, err)
			continue
		}
		c := reply.Calls[0]
		if !json.Valid(c.Args) || c.Check() == nil {
			t.Errorf("arguments %s are taken for %s", args, c.Args)
		}
		req.Messages = append(req.Messages, reply.Message(), skill.Message{From: skill.FromTool, CallID: c.ID, Text: c.Check().Error(), Error: true})
		if reply, err := skill.Collect(m.Generate(t.Context(), req)); err != nil || reply.Text != "I see." {
			t.Errorf("after the arguments %s: %+v, %v", args, reply, err)
		}
	}
}

func testStops(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	m := start(t, Turn{Text: "cut o", Stop: skill.StopLength}, Turn{Text: "I will not.", Stop: skill.StopRefusal})
	for _, want := range []string{skill.FaultCutOff, skill.FaultRefused} {
		reply, err := skill.Collect(m.Generate(t.Context(), ask("q")))
		if err != nil {
			t.Fatal(err)
		}
		var e *skill.ModelError
		if !errors.As(reply.Err(), &e) || e.Fault != want {
			t.Errorf("stop %q: Err() = %v, want the fault %s", reply.Stop, reply.Err(), want)
		}
	}
}

func testErrors(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	for _, fault := range []string{
		skill.FaultRateLimit, skill.FaultOverloaded, skill.FaultTimeout, skill.FaultAuth, skill.FaultQuota, skill.FaultNotFound,
		skill.FaultTooLong, skill.FaultInvalid,
	} {
		said := &skill.ModelError{Fault: fault, Text: "because", After: 90 * time.Second}
		m := start(t, Turn{Err: said})
		var list []*skill.Delta
		var errs []error
		for d, err := range m.Generate(t.Context(), ask("q")) {
			if err != nil {
				errs = append(errs, err)
			} else {
				list = append(list, d)
			}
		}
		var e *skill.ModelError
		if len(errs) != 1 || len(list) != 0 || !errors.As(errs[0], &e) || e.Fault != fault || e.After != said.After || !strings.Contains(e.Error(), "because") {
			t.Errorf("fault %s: %d pieces, errors %v", fault, len(list), errs)
		}
	}
}

func testBroken(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	for _, err := range []error{&skill.ModelError{Fault: skill.FaultOverloaded, Text: "because"}, errors.New("the line is cut")} {
		m := start(t, Turn{Text: "half of it", Err: err})
		reply, got := skill.Collect(m.Generate(t.Context(), ask("q")))
		if reply == nil || reply.Text != "half of it" || reply.Stop != "" {
			t.Errorf("what came before the error is %+v", reply)
		}
		var want, e *skill.ModelError
		if got == nil || errors.As(err, &want) && (!errors.As(got, &e) || e.Fault != want.Fault) {
			t.Errorf("the error is %v, want %v", got, err)
		}
	}
}

func testContext(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	m := start(t, Says("a b c d e f g h i j k l m n o p"), Says("x"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var errs []error
	for _, err := range m.Generate(ctx, ask("q")) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		cancel()
	}
	if len(errs) > 1 || len(errs) == 1 && !errors.Is(errs[0], context.Canceled) {
		t.Errorf("ended within: %v", errs) // none when all of it was there already
	}
	_, err := skill.Collect(m.Generate(ctx, ask("q")))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ended before: %v", err)
	}
}

func testLeave(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	m := start(t, Says("a b c d e f g h i j k l m n o p"), Says("The second."))
	for range m.Generate(t.Context(), ask("q")) {
		break
	}
	reply, err := skill.Collect(m.Generate(t.Context(), ask("q")))
	if err != nil || reply.Text != "The second." {
		t.Errorf("after an answer that nobody read: %+v, %v", reply, err)
	}
}

func testParallel(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	const n = 8
	var turns []Turn
	var want []string
	for i := range n {
		want = append(want, strings.Repeat("x", i+1)+" whole")
		turns = append(turns, Says(want[i]))
	}
	m := start(t, turns...)
	var wg sync.WaitGroup
	got := make([]string, n)
	for i := range n {
		wg.Go(func() {
			reply, err := skill.Collect(m.Generate(t.Context(), ask("q")))
			if err != nil {
				t.Error(err)
				return
			}
			got[i] = reply.Text
		})
	}
	wg.Wait()
	slices.SortFunc(got, func(a, b string) int { return len(a) - len(b) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers at the same time (-want +got):\n%s", diff)
	}
}

func testRefused(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	m := start(t, Says("Good."))
	call := skill.ToolCall{ID: "a", Name: "look", Args: json.RawMessage(`{}`)}
	user := skill.Message{From: skill.FromUser, Text: "q"}
	for name, req := range map[string]*skill.Request{
		"no message":          {},
		"an open call":        {Messages: []skill.Message{user, {From: skill.FromModel, Calls: []skill.ToolCall{call}}, user}},
		"an open call at end": {Messages: []skill.Message{user, {From: skill.FromModel, Calls: []skill.ToolCall{call}}}},
		"a result of nothing": {Messages: []skill.Message{user, {From: skill.FromTool, CallID: "a"}}},
		"one id twice":        {Messages: []skill.Message{user, {From: skill.FromModel, Calls: []skill.ToolCall{call, call}}}},
		"a choice of nothing": {Messages: []skill.Message{user}, Choice: "look"},
		"no schema":           {Messages: []skill.Message{user}, Schema: json.RawMessage(`[]`)},
		"nobody":              {Messages: []skill.Message{{From: "system", Text: "q"}}},
	} {
		_, err := skill.Collect(m.Generate(t.Context(), req))
		var e *skill.ModelError
		if !errors.As(err, &e) || e.Fault != skill.FaultInvalid {
			t.Errorf("%s: %v, want the fault invalid", name, err)
		}
	}
	if reply, err := skill.Collect(m.Generate(t.Context(), ask("q"))); err != nil || reply.Text != "Good." {
		t.Errorf("refused requests cost a turn: %+v, %v", reply, err)
	}
}

func testSchema(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	for schema, answer := range map[string]string{
		`{"type":"object","properties":{"a":{"type":"integer","minimum":0}},"required":["a"]}`: `{"a": 3}`,
		`{"type":"array","items":{"type":"string"}}`:                                           `["PSS", "SSS"]`,
		`{"type":"string","enum":["yes","no"]}`:                                                `"yes"`,
		`{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"integer"}}}`:       `[1, 2]`,
		`{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}`:    `{"answer": "42"}`,
	} {
		m := start(t, Calls("look", `{"query":"a"}`), Says(answer))
		req := ask("q")
		req.Schema, req.Tools = json.RawMessage(schema), lookTool
		reply, err := skill.Collect(m.Generate(t.Context(), req))
		if err != nil || len(reply.Calls) != 1 {
			t.Errorf("schema %s: the call: %+v, %v", schema, reply, err)
			continue
		}
		req.Messages = append(req.Messages, reply.Message(), skill.Message{From: skill.FromTool, CallID: reply.Calls[0].ID, Text: "found"})
		reply, err = skill.Collect(m.Generate(t.Context(), req))
		if err != nil || strings.TrimSpace(reply.Text) != answer {
			t.Errorf("schema %s: %+v, %v; want %s", schema, reply, err, answer)
		}
	}
}

func testNames(t *testing.T, start func(t *testing.T, turns ...Turn) skill.Model) {
	long := strings.Repeat("search_", 20)
	names := []string{"docs/search.v1", "docs.search/v1", "größe", long + "a", long + "b", "plain-name_1"}
	var specs []skill.ToolSpec
	var turn Turn
	for _, n := range names {
		specs = append(specs, skill.ToolSpec{Name: n, Description: n})
		turn.Calls = append(turn.Calls, skill.ToolCall{ID: "id of " + n, Name: n, Args: json.RawMessage(`{}`)})
	}
	turn.Calls = append(turn.Calls, skill.ToolCall{ID: "other", Name: "made_up", Args: json.RawMessage(`{}`)})
	m := start(t, turn, Says("Done."))
	req := ask("q")
	req.Tools = specs
	reply, err := skill.Collect(m.Generate(t.Context(), req))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	req.Messages = append(req.Messages, reply.Message())
	for _, c := range reply.Calls {
		got = append(got, c.Name)
		req.Messages = append(req.Messages, skill.Message{From: skill.FromTool, CallID: c.ID, Text: "found"})
	}
	if diff := cmp.Diff(append(names, "made_up"), got); diff != "" {
		t.Errorf("names of called tools (-want +got):\n%s", diff)
	}
	req.Tools = nil // the tools are gone, the conversation stays
	if reply, err := skill.Collect(m.Generate(t.Context(), req)); err != nil || reply.Text != "Done." {
		t.Errorf("the next turn: %+v, %v", reply, err)
	}
}
