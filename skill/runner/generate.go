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
	claims   bool                                   // every sentence carries a key
	headings []string                               // the sections asked for
	quotes   bool                                   // quoted texts are verified
	more     func(answer string) (wrong, err error) // nil, or what else is to be checked; err: it could not be
	made     []any                                  // the calls of tools that were answered, as expressions see them
}

const (
	maxTurns   = 16 // of a model within one step
	maxRepairs = 2  // times a model is told what is wrong with its answer
	maxShown   = 200_000
)

const systemText = `You do one step of a research workflow. Cite the key of the evidence in square brackets behind every sentence that rests
on it, such as [D1] or [C2], and use no key that is not listed. Quote word for word, in double quotes, or not at all. Say what is
unknown. ` + evidence.MarkRule

// generate lets the model write, with the tools of the step under the run's guards, and checks what it wrote. A text with
// a wrong key, a sentence without one or a wrong quote goes back with the reason, at most twice.
func (run *Run) generate(ctx context.Context, f *frame, j *job) (string, error) {
	req := &skill.Request{Role: j.role, System: systemText + "\n\n" + prose(f.skill.Body), Schema: j.schema,
		Messages: []skill.Message{{From: "user", Text: j.show(f)}}}
	for _, name := range j.with {
		if t, ok := run.r.tools.ByName[name]; ok {
			req.Tools = append(req.Tools, t.Spec())
		}
	}
	talk := run.rec.Conversation("")
	repairs := 0
	for range maxTurns {
		reply, err := run.modelTurn(ctx, talk, req)
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
				msg, err := run.modelCall(ctx, c, j.with)
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
		wrong := run.judge(ctx, j, reply.Text)
		if wrong == nil && j.more != nil {
			if wrong, err = j.more(reply.Text); err != nil {
				return "", err
			}
		}
		if wrong == nil {
			return reply.Text, nil
		}
		if repairs++; repairs > maxRepairs {
			return "", fmt.Errorf("the model's text was refused: %w", wrong)
		}
		run.commit(&record.Refused{Conversation: talk.ID, Why: wrong.Error()}, nil)
		req.Messages = append(req.Messages, skill.Message{From: "user", Text: "This is refused:\n" + show.Data(wrong.Error()) + "Write it again, whole."})
	}
	return "", fmt.Errorf("the model made no text in %d turns", maxTurns)
}

// modelCall calls a tool for the model, if the step offers it, by any of its names. A denial or a tool's error is an answer
// to the model; a limit ends the run.
func (run *Run) modelCall(ctx context.Context, c skill.ToolCall, offered []string) (skill.Message, error) {
	failed := func(err error) skill.Message {
		return skill.Message{From: skill.FromTool, CallID: c.ID, Text: "It failed:\n" + show.Data(err.Error()), Error: true}
	}
	if err := c.Check(); err != nil {
		return failed(err), nil
	}
	if !run.r.tools.Lists(offered, c.Name) {
		err := run.deny(&skill.DeniedError{Tool: c.Name, Because: "the step does not offer it to the model"}, c.Args, byModel)
		return failed(err), nil
	}
	res, err := run.call(ctx, c.Name, c.Args, byModel)
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
func (run *Run) judge(ctx context.Context, j *job, answer string) error {
	if strings.TrimSpace(answer) == "" {
		return errors.New("the text is empty")
	}
	if j.schema != nil {
		return schema.Conforms(j.schema, answer)
	}
	return evidence.JoinTextErrors(evidence.CheckText(ctx, run.ledger, answer,
		&evidence.CheckOptions{EveryClaim: j.claims, Quotes: j.quotes, Source: run.src, Headings: j.headings}))
}
