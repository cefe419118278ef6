package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/bounded"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/gate"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

const maxRevisions = 3

// Run executes the steps in order and returns how it ended. It is called once.
func (run *Run) Run(ctx context.Context) (*Outcome, error) {
	run.mu.Lock()
	if run.ran {
		run.mu.Unlock()
		return nil, errors.New("the run has already run")
	}
	run.ran = true
	run.mu.Unlock()

	f := run.frames[0]
	wall, cancel := run.deadline(ctx, f)
	defer cancel()
	err := run.stepList(wall, f, f.skill.Workflow.Steps)
	out := &Outcome{Skill: run.skill.Name, Status: skill.StatusDone}
	var (
		end       *endError
		limit     *limitError
		denied    *skill.DeniedError
		cancelled *cancelError
		missing   *ReplayError
	)
	at := run.endedAt()
	switch {
	case err == nil:
		out.Reason = run.doneReason()
	case errors.As(err, &missing):
		return nil, missing
	case errors.As(err, &cancelled):
		out.Status, out.Reason, out.At = skill.StatusStopped, cancelled.Error(), at
	case errors.As(err, &limit):
		out.Status, out.Reason, out.At = skill.StatusStopped, limit.Error(), at
	case errors.As(err, &end):
		out.Status, out.Reason, out.At = end.status, end.reason, end.at
	case errors.As(err, &denied):
		out.Status, out.Reason, out.At = skill.StatusStopped, denied.Error(), at
	default:
		out.Status, out.Reason, out.At = skill.StatusInsufficient, err.Error(), at
	}
	run.finish(out)
	if cancelled != nil && run.play == nil {
		return out, ctx.Err()
	}
	return out, run.rec.Err()
}

func (run *Run) endedAt() string {
	run.mu.Lock()
	defer run.mu.Unlock()
	return cmp.Or(run.at, run.current)
}

func (run *Run) doneReason() string {
	run.mu.Lock()
	defer run.mu.Unlock()
	return strings.Join(run.failed, "; ")
}

// finish fills in what the run holds, computes the telemetry and closes the record.
func (run *Run) finish(out *Outcome) {
	run.turn()
	f := run.frames[0]
	out.Outputs = map[string]any{}
	for st := range f.skill.Workflow.All() {
		if v, ok := f.vars[st.ID]; ok {
			out.Outputs[st.ID] = v.plain
		}
	}
	// What the host still calls counts before the outcome or after it, never in one and not the other.
	run.mu.Lock()
	out.Items = append([]evidence.Item{}, run.items...)
	out.Denied = append([]Denial{}, run.denied...)
	out.Steps = append([]StepRecord{}, run.steps...)
	out.ToolCalls, out.Tokens = run.calls, run.tokens
	out.Telemetry = run.telemetry(f, out.Status)
	keys := make([]string, len(out.Items))
	for i, it := range out.Items {
		keys[i] = it.Key
	}
	run.over = out.Status
	run.rec.Write(&record.Outcome{Status: out.Status, Reason: out.Reason, At: out.At, Items: keys, ToolCalls: out.ToolCalls, Tokens: out.Tokens, Telemetry: out.Telemetry})
	out.Measures = run.rec.Measures(out.Status)
	run.mu.Unlock()
	run.turn()
}

// telemetry computes the skill's own metrics, and those of reference questions where there was one. Nil: there are none.
// run.mu is held.
func (run *Run) telemetry(f *frame, status string) map[string]any {
	out := map[string]any{}
	for _, m := range f.skill.Workflow.Telemetry {
		v, err := run.metric(f, m, status)
		if err != nil {
			v = "error: " + err.Error()
		}
		out[m.Name] = v
	}
	if m := run.rec.Measures(status); m.ReferenceToolHits > 0 {
		for name, v := range map[string]any{"reference_tool_hits": m.ReferenceToolHits, "caller_resolution_rate": m.CallerResolutionRate} {
			if _, own := out[name]; !own {
				out[name] = v
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// metric is one number of the skill's. run.mu is held.
func (run *Run) metric(f *frame, m workflow.Metric, status string) (any, error) {
	c, err := expression.CompileUsed(m.Expr, func(args ...any) (any, error) {
		if len(args) != 1 {
			return nil, errors.New("used takes the name of a tool")
		}
		name, _ := args[0].(string)
		return run.used[run.r.tools.Canonical(name)] > 0, nil
	})
	if err != nil {
		return nil, err
	}
	return c.Eval(f.environment(map[string]any{"status": status}))
}

func (run *Run) stepList(ctx context.Context, f *frame, steps []*workflow.Step) error {
	for _, st := range steps {
		if err := run.step(ctx, f, st); err != nil {
			return err
		}
	}
	return nil
}

// Bounds of a run: loops in loops need no tool to go on and on, and what one tool found may be handed on by each of them.
const (
	maxRunSteps = 100_000
	maxRunKeys  = 2_000_000 // keys of items that all steps together leave in the record
	maxList     = 100_000   // elements of the list that an each makes
)

// step runs one step, and notes what became of it.
func (run *Run) step(ctx context.Context, f *frame, st *workflow.Step) error {
	if err := run.alive(ctx, byStep); err != nil {
		return run.ended(st, err)
	}
	if len(run.steps) >= maxRunSteps {
		return run.ended(st, run.limitMet(&limitError{what: fmt.Sprintf("%d steps", maxRunSteps), skill: run.skill.Name}, byStep))
	}
	if run.keys > maxRunKeys {
		return run.ended(st, run.limitMet(&limitError{what: fmt.Sprintf("%d items handed on by steps", maxRunKeys), skill: run.skill.Name}, byStep))
	}
	if st.When != "" {
		yes, err := f.cond(st.When)
		if err != nil {
			return run.ended(st, &endError{skill.StatusInsufficient, "when: " + err.Error(), st.ID})
		}
		if !yes {
			if _, bound := f.vars[st.ID]; !bound {
				run.bind(f, st.ID, none())
			}
			run.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "skipped", Items: []string{}}, nil)
			return nil
		}
	}
	var before string
	run.commit(&record.Step{ID: st.ID, Kind: st.Kind, Skill: f.skill.Name}, func() {
		before, run.current = run.current, st.ID
		if st.Gate() { // one that is asked again in a loop is closed until it answers
			f.close(st.ID)
		}
	})
	v, note, err := run.do(ctx, f, st)
	if err != nil {
		return run.failure(f, st, err, before)
	}
	keys := []string{}
	for _, it := range v.items {
		keys = append(keys, it.Key)
	}
	run.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "ok", Note: note, Items: keys}, func() {
		run.bindLocked(f, st.ID, v)
		f.pass(st.ID, st.Kind != workflow.KindApprove || f.approved[st.ID])
		run.current = before
	})
	return nil
}

// failure decides whether the run goes on. A search or call that failed leaves an empty value by default, as whether that
// is enough is for the gates and the ledger to say; a step that had to write something ends the run.
func (run *Run) failure(f *frame, st *workflow.Step, err error, before string) error {
	stop := st.OnError == "stop"
	switch st.Kind {
	case workflow.KindCall, workflow.KindSearch, workflow.KindExpand, workflow.KindRefine:
	default:
		stop = st.OnError != "continue" || st.Gate() || st.Kind == workflow.KindFinish
	}
	var end *endError
	if errors.As(err, &end) || hardError(err) {
		return run.ended(st, err)
	}
	if stop {
		return run.ended(st, &endError{skill.StatusInsufficient, fmt.Sprintf("step %s: %v", st.ID, err), st.ID})
	}
	run.bind(f, st.ID, none())
	run.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "failed", Note: err.Error(), Items: []string{}}, func() {
		f.pass(st.ID, false)
		run.failed = append(run.failed, fmt.Sprintf("step %s failed: %v", st.ID, err))
		run.current = before
	})
	return nil
}

func (run *Run) ended(st *workflow.Step, err error) error {
	run.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "ended", Note: err.Error(), Items: []string{}}, func() {
		run.at = cmp.Or(run.at, st.ID)
	})
	return err
}

// note says what became of a step. change is made in the same moment.
func (run *Run) note(s StepRecord, change func()) {
	run.commit(&record.StepEnd{ID: s.ID, Status: s.Status, Note: s.Note, Items: s.Items}, func() {
		run.steps = append(run.steps, s)
		run.keys += len(s.Items)
		if change != nil {
			change()
		}
	})
}

// do does what a step says. The note tells a reader what the value does not.
func (run *Run) do(ctx context.Context, f *frame, st *workflow.Step) (v value, note string, err error) {
	switch st.Kind {
	case workflow.KindExpand:
		return run.expand(ctx, f, st.Expand)
	case workflow.KindRefine:
		return run.refine(ctx, f, st.Refine)
	case workflow.KindSearch:
		return run.search(ctx, f, st)
	case workflow.KindCall:
		return run.callStep(ctx, f, st.Call)
	case workflow.KindAsk:
		return run.ask(ctx, f, st)
	case workflow.KindWrite:
		return run.write(ctx, f, st)
	case workflow.KindEach:
		return run.each(ctx, f, st)
	case workflow.KindLoop:
		return run.loop(ctx, f, st)
	case workflow.KindRequire:
		return run.require(f, st)
	case workflow.KindApprove:
		return run.approve(ctx, f, st)
	case workflow.KindSynthesize:
		return run.synthesize(ctx, f, st)
	case workflow.KindUse:
		return run.use(ctx, f, st)
	case workflow.KindFinish:
		return none(), "", run.finishStep(st)
	}
	return none(), "", fmt.Errorf("unknown kind %q", st.Kind)
}

func (run *Run) require(f *frame, st *workflow.Step) (value, string, error) {
	yes, err := f.cond(st.Require.Cond)
	status := cmp.Or(st.Require.Else, skill.StatusInsufficient)
	if err != nil {
		return none(), "", &endError{skill.StatusInsufficient, err.Error(), st.ID}
	}
	run.commit(&record.Gate{ID: st.ID, Condition: st.Require.Cond, Passed: yes}, nil)
	if !yes {
		return none(), "", &endError{status, fmt.Sprintf("%s (%s does not hold)", cmp.Or(st.Require.Because, "a required condition"), st.Require.Cond), st.ID}
	}
	return value{plain: true}, "", nil
}

func (run *Run) approve(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	a := st.Approve
	for round := 0; ; round++ {
		shown, err := f.template(a.What)
		if err != nil {
			return none(), "", &endError{skill.StatusStopped, err.Error(), st.ID}
		}
		req := Approval{Skill: f.skill.Name, Step: st.ID, Text: jsonvalue.Render(shown), Choices: slices.Clone(a.Offered())}
		run.commit(&record.Asked{ID: st.ID, Text: req.Text, Choices: req.Choices}, func() { f.close(st.ID) })
		choice, by, err := run.choose(ctx, a, req)
		if err == nil && choice == workflow.ChoiceApprove && by != byPerson && !run.trusted {
			choice, err = "", fmt.Errorf("nobody can be asked, and the host's policy does not name this skill (digest %s): run it on a terminal, or allow it with --trust-skill DIGEST", run.skill.Digest)
		}
		said := &record.Approval{ID: st.ID, Choice: choice, By: by}
		if err != nil {
			said.Error = err.Error()
		}
		run.commit(said, func() {
			if err == nil && choice == workflow.ChoiceApprove {
				f.approve(st.ID)
			}
		})
		if over := run.alive(ctx, byStep); over != nil {
			return none(), "", over
		}
		if err != nil {
			return none(), "", &endError{skill.StatusStopped, "approval of " + st.ID + ": " + err.Error(), st.ID}
		}
		switch {
		case choice == workflow.ChoiceApprove:
			return value{plain: choice}, "approved by " + by, nil
		case choice != workflow.ChoiceStop && !slices.Contains(a.Offered(), choice):
			return none(), "", &endError{skill.StatusStopped, fmt.Sprintf("approval of %s: %q is none of %s", st.ID, choice, strings.Join(a.Offered(), ", ")), st.ID}
		case choice == workflow.ChoiceStop && by == byPolicy:
			return none(), "", &endError{skill.StatusStopped, fmt.Sprintf("approval of %s: nobody can be asked in an unattended run, and the skill says stop", st.ID), st.ID}
		case choice == workflow.ChoiceStop:
			return none(), "", &endError{skill.StatusStopped, fmt.Sprintf("approval of %s: the answer was stop", st.ID), st.ID}
		case choice == workflow.ChoiceRevise:
			if err := run.revise(ctx, f, st, round); err != nil {
				return none(), "", err
			}
		default:
			return value{plain: choice}, "the choice was " + choice, nil
		}
	}
}

// revise writes again what an approval shows.
func (run *Run) revise(ctx context.Context, f *frame, st *workflow.Step, round int) error {
	stop := func(why string) error {
		return &endError{skill.StatusStopped, fmt.Sprintf("approval of %s: the answer was revise, %s", st.ID, why), st.ID}
	}
	source := gate.Revised(f.skill.Workflow, st)
	switch {
	case run.r.model == nil:
		return stop("and there is no model that could")
	case source == nil:
		return stop("and it shows no write step's text")
	case round >= maxRevisions:
		return stop(fmt.Sprintf("%d times", round+1))
	}
	v, _, err := run.write(ctx, f, source)
	if err != nil {
		return err
	}
	run.bind(f, source.ID, v)
	return nil
}

// choose asks a person, or the policy of the step when nobody can be asked.
func (run *Run) choose(ctx context.Context, a *workflow.Approve, req Approval) (choice, by string, err error) {
	if run.play != nil {
		return run.play.choice(run, req.Step)
	}
	if run.r.opt.Approve != nil {
		choice, err = bounded.Call(ctx, "the approval of "+req.Step, run.r.opt.Grace, func() (string, error) { return run.r.opt.Approve(ctx, req) })
		if !errors.Is(err, ErrUnattended) {
			return choice, byPerson, err
		}
	}
	return cmp.Or(a.Unattended, workflow.ChoiceStop), byPolicy, nil
}

func (run *Run) finishStep(st *workflow.Step) error {
	switch st.Finish {
	case "nothing_found":
		run.mu.Lock()
		searched := slices.Clone(run.searched)
		run.mu.Unlock()
		ok, why := evidence.NoneIn(searched)
		run.commit(&record.None{Verified: ok, Why: why, Searched: searched}, nil)
		if ok {
			return &endError{skill.StatusVerifiedNone, why, st.ID}
		}
		return &endError{skill.StatusInsufficient, "nothing was found, but that is not proven: " + why, st.ID}
	case skill.StatusDone:
		return &endError{skill.StatusDone, run.doneReason(), st.ID}
	}
	return &endError{st.Finish, "the skill ends here", st.ID}
}

func (run *Run) loop(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	last := none()
	for round := 1; round <= st.Loop.Max; round++ {
		if err := run.stepList(ctx, f, st.Loop.Steps); err != nil {
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

func (run *Run) each(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	of, err := f.template(st.Each.Of)
	if err != nil {
		return none(), "", err
	}
	list, ok := of.([]any)
	if !ok {
		return none(), "", fmt.Errorf("each: %s is no list", st.Each.Of)
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
		run.bind(f, st.Each.As, value{plain: el, items: itemsIn(el, run.ledger)})
		if err := run.stepList(ctx, f, st.Each.Steps); err != nil {
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
	run.turn()
	run.mu.Lock()
	run.unbind(f, st.Each.As) // an approval of the last element is none of what follows
	run.mu.Unlock()
	return value{plain: joined, items: items}, note, nil
}

func (run *Run) use(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	s := f.skill.Uses()[st.Use.Skill]
	if s == nil || s.Workflow == nil {
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
	inner := run.newFrame(s, in, run.r.opt.Limits)
	if inner.shown, err = f.handedOn(st.Use.With, in); err != nil {
		return none(), "", err
	}
	run.commit(&record.Use{Skill: s.Name, Digest: s.Digest, Inputs: in}, func() { run.frames = append(run.frames, inner) })
	wall, cancel := run.deadline(ctx, inner)
	defer cancel()
	err = run.stepList(wall, inner, s.Workflow.Steps)
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
	run.commit(&record.UseEnd{Skill: s.Name, Status: status, Reason: reason}, func() {
		run.frames = run.frames[:len(run.frames)-1]
		if limit != nil && limit.frame == inner {
			run.stopped, run.at = nil, ""
		}
	})
	if err != nil {
		return none(), "", err
	}
	out := map[string]any{"status": status, "reason": reason}
	var items []evidence.Item
	have := map[string]bool{}
	for st := range s.Workflow.All() {
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
