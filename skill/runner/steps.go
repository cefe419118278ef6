package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

// An executor runs steps one after the other, and notes what became of each.
type executor struct {
	state    *state
	caller   *caller
	searcher *searcher
	composer *composer
	approver *approver

	steps []StepRecord // guarded by state.mu
	keys  int          // in steps
}

// Bounds of a run: loops in loops need no tool to go on and on, and what one tool found may be handed on by each of them.
const (
	maxRunSteps = 100_000
	maxRunKeys  = 2_000_000 // keys of items that all steps together leave in the record
	maxList     = 100_000   // elements of the list that an each makes
)

func (e *executor) stepList(ctx context.Context, f *frame, steps []*workflow.Step) error {
	for _, st := range steps {
		if err := e.step(ctx, f, st); err != nil {
			return err
		}
	}
	return nil
}

// step runs one step, and notes what became of it.
func (e *executor) step(ctx context.Context, f *frame, st *workflow.Step) error {
	if err := e.state.alive(ctx, byStep); err != nil {
		return e.ended(st, err)
	}
	if len(e.steps) >= maxRunSteps {
		return e.ended(st, e.state.limitMet(&limitError{what: fmt.Sprintf("%d steps", maxRunSteps), skill: e.state.frames[0].skill.Name}, byStep))
	}
	if e.keys > maxRunKeys {
		return e.ended(st, e.state.limitMet(&limitError{what: fmt.Sprintf("%d items handed on by steps", maxRunKeys), skill: e.state.frames[0].skill.Name}, byStep))
	}
	if st.When != "" {
		yes, err := f.cond(st.When)
		if err != nil {
			return e.ended(st, &endError{skill.StatusInsufficient, "when: " + err.Error(), st.ID})
		}
		if !yes {
			if _, bound := f.vars[st.ID]; !bound {
				e.state.bind(f, st.ID, none())
			}
			e.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "skipped", Items: []string{}}, nil)
			return nil
		}
	}
	var before string
	e.state.commit(&record.Step{ID: st.ID, Kind: st.Kind, Skill: f.skill.Name}, func() {
		before, e.state.current = e.state.current, st.ID
		if st.Gate() { // one that is asked again in a loop is closed until it answers
			f.close(st.ID)
		}
	})
	v, note, err := e.do(ctx, f, st)
	if err != nil {
		return e.failure(f, st, err, before)
	}
	keys := []string{}
	for _, it := range v.items {
		keys = append(keys, it.Key)
	}
	text, _ := v.extra["text"].(string)
	if content, behind, ok := show.Leading(text); ok { // the marks of a tool are for models
		text = content + behind
	}
	e.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "ok", Note: note, Items: keys, Text: text}, func() {
		e.state.bindLocked(f, st.ID, v)
		f.pass(st.ID, st.Kind != workflow.KindApprove || f.approved[st.ID])
		e.state.current = before
	})
	return nil
}

// failure decides whether the run goes on. A search or call that failed leaves an empty value by default, as whether that
// is enough is for the gates and the ledger to say; a step that had to write something ends the run.
func (e *executor) failure(f *frame, st *workflow.Step, err error, before string) error {
	stop := st.OnError == "stop"
	switch st.Kind {
	case workflow.KindCall, workflow.KindSearch, workflow.KindExpand, workflow.KindRefine:
	default:
		stop = st.OnError != "continue" || st.Gate() || st.Kind == workflow.KindFinish
	}
	var end *endError
	if errors.As(err, &end) || hardError(err) {
		return e.ended(st, err)
	}
	if stop {
		return e.ended(st, &endError{skill.StatusInsufficient, fmt.Sprintf("step %s: %v", st.ID, err), st.ID})
	}
	e.state.bind(f, st.ID, none())
	e.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "failed", Note: err.Error(), Err: err, Items: []string{}}, func() {
		f.pass(st.ID, false)
		e.state.failed = append(e.state.failed, fmt.Sprintf("step %s failed: %v", st.ID, err))
		e.state.current = before
	})
	return nil
}

func (e *executor) ended(st *workflow.Step, err error) error {
	e.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "ended", Note: err.Error(), Items: []string{}}, func() {
		e.state.at = cmp.Or(e.state.at, st.ID)
	})
	return err
}

// note says what became of a step. change is made in the same moment.
func (e *executor) note(s StepRecord, change func()) {
	e.state.commit(&record.StepEnd{ID: s.ID, Status: s.Status, Note: s.Note, Items: s.Items}, func() {
		e.steps = append(e.steps, s)
		e.keys += len(s.Items)
		if change != nil {
			change()
		}
	})
}

// do does what a step says. The note tells a reader what the value does not.
func (e *executor) do(ctx context.Context, f *frame, st *workflow.Step) (v value, note string, err error) {
	switch st.Kind {
	case workflow.KindExpand:
		return e.searcher.expand(ctx, f, st.Expand)
	case workflow.KindRefine:
		return e.searcher.refine(ctx, f, st.Refine)
	case workflow.KindSearch:
		return e.searcher.search(ctx, f, st)
	case workflow.KindCall:
		return e.searcher.callStep(ctx, f, st.Call)
	case workflow.KindAsk:
		return e.composer.ask(ctx, f, st)
	case workflow.KindWrite:
		return e.composer.write(ctx, f, st)
	case workflow.KindEach:
		return e.each(ctx, f, st)
	case workflow.KindLoop:
		return e.loop(ctx, f, st)
	case workflow.KindRequire:
		return e.approver.require(f, st)
	case workflow.KindApprove:
		return e.approver.approve(ctx, f, st)
	case workflow.KindSynthesize:
		return e.composer.synthesize(ctx, f, st)
	case workflow.KindUse:
		return e.use(ctx, f, st)
	case workflow.KindFinish:
		return none(), "", e.finishStep(st)
	}
	return none(), "", fmt.Errorf("unknown kind %q", st.Kind)
}

func (e *executor) finishStep(st *workflow.Step) error {
	switch st.Finish {
	case "nothing_found":
		e.state.mu.Lock()
		searched := slices.Clone(e.caller.searched)
		e.state.mu.Unlock()
		ok, why := evidence.NoneIn(searched)
		e.state.commit(&record.None{Verified: ok, Why: why, Searched: searched}, nil)
		if ok {
			return &endError{skill.StatusVerifiedNone, why, st.ID}
		}
		return &endError{skill.StatusInsufficient, "nothing was found, but that is not proven: " + why, st.ID}
	case skill.StatusDone:
		return &endError{skill.StatusDone, e.state.doneReason(), st.ID}
	}
	return &endError{st.Finish, "the skill ends here", st.ID}
}
