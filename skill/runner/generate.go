package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/schema"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/record"
)

// A job is one text wanted of the model.
type job struct {
	role     string
	prompt   string
	items    []evidence.Item
	written  []string
	with     []string // tools it may call
	schema   json.RawMessage
	claims   bool                                              // every sentence carries a key
	headings []string                                          // the sections asked for
	quotes   bool                                              // quoted texts are verified
	more     func(answer string, last bool) (wrong, err error) // nil, or what else is to be checked, for the last time it could go back; err: it could not be
	made     []any                                             // the calls of tools that were answered, as expressions see them
}

const (
	maxTurns   = 16 // of a model within one step
	maxRepairs = 2  // times a model is told what is wrong with its answer
	maxShown   = 200_000
)

const systemText = `You do one step of a research workflow. Cite the key of the evidence in square brackets behind every sentence that rests
on it, such as [D1] or [C2], and use no key that is not listed. Quote word for word, in double quotes, or not at all. Say what is
unknown. ` + evidence.MarkRule

// A writer asks the model, with the tools of a step, and checks what it wrote.
type writer struct {
	state  *state
	caller *caller
	model  skill.Model     // nil: there is none
	src    evidence.Source // the host's, with its lines in the record; nil: there is none
	tokens int             // guarded by state.mu
}

// generate lets the model write, with the tools of the step under the run's guards, and checks what it wrote. A text with
// a wrong key, a sentence without one or a wrong quote goes back with the reason, at most twice.
func (w *writer) generate(ctx context.Context, f *frame, j *job) (string, error) {
	req := &skill.Request{Role: j.role, System: systemText + "\n\n" + prose(f.skill.Body), Schema: j.schema,
		Messages: []skill.Message{{From: "user", Text: j.show(f)}}}
	for _, name := range j.with {
		if t, ok := w.caller.tools.ByName[name]; ok {
			req.Tools = append(req.Tools, t.Spec())
		}
	}
	talk := w.state.log.Conversation("")
	repairs := 0
	for range maxTurns {
		reply, err := w.modelTurn(ctx, talk, req)
		if err != nil {
			return "", err
		}
		if err := reply.Err(); err != nil && len(reply.Calls) == 0 { // whole calls before the end are answered
			return "", fmt.Errorf("model: %w", err)
		}
		req.Messages = append(req.Messages, reply.Message())
		if reply.Stop == skill.StopPause && len(reply.Calls) == 0 {
			continue
		}
		if len(reply.Calls) > 0 {
			for _, c := range reply.Calls {
				msg, err := w.modelCall(ctx, c, j.with)
				if err != nil {
					return "", err
				}
				if !msg.Error {
					j.made = append(j.made, plainCall(c))
				}
				req.Messages = append(req.Messages, msg)
			}
			continue
		}
		wrong := w.judge(ctx, j, reply.Text)
		if wrong == nil && j.more != nil {
			if wrong, err = j.more(reply.Text, repairs == maxRepairs); err != nil {
				return "", err
			}
		}
		if wrong == nil {
			return reply.Text, nil
		}
		if repairs++; repairs > maxRepairs {
			return "", fmt.Errorf("the model's text was refused: %w", wrong)
		}
		w.state.commit(&record.Refused{Conversation: talk.ID, Why: wrong.Error()}, nil)
		req.Messages = append(req.Messages, skill.Message{From: "user", Text: "This is refused:\n" + show.Data(wrong.Error()) + "Write it again, whole."})
	}
	return "", fmt.Errorf("the model made no text in %d turns", maxTurns)
}

// modelCall calls a tool for the model, if the step offers it, by any of its names. A denial or a tool's error is an answer
// to the model; a limit ends the run.
func (w *writer) modelCall(ctx context.Context, c skill.ToolCall, offered []string) (skill.Message, error) {
	failed := func(err error) skill.Message {
		return skill.Message{From: skill.FromTool, CallID: c.ID, Text: "It failed:\n" + show.Data(err.Error()), Error: true}
	}
	if err := c.Check(); err != nil {
		return failed(err), nil
	}
	if !w.caller.tools.Lists(offered, c.Name) {
		err := w.caller.deny(&skill.DeniedError{Tool: c.Name, Because: "the step does not offer it to the model"}, c.Args, byModel)
		return failed(err), nil
	}
	res, err := w.caller.call(ctx, c.Name, c.Args, byModel)
	var denied *skill.DeniedError
	switch {
	case hardError(err) && !errors.As(err, &denied):
		return skill.Message{}, err
	case err != nil:
		return failed(err), nil
	}
	var b strings.Builder
	b.WriteString(show.Unmark(res.Text))
	for _, it := range res.Items {
		b.WriteString("\n" + show.ItemLine(it))
	}
	return skill.Message{From: skill.FromTool, CallID: c.ID, Text: strings.TrimRight(show.Data(b.String()), "\n") + show.Remarks(res)}, nil
}

// plainCall is the call as expressions see it. Arguments that are no JSON object are left out: no tool takes them.
func plainCall(c skill.ToolCall) any {
	args := map[string]any{}
	if json.Unmarshal(c.Args, &args) != nil || args == nil {
		args = map[string]any{}
	}
	return map[string]any{"tool": c.Name, "args": args}
}

// prose is a skill's text without its workflow block, which is for the runner.
func prose(body string) string {
	var b strings.Builder
	skip := false
	for line := range strings.Lines(body) {
		t := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(t, "```") && strings.Join(strings.Fields(strings.TrimLeft(t, "`")), " ") == "yaml workflow":
			skip = true
		case skip:
			skip = t != "```"
		default:
			b.WriteString(line)
		}
	}
	return strings.TrimSpace(b.String())
}

func (j *job) show(f *frame) string {
	var b strings.Builder
	if task, ok := f.inputs["task"].(string); ok {
		fmt.Fprintf(&b, "Task: %s\n", cmp.Or(f.shown["task"], task))
	}
	b.WriteString(j.prompt + "\n")
	for _, w := range j.written {
		b.WriteString("\nFrom an earlier step:\n" + show.Data(w))
	}
	if len(j.items) == 0 {
		return b.String()
	}
	var list strings.Builder
	left := ""
	for i, it := range j.items {
		if b.Len()+list.Len() > maxShown {
			left = fmt.Sprintf("(%d more pieces are left out)\n", len(j.items)-i)
			break
		}
		fmt.Fprintf(&list, "[%s] %s\n%s\n\n", it.Key, it.At, it.Text)
	}
	return b.String() + "\nEvidence:\n" + show.Data(list.String()) + left
}

// judge says what is wrong with a text that the model wrote.
func (w *writer) judge(ctx context.Context, j *job, answer string) error {
	if strings.TrimSpace(answer) == "" {
		return errors.New("the text is empty")
	}
	if j.schema != nil {
		return schema.Conforms(j.schema, answer)
	}
	return evidence.JoinTextErrors(evidence.CheckText(ctx, w.caller.ledger, answer,
		&evidence.CheckOptions{EveryClaim: j.claims, Quotes: j.quotes, Source: w.src, Headings: j.headings}))
}

// modelTurn asks the model once and counts what it took.
func (w *writer) modelTurn(ctx context.Context, talk *record.Conversation, req *skill.Request) (*skill.Reply, error) {
	if err := w.state.alive(ctx, byModel); err != nil {
		return nil, err
	}
	w.state.commit(talk.Request(req), nil)
	var (
		reply *skill.Reply
		err   error
	)
	if w.state.play != nil {
		reply, err = w.state.play.reply(talk.ID)
	} else {
		reply, err = invoke.Ask(ctx, w.model, req, w.state.opt.Grace)
	}
	reply = invoke.CleanReply(reply)
	w.state.commit(talk.Reply(reply, err), func() {
		if reply == nil {
			return
		}
		n := reply.Usage.Input + reply.Usage.Output
		w.tokens += n
		for _, f := range w.state.frames {
			f.tokens += n
		}
	})
	if over := w.state.alive(ctx, byModel); over != nil {
		return nil, over
	}
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	return reply, nil
}
