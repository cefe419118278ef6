package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
)

// A performance is one run of a task, as seen from outside.
type performance struct {
	Task   *task  `json:"-"`
	Name   string `json:"task"`
	Model  string `json:"model"` // temperament, or the name of a model
	Status string `json:"status"`
	Reason string `json:"reason"`

	Events  []string `json:"events"`  // of the trace
	Refused []string `json:"refused"` // tools that were asked for and not called: denied, or not offered
	Answer  string   `json:"answer"`  // what came out, also of a run that is not done
	// Verified are the statements of the answer that were called so: by the check of the answer's text, or by the piece that brought them.
	Verified []string        `json:"verified"`
	Items    []evidence.Item `json:"-"` // that the answer cites

	planted []string // statements that the model made up
	judged  verdict
}

// perform runs one task with one model.
func (w *world) perform(ctx context.Context, t *task, named string, m skill.Model) (*performance, error) {
	ws := w.open[t.sources()]
	s, err := skillOf(t.Skill, ws.Skills())
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(w.dir, "written")
	if err != nil {
		return nil, err
	}
	led, tr := evidence.NewLedger(), &trace{}
	p := &performance{Task: t, Name: t.Name, Model: named, Refused: []string{}, Verified: []string{}}
	o := &runner.Options{Ledger: led, Source: ws, Grace: 100 * time.Millisecond, Wait: func(context.Context, time.Duration) error { return nil }}
	o.Events = func(e record.Event) {
		if d, ok := e.(*record.Denied); ok {
			p.Refused = append(p.Refused, d.Tool)
		}
	}
	if t.Person != "" {
		o.Approve = func(_ context.Context, a runner.Approval) (string, error) {
			if t.Person == "approve" {
				tr.add("approved " + a.Step)
			}
			return t.Person, nil
		}
	}
	run, err := runner.New(m, w.tools(t, led, dir, tr), o).Start(ctx, s, t.Inputs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	var given []evidence.Item
	if t.Mode != modeLoop {
		out, err := run.Run(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		p.Status, p.Reason, given = out.Status, out.Reason, out.Items
		if v, ok := out.Outputs[answerStep(s)].(map[string]any); ok {
			p.Answer, _ = v["text"].(string)
		}
	}
	if t.Mode != modeRun {
		if err := p.loop(ctx, ws, run, m, t.question(), given); err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	p.Events = tr.seen()
	p.Items = evidence.Expand(led, p.Answer)
	check, err := ws.VerifyText(ctx, p.Answer, &findspot.VerifyTextOptions{Ledger: led})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	for _, v := range check.Sentences {
		if v.Holds && v.Verdict == evidence.Supported {
			p.Verified = append(p.Verified, v.Text)
		}
	}
	return p, os.RemoveAll(dir)
}

// answerStep is the last step that writes an answer.
func answerStep(s *skill.Skill) (id string) {
	for st := range s.Workflow().All() {
		if st.Synthesize != nil {
			id = st.ID
		}
	}
	return id
}

// loop lets the model call the run's guarded tools as it likes, and then write.
func (p *performance) loop(ctx context.Context, ws *findspot.Workspace, run *runner.Run, m skill.Model, question string, given []evidence.Item) error {
	g, err := agent.Gather(ctx, m, run.Tools(), question, &agent.GatherOptions{Ledger: run.Ledger(), Source: ws, Given: given, Turns: 12})
	if err != nil {
		return err
	}
	p.Answer = ""
	for piece, err := range agent.Answer(ctx, m, g, &agent.AnswerOptions{Source: ws}) {
		switch {
		case err != nil:
			return err
		case piece.Verified():
			p.Verified = append(p.Verified, piece.Checked.Sentence.Text)
		case piece.Report != nil:
			p.Status, p.Reason = piece.Report.Status, piece.Report.Reason
		}
		p.Answer += piece.Text
	}
	return nil
}

// performAll runs every task with every model, two at a time, and judges what happened.
func (w *world) performAll(ctx context.Context, tasks []*task, models []string, start func(name string, t *task) (skill.Model, error)) ([]*performance, error) {
	out := make([]*performance, len(tasks)*len(models))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for i, t := range tasks {
		for k, name := range models {
			g.Go(func() error {
				m, err := start(name, t)
				if err != nil {
					return err
				}
				p, err := w.perform(ctx, t, name, m)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				if s, ok := m.(*scripted); ok {
					p.planted = s.planted()
				}
				p.judged = w.judge(p)
				out[i*len(models)+k] = p
				return nil
			})
		}
	}
	return out, g.Wait()
}

// fold is a text without regard to case, white space, and what divides its words.
func fold(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
