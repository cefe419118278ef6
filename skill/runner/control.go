package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

func (e *executor) loop(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	last := none()
	for round := 1; round <= st.Loop.Max; round++ {
		if err := e.stepList(ctx, f, st.Loop.Steps); err != nil {
			return none(), "", err
		}
		if n := len(st.Loop.Steps); n > 0 {
			last = f.vars[st.Loop.Steps[n-1].ID]
		}
		if st.Loop.Until == "" {
			continue
		}
		yes, err := f.cond(st.Loop.Until)
		if err != nil {
			return none(), "", &endError{skill.StatusInsufficient, "until: " + err.Error(), st.ID}
		}
		if yes {
			return last, fmt.Sprintf("%d rounds", round), nil
		}
	}
	return last, fmt.Sprintf("%d rounds, the most", st.Loop.Max), nil
}

func (e *executor) each(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	of, err := f.template(st.Each.Of)
	if err != nil {
		return none(), "", err
	}
	list, ok := of.([]any)
	if !ok {
		return none(), "", fmt.Errorf("each: %s is not a list", st.Each.Of)
	}
	most := st.Each.Max
	if most == 0 {
		most = 20
	}
	note := ""
	if len(list) > most {
		note = fmt.Sprintf("the first %d of %d", most, len(list))
		list = list[:most]
	}
	joined := []any{}
	var items []evidence.Item
	have := map[string]bool{}
	for _, el := range list {
		e.state.bind(f, st.Each.As, value{plain: el, items: itemsIn(el, e.caller.ledger)})
		if err := e.stepList(ctx, f, st.Each.Steps); err != nil {
			return none(), "", err
		}
		v := f.vars[st.Each.Steps[len(st.Each.Steps)-1].ID]
		if l, ok := v.plain.([]any); ok {
			joined = append(joined, l...)
		} else if v.plain != nil {
			joined = append(joined, v.plain)
		}
		if len(joined) > maxList {
			return none(), "", fmt.Errorf("each: its list is over %d elements: %w", maxList, skill.ErrTooLarge)
		}
		for _, it := range v.items {
			if !have[it.Key] {
				have[it.Key] = true
				items = append(items, it)
			}
		}
	}
	e.state.turn()
	e.state.mu.Lock()
	e.state.unbind(f, st.Each.As) // an approval of the last element is none of what follows
	e.state.mu.Unlock()
	return value{plain: joined, items: items}, note, nil
}

func (e *executor) use(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	s := f.skill.Uses()[st.Use.Skill]
	if s == nil || s.Workflow() == nil {
		return none(), "", fmt.Errorf("skill %s is not loaded, or has no workflow", st.Use.Skill)
	}
	filled, err := f.fill(st.Use.With)
	if err != nil {
		return none(), "", err
	}
	with, _ := filled.(map[string]any)
	in, err := bindInputs(s, with)
	if err != nil {
		return none(), "", err
	}
	inner := newFrame(s, in, e.state.opt.Limits, e.state.opt.Now())
	if inner.shown, err = f.handedOn(st.Use.With, in); err != nil {
		return none(), "", err
	}
	e.state.commit(&record.Use{Skill: s.Name, Digest: s.Digest, Inputs: in}, func() { e.state.frames = append(e.state.frames, inner) })
	wall, cancel := e.state.deadline(ctx, inner)
	defer cancel()
	err = e.stepList(wall, inner, s.Workflow().Steps)
	var (
		end   *endError
		limit *limitError
	)
	status, reason := skill.StatusDone, ""
	switch {
	case errors.As(err, &limit) && limit.frame == inner: // the skill that uses it has limits of its own
		status, reason = skill.StatusStopped, limit.Error()
		err = fmt.Errorf("skill %s: %s", s.Name, reason)
		if st.OnError != "continue" {
			err = &endError{skill.StatusStopped, err.Error(), st.ID}
		}
	case errors.As(err, &end):
		status, reason = end.status, end.reason
		if status != skill.StatusStopped {
			err = nil
		}
	case err != nil:
		status, reason = skill.StatusStopped, err.Error()
	}
	e.state.commit(&record.UseEnd{Skill: s.Name, Status: status, Reason: reason}, func() {
		e.state.frames = e.state.frames[:len(e.state.frames)-1]
		if limit != nil && limit.frame == inner {
			e.state.stopped, e.state.at = nil, ""
		}
	})
	if err != nil {
		return none(), "", err
	}
	out := map[string]any{"status": status, "reason": reason}
	var items []evidence.Item
	have := map[string]bool{}
	for st := range s.Workflow().All() {
		v, ok := inner.vars[st.ID]
		if !ok {
			continue
		}
		out[st.ID] = v.plain
		for _, it := range v.items {
			if !have[it.Key] {
				have[it.Key] = true
				items = append(items, it)
			}
		}
	}
	return value{plain: out, items: items}, s.Name + " ended " + status, nil
}
