package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/bounded"
	"github.com/findspot/findspot/skill/internal/gate"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

// An approver asks at gates: a condition, a person, or the policy of a step.
type approver struct {
	state    *state
	composer *composer
	trusted  bool // the host's policy names the skill: its own approvals count
}

const maxRevisions = 3

func (a *approver) require(f *frame, st *workflow.Step) (value, string, error) {
	yes, err := f.cond(st.Require.Cond)
	status := cmp.Or(st.Require.Else, skill.StatusInsufficient)
	if err != nil {
		return none(), "", &endError{skill.StatusInsufficient, err.Error(), st.ID}
	}
	a.state.commit(&record.Gate{ID: st.ID, Condition: st.Require.Cond, Passed: yes}, nil)
	if !yes {
		return none(), "", &endError{status, fmt.Sprintf("%s (%s does not hold)", cmp.Or(st.Require.Because, "a required condition"), st.Require.Cond), st.ID}
	}
	return value{plain: true}, "", nil
}

func (a *approver) approve(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	ask := st.Approve
	for round := 0; ; round++ {
		shown, err := f.template(ask.What)
		if err != nil {
			return none(), "", &endError{skill.StatusStopped, err.Error(), st.ID}
		}
		req := Approval{Skill: f.skill.Name, Step: st.ID, Text: jsonvalue.Render(shown), Choices: slices.Clone(ask.Offered())}
		a.state.commit(&record.Asked{ID: st.ID, Text: req.Text, Choices: req.Choices}, func() { f.close(st.ID) })
		choice, by, err := a.choose(ctx, ask, req)
		if err == nil && choice == workflow.ChoiceApprove && by != byPerson && !a.trusted {
			choice, err = "", fmt.Errorf("nobody can be asked, and the host's policy does not name this skill (digest %s): run it on a terminal, or allow it with --trust-skill DIGEST", a.state.frames[0].skill.Digest)
		}
		said := &record.Approval{ID: st.ID, Choice: choice, By: by}
		if err != nil {
			said.Error = err.Error()
		}
		a.state.commit(said, func() {
			if err == nil && choice == workflow.ChoiceApprove {
				f.approve(st.ID)
			}
		})
		if over := a.state.alive(ctx, byStep); over != nil {
			return none(), "", over
		}
		if err != nil {
			return none(), "", &endError{skill.StatusStopped, "approval of " + st.ID + ": " + err.Error(), st.ID}
		}
		switch {
		case choice == workflow.ChoiceApprove:
			return value{plain: choice}, "approved by " + by, nil
		case choice != workflow.ChoiceStop && !slices.Contains(ask.Offered(), choice):
			return none(), "", &endError{skill.StatusStopped, fmt.Sprintf("approval of %s: %q is none of %s", st.ID, choice, strings.Join(ask.Offered(), ", ")), st.ID}
		case choice == workflow.ChoiceStop && by == byPolicy:
			return none(), "", &endError{skill.StatusStopped, fmt.Sprintf("approval of %s: nobody can be asked in an unattended run, and the skill says stop", st.ID), st.ID}
		case choice == workflow.ChoiceStop:
			return none(), "", &endError{skill.StatusStopped, fmt.Sprintf("approval of %s: the answer was stop", st.ID), st.ID}
		case choice == workflow.ChoiceRevise:
			if err := a.revise(ctx, f, st, round); err != nil {
				return none(), "", err
			}
		default:
			return value{plain: choice}, "the choice was " + choice, nil
		}
	}
}

// revise writes again what an approval shows.
func (a *approver) revise(ctx context.Context, f *frame, st *workflow.Step, round int) error {
	stop := func(why string) error {
		return &endError{skill.StatusStopped, fmt.Sprintf("approval of %s: the answer was revise, %s", st.ID, why), st.ID}
	}
	source := gate.Revised(f.skill.Workflow(), st)
	switch {
	case a.composer.writer.model == nil:
		return stop("and there is no model that could")
	case source == nil:
		return stop("and it shows no write step's text")
	case round >= maxRevisions:
		return stop(fmt.Sprintf("%d times", round+1))
	}
	v, _, err := a.composer.write(ctx, f, source)
	if err != nil {
		return err
	}
	a.state.bind(f, source.ID, v)
	return nil
}

// choose asks a person, or the policy of the step when nobody can be asked.
func (a *approver) choose(ctx context.Context, ask *workflow.Approve, req Approval) (choice, by string, err error) {
	if a.state.play != nil {
		return a.state.play.choice(req.Step)
	}
	if a.state.opt.Approve != nil {
		choice, err = bounded.Call(ctx, "the approval of "+req.Step, a.state.opt.Grace, func() (string, error) { return a.state.opt.Approve(ctx, req) })
		if !errors.Is(err, ErrUnattended) {
			return choice, byPerson, err
		}
	}
	return cmp.Or(ask.Unattended, workflow.ChoiceStop), byPolicy, nil
}
