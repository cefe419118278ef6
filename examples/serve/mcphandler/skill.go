package mcphandler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/internal/hosterr"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
)

// active is the skill whose guards hold for every call of the client. Its steps run when the client calls run_skill. The client's
// own agent is the model of its steps, and the client asks its person for approvals (elicitation): no tool call can give one.
type active struct {
	run   *runner.Run
	tell  func(error) error // what the client may read of an error
	calls *calls
	asks  chan *ask     // from the steps
	done  chan struct{} // closed when the steps have ended

	mu      sync.Mutex // one call of run_skill at a time; guards what follows
	started bool
	open    *ask // put to the client, and not answered
	asked   int
	out     *runner.Outcome // valid once done is closed
	err     error
}

// ask is what the steps want to know, of a person or of the model.
type ask struct {
	id       string
	approval *runner.Approval // of a person
	request  *skill.Request   // of the model
	reply    chan answer
}

type answer struct {
	text  string
	calls []skill.ToolCall
	err   error
}

// activate makes a skill active over the tools.
func activate(ctx context.Context, calls *calls, ws *findspot.Workspace, s *skill.Skill, tools []skill.Tool, inputs map[string]any, o runner.Options) (*active, error) {
	a := &active{calls: calls, asks: make(chan *ask), done: make(chan struct{})}
	o.Approve, o.Source = a.approve, ws
	run, err := runner.New(a, tools, &o).Start(ctx, s, inputs)
	if err != nil {
		return nil, err
	}
	a.run = run
	return a, nil
}

func (a *active) put(ctx context.Context, q *ask) answer {
	q.reply = make(chan answer, 1)
	select {
	case a.asks <- q:
	case <-ctx.Done():
		return answer{err: ctx.Err()}
	}
	select {
	case r := <-q.reply:
		return r
	case <-ctx.Done():
		return answer{err: ctx.Err()}
	}
}

func (a *active) approve(ctx context.Context, q runner.Approval) (string, error) {
	r := a.put(ctx, &ask{approval: &q})
	return r.text, r.err
}

// Generate makes the client's agent the model of the skill's steps.
func (a *active) Generate(ctx context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	return func(yield func(*skill.Delta, error) bool) {
		r := a.put(ctx, &ask{request: req})
		if r.err != nil {
			yield(nil, r.err)
			return
		}
		if r.text != "" && !yield(&skill.Delta{Text: r.text}, nil) {
			return
		}
		stop := skill.StopEnd
		for i := range r.calls {
			stop = skill.StopTools
			if !yield(&skill.Delta{Call: &r.calls[i]}, nil) {
				return
			}
		}
		yield(&skill.Delta{Stop: stop}, nil)
	}
}

const runSkill = "run_skill"

type runArgs struct {
	Answer string `json:"answer"`
	Calls  []struct {
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"calls"`
}

// skillTool is run_skill.
func skillTool(s *skill.Skill) *mcp.Tool {
	yes := true
	return &mcp.Tool{Name: runSkill, Title: titles[runSkill], Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &yes}, Description: "Runs the steps of the active skill " + s.Name + " (" + strings.Join(strings.Fields(s.Description), " ") + "). Its guards open as the steps pass. " +
		"When a step asks you to write or to choose, the answer says so: call run_skill again with your answer.",
		InputSchema: json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string","description":"what the last answer of run_skill asked you for"},` +
			`"calls":{"type":"array","description":"calls of the tools that it offered you, made under the skill's guards","items":{"type":"object","properties":{"name":{"type":"string"},"args":{"type":"object"}},"required":["name"]}}}}`)}
}

// runSkill handles a call of run_skill.
func (s *session) runSkill(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	defer s.h.opt.Feed.report(ctx, req.Session, req.Params, runSkill)()
	if res, err := s.h.calls.wait(ctx); res != nil || err != nil {
		return res, err
	}
	res, err := s.held.handle(ctx, req, s.ctx)
	if s.http && res != nil && hosterr.Names(s.h.ws, textOf(res), string(req.Params.Arguments)) { // reasons and notes of steps are texts
		return failed(s.h.calls.numbered(runSkill, "reason", textOf(res))), err
	}
	return res, err
}

// wait waits for the steps, whose context has ended.
func (a *active) wait() {
	a.mu.Lock()
	started := a.started
	a.mu.Unlock()
	if started {
		<-a.done
	}
}

func (a *active) handle(ctx context.Context, req *mcp.CallToolRequest, serve context.Context) (*mcp.CallToolResult, error) {
	if !a.mu.TryLock() { // a call may last as long as a person takes to answer: others that wait would pile up
		return failed(fmt.Errorf("%s: busy: a call of it is under way, wait for its answer", runSkill)), nil
	}
	defer a.mu.Unlock()
	if !a.started {
		a.started = true
		go func() {
			defer close(a.done)
			defer func() {
				if p := recover(); p != nil {
					a.err = a.calls.numbered("a skill", "panic", p, "stack", string(debug.Stack()))
				}
			}()
			a.out, a.err = a.run.Run(serve)
		}()
	}
	if q := a.open; q != nil {
		r, again := a.answered(req, q)
		if again != nil {
			return again, nil
		}
		q.reply <- r
		a.open = nil
	}
	for {
		select {
		case q := <-a.asks:
			a.asked++
			q.id = "q" + strconv.Itoa(a.asked)
			if q.approval != nil && !canAsk(req) {
				q.reply <- answer{err: fmt.Errorf("the client has no elicitation: %w", runner.ErrUnattended)}
				continue
			}
			if q.approval == nil || manyRounds(req) {
				a.open = q
				return q.result(), nil
			}
			res, err := req.Session.Elicit(ctx, q.elicit()) // clients of older versions are asked within the call
			if err != nil && ctx.Err() != nil {
				err = ctx.Err()
			}
			q.reply <- choice(res, err)
		case <-a.done:
			return a.outcome(), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-serve.Done():
			return nil, serve.Err()
		}
	}
}

// answered takes the client's answer to what is open, or asks again.
func (a *active) answered(req *mcp.CallToolRequest, q *ask) (answer, *mcp.CallToolResult) {
	if q.approval != nil {
		res, ok := req.Params.InputResponses[q.id].(*mcp.ElicitResult)
		if !ok || req.Params.RequestState != q.id { // an answer to another question approves nothing
			return answer{}, q.result()
		}
		return choice(res, nil), nil
	}
	var in runArgs
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return answer{}, failed(fmt.Errorf("%s: the arguments do not fit: %w", runSkill, err))
	}
	if in.Answer == "" && len(in.Calls) == 0 {
		return answer{}, q.result()
	}
	r := answer{text: in.Answer}
	for i, c := range in.Calls {
		if len(c.Args) == 0 {
			c.Args = json.RawMessage("{}")
		}
		r.calls = append(r.calls, skill.ToolCall{ID: q.id + "-" + strconv.Itoa(i), Name: c.Name, Args: c.Args})
	}
	return r, nil
}

// manyRounds tells clients that are asked by an answer of the call from those that are asked within it.
func manyRounds(req *mcp.CallToolRequest) bool {
	p := req.Session.InitializeParams()
	return p == nil || p.ProtocolVersion >= "2026-07-28"
}

func canAsk(req *mcp.CallToolRequest) bool {
	p := req.Session.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.Elicitation != nil
}

func choice(res *mcp.ElicitResult, err error) answer {
	if err != nil {
		return answer{err: err}
	}
	if text, ok := res.Content["choice"].(string); ok && res.Action == "accept" {
		return answer{text: text}
	}
	return answer{text: "stop"} // declined, or dismissed
}

func (q *ask) elicit() *mcp.ElicitParams {
	return &mcp.ElicitParams{Mode: "form", Message: fmt.Sprintf("Skill %s, step %s:\n\n%s", q.approval.Skill, q.approval.Step, q.approval.Text), RequestedSchema: map[string]any{
		"type": "object", "required": []string{"choice"},
		"properties": map[string]any{"choice": map[string]any{"type": "string", "enum": q.approval.Choices, "description": "stop ends the skill"}},
	}}
}

// maxPrompt bounds what is shown of a request, in bytes.
const maxPrompt = 100_000

func (q *ask) result() *mcp.CallToolResult {
	if q.approval != nil {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{q.id: q.elicit()}, RequestState: q.id}
	}
	var b strings.Builder
	b.WriteString("The skill asks you. Call run_skill with your answer")
	if len(q.request.Tools) > 0 {
		b.WriteString(", or with calls of:")
		for _, t := range q.request.Tools {
			b.WriteString(" " + t.Name)
		}
	}
	b.WriteString(".\n\n" + q.request.System + "\n")
	for _, m := range q.request.Messages {
		fmt.Fprintf(&b, "\n[%s]\n%s\n", m.From, m.Text)
	}
	if len(q.request.Schema) > 0 {
		fmt.Fprintf(&b, "\nThe answer is JSON of this schema: %s\n", q.request.Schema)
	}
	text := b.String()
	if len(text) > maxPrompt {
		text = strings.ToValidUTF8(text[:maxPrompt], "") + fmt.Sprintf("\n(cut: %d bytes are not shown)", len(text)-maxPrompt)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// maxStructured bounds the structured part of an outcome, in bytes. The tools bound theirs.
const maxStructured = 256 << 10

func (a *active) outcome() *mcp.CallToolResult {
	if a.out == nil {
		return failed(fmt.Errorf("%s: %w", runSkill, a.tell(a.err)))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s ended %s", a.out.Skill, a.out.Status)
	if a.out.At != "" {
		fmt.Fprintf(&b, " at %s", a.out.At)
	}
	var why strings.Builder // reasons and notes may quote what was read
	fmt.Fprintf(&why, "%s\n", a.out.Reason)
	for _, st := range a.out.Steps {
		fmt.Fprintf(&why, "%s %s %s %s\n", st.ID, st.Kind, st.Status, st.Note)
	}
	b.WriteString(":\n" + evidence.Mark(why.String()) + "\n")
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: b.String()}}, IsError: a.err != nil}
	if data, err := json.Marshal(a.out); err == nil && len(data) <= maxStructured {
		res.StructuredContent = json.RawMessage(data)
	}
	return res
}

// next says what a denied caller can do.
func (a *active) next(err error) error {
	var d *skill.DeniedError
	switch {
	case a == nil || !errors.As(err, &d):
		return err
	case d.Until == "":
		return fmt.Errorf("%w; it stays denied while this skill is active: use another tool", err)
	}
	select {
	case <-a.done:
		return fmt.Errorf("%w; the skill has ended, and what it did not open stays closed", err)
	default:
	}
	return fmt.Errorf("%w; next: call %s, which runs the skill's steps up to that gate, then call %s again", err, runSkill, d.Tool)
}
