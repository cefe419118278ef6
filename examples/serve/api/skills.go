package api

import (
	"context"
	"errors"
	"fmt"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/skill"
)

// skills has the methods about skills and their runs.
type skills struct{ *Service }

func (h skills) ListSkills(context.Context, *v1.ListSkillsRequest) (*v1.SkillList, error) {
	out := &v1.SkillList{}
	for _, s := range h.ws.Skills() {
		out.Skills = append(out.Skills, h.describe(s))
	}
	for _, err := range h.ws.SkillErrors() {
		out.Problems = append(out.Problems, h.errors.tell("skills", asked(err)).Message())
	}
	return out, nil
}

func (h skills) GetSkill(_ context.Context, r *v1.GetSkillRequest) (*v1.Skill, error) {
	s, err := h.skill(r.Name)
	if err != nil {
		return nil, err
	}
	out := h.describe(s)
	out.Body = message.Text(s.Body, h.mask())
	if s.Workflow() != nil {
		for st := range s.Workflow().All() {
			out.Steps = append(out.Steps, &v1.Step{Id: st.ID, Kind: string(st.Kind)})
		}
	}
	return out, nil
}

func (h skills) skill(name string) (*skill.Skill, error) {
	for _, sk := range h.ws.Skills() {
		if sk.Name == name {
			return sk, nil
		}
	}
	return nil, fmt.Errorf("skill %q: %w; ListSkills has those that there are", name, findspot.ErrNotFound)
}

func (h skills) describe(sk *skill.Skill) *v1.Skill {
	text := func(list []string) []string {
		var out []string
		for _, t := range list {
			out = append(out, message.Text(t, h.mask()))
		}
		return out
	}
	out := &v1.Skill{
		Name: sk.Name, Description: message.Text(sk.Description, h.mask()), Digest: sk.Digest, License: message.Text(sk.License, h.mask()),
		Compatibility: message.Text(sk.Compatibility, h.mask()), AllowedTools: text(sk.Allowed()), Examples: text(sk.Examples), NotFor: text(sk.NotFor),
		Runs: sk.Workflow() != nil,
	}
	if sk.Workflow() != nil {
		for _, in := range sk.Workflow().Inputs {
			out.Inputs = append(out.Inputs, &v1.Input{
				Name: in.Name, Type: in.Type, Required: in.Required, Default: message.Plain(in.Default, h.mask()), Description: message.Text(in.Description, h.mask()),
			})
		}
	}
	return out
}

func (h skills) RunSkill(ctx context.Context, r *v1.RunSkillRequest, to *connect.ServerStream[v1.RunEvent]) error {
	sk, err := h.skill(r.Name)
	if err != nil {
		return err
	}
	if sk.Workflow() == nil {
		return connect.NewError(connect.CodeFailedPrecondition, fmt.Errorf("skill %q is text for an agent, and has no steps to run", r.Name))
	}
	if _, err := object("inputs", r.Inputs); err != nil {
		return err
	}
	run, err := h.runs.begin(ctx, h.Service, sk)
	if err != nil {
		return err
	}
	defer h.runs.finish(run)
	err = run.execute(r.Inputs.AsMap(), to)
	if errors.Is(err, context.Canceled) && errors.Is(context.Cause(run.ctx), errCancelled) {
		return nil // its outcome was sent, and says so
	}
	return err
}

func (h skills) Decide(_ context.Context, r *v1.DecideRequest) (*v1.DecideResponse, error) {
	run, err := h.runs.find(r.RunId)
	if err != nil {
		return nil, err
	}
	choice, err := run.decide(r)
	if err != nil {
		return nil, err
	}
	h.log.Info("approval answered", "run", r.RunId, "approval", r.ApprovalId, "choice", choice, "note", r.Note)
	return &v1.DecideResponse{Choice: choice}, nil
}

func (h skills) CancelRun(_ context.Context, r *v1.CancelRunRequest) (*v1.CancelRunResponse, error) {
	run, err := h.runs.find(r.RunId)
	if err != nil {
		return &v1.CancelRunResponse{}, nil // it has ended, or never was: the same to who wants it to end
	}
	run.cancel(errCancelled)
	return &v1.CancelRunResponse{Running: true}, nil
}
