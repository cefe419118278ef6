package skill

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/evidence"
)

const (
	choiceApprove = "approve"
	choiceRevise  = "revise"
	choiceStop    = "stop"
	maxRevisions  = 3
)

// An endError ends the run in a status.
type endError struct {
	status, reason, at string
}

func (e *endError) Error() string { return e.status + " at " + e.at + ": " + e.reason }

// choices returns what may be answered. A step that names none offers approve and stop.
func (a *Approve) choices() []string {
	if len(a.Choices) == 0 {
		return []string{choiceApprove, choiceStop}
	}
	return a.Choices
}

// Run executes the steps in order and returns how it ended. It is called once.
func (run *Run) Run(ctx context.Context) (*Outcome, error) {
	run.mu.Lock()
	if run.ran {
		run.mu.Unlock()
		return nil, errors.New("the run has already run")
	}
	run.ran = true
	run.mu.Unlock()

	wall, cancel := context.WithTimeoutCause(ctx, run.limits.Wall, &limitError{run.limits.Wall.String() + " of time"})
	defer cancel()
	f := run.frames[0]
	err := run.stepList(wall, f, f.skill.Workflow.Steps)
	out := &Outcome{Skill: run.skill.Name, Status: StatusDone}
	var (
		end    *endError
		limit  *limitError
		denied *DeniedError
	)
	switch {
	case err == nil:
		out.Reason = run.doneReason()
	case errors.As(err, &end):
		out.Status, out.Reason, out.At = end.status, end.reason, end.at
	case ctx.Err() != nil:
		out.Status, out.Reason, out.At = StatusStopped, "the caller ended it: "+context.Cause(ctx).Error(), run.at()
	case errors.As(err, &limit) || errors.As(context.Cause(wall), &limit):
		out.Status, out.Reason, out.At = StatusStopped, limit.Error(), run.at()
	case errors.As(err, &denied):
		out.Status, out.Reason, out.At = StatusStopped, denied.Error(), run.at()
	default:
		out.Status, out.Reason, out.At = StatusInsufficient, err.Error(), run.at()
	}
	run.finish(out)
	if ctx.Err() != nil && out.Status == StatusStopped {
		return out, ctx.Err()
	}
	return out, run.rec.err
}

func (run *Run) at() string {
	run.mu.Lock()
	defer run.mu.Unlock()
	return run.current
}

func (run *Run) doneReason() string {
	run.mu.Lock()
	defer run.mu.Unlock()
	return strings.Join(run.failed, "; ")
}

// finish fills in what the run holds, computes the telemetry and closes the record.
func (run *Run) finish(out *Outcome) {
	run.mu.Lock()
	f := run.frames[0]
	run.over = out.Status
	out.Items = append([]evidence.Item{}, run.items...)
	out.Denied = append([]Denial{}, run.denied...)
	out.Steps = append([]StepRecord{}, run.steps...)
	out.ToolCalls, out.Tokens = run.calls, run.tokens
	run.mu.Unlock()
	out.Outputs = map[string]any{}
	for id, v := range f.vars {
		out.Outputs[id] = v.plain
	}
	for _, m := range f.skill.Workflow.Telemetry {
		if out.Telemetry == nil {
			out.Telemetry = map[string]any{}
		}
		v, err := run.metric(f, m, out.Status)
		if err != nil {
			v = "error: " + err.Error()
		}
		out.Telemetry[m.Name] = v
	}
	keys := make([]string, len(out.Items))
	for i, it := range out.Items {
		keys[i] = it.Key
	}
	run.rec.event("outcome", fields{{"status", out.Status}, {"reason", out.Reason}, {"at", out.At}, {"items", keys},
		{"tool_calls", out.ToolCalls}, {"tokens", out.Tokens}, {"telemetry", out.Telemetry}})
	run.r.opt.Logger.Info("skill: run ended", "skill", out.Skill, "status", out.Status, "at", out.At, "calls", out.ToolCalls, "tokens", out.Tokens)
}

func (run *Run) metric(f *frame, m Metric, status string) (any, error) {
	c, err := compileWith(m.Expr, func(args ...any) (any, error) {
		if len(args) != 1 {
			return nil, errors.New("used takes the name of a tool")
		}
		name, _ := args[0].(string)
		run.mu.Lock()
		defer run.mu.Unlock()
		return run.used[run.r.canonical(name)] > 0, nil
	})
	if err != nil {
		return nil, err
	}
	env := f.env()
	env["status"] = status
	return c.eval(env)
}

func (run *Run) stepList(ctx context.Context, f *frame, steps []*Step) error {
	for _, st := range steps {
		if err := run.step(ctx, f, st); err != nil {
			return err
		}
	}
	return nil
}

// step runs one step, and notes what became of it.
func (run *Run) step(ctx context.Context, f *frame, st *Step) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	run.mu.Lock()
	run.current = st.ID
	err := run.within()
	run.mu.Unlock()
	if err != nil {
		return err
	}
	if st.When != "" {
		yes, err := f.cond(st.When)
		if err != nil {
			return run.ended(st, &endError{StatusInsufficient, "when: " + err.Error(), st.ID})
		}
		if !yes {
			if _, bound := f.vars[st.ID]; !bound {
				run.bind(f, st.ID, none())
			}
			run.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "skipped", Items: []string{}})
			return nil
		}
	}
	run.rec.event("step", fields{{"id", st.ID}, {"kind", st.Kind}, {"skill", f.skill.Name}})
	v, note, err := run.do(ctx, f, st)
	run.mu.Lock()
	run.current = st.ID // steps inside have changed it
	run.mu.Unlock()
	if err != nil {
		return run.failure(ctx, f, st, err)
	}
	run.mu.Lock()
	run.bindLocked(f, st.ID, v)
	f.passed[st.ID] = st.Kind != KindApprove || f.approved[st.ID]
	run.mu.Unlock()
	keys := []string{}
	for _, it := range v.items {
		keys = append(keys, it.Key)
	}
	run.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "ok", Note: note, Items: keys})
	return nil
}

// failure decides whether the run goes on. A search or call that failed leaves an empty value by default, as whether that
// is enough is for the gates and the ledger to say; a step that had to write something ends the run.
func (run *Run) failure(ctx context.Context, f *frame, st *Step, err error) error {
	var (
		end    *endError
		limit  *limitError
		denied *DeniedError
	)
	hard := errors.As(err, &end) || errors.As(err, &limit) || errors.As(err, &denied) || ctx.Err() != nil
	stop := st.OnError == "stop"
	switch st.Kind {
	case KindCall, KindSearch, KindExpand, KindRefine:
	default:
		stop = st.OnError != "continue" || st.gate() || st.Kind == KindFinish
	}
	if hard {
		return run.ended(st, err)
	}
	if stop {
		return run.ended(st, &endError{StatusInsufficient, fmt.Sprintf("step %s: %v", st.ID, err), st.ID})
	}
	run.bind(f, st.ID, none())
	run.mu.Lock()
	f.passed[st.ID] = false
	run.failed = append(run.failed, fmt.Sprintf("step %s failed: %v", st.ID, err))
	run.mu.Unlock()
	run.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "failed", Note: err.Error(), Items: []string{}})
	return nil
}

func (run *Run) ended(st *Step, err error) error {
	run.note(StepRecord{ID: st.ID, Kind: st.Kind, Status: "ended", Note: err.Error(), Items: []string{}})
	return err
}

func (run *Run) note(s StepRecord) {
	run.mu.Lock()
	run.steps = append(run.steps, s)
	run.mu.Unlock()
	run.rec.event("step_end", fields{{"id", s.ID}, {"status", s.Status}, {"note", s.Note}, {"items", s.Items}})
}

// do does what a step says. The note tells a reader what the value does not.
func (run *Run) do(ctx context.Context, f *frame, st *Step) (v value, note string, err error) {
	switch st.Kind {
	case KindExpand:
		return run.expand(f, st.Expand)
	case KindRefine:
		return run.refine(f, st.Refine)
	case KindSearch:
		return run.search(ctx, f, st)
	case KindCall:
		return run.callStep(ctx, f, st.Call)
	case KindAsk:
		return run.ask(ctx, f, st)
	case KindWrite:
		return run.write(ctx, f, st)
	case KindEach:
		return run.each(ctx, f, st)
	case KindLoop:
		return run.loop(ctx, f, st)
	case KindRequire:
		return run.require(f, st)
	case KindApprove:
		return run.approve(ctx, f, st)
	case KindSynthesize:
		return run.synthesize(ctx, f, st)
	case KindUse:
		return run.use(ctx, f, st)
	case KindFinish:
		return none(), "", run.finishStep(st)
	}
	return none(), "", fmt.Errorf("unknown kind %q", st.Kind)
}

func (run *Run) require(f *frame, st *Step) (value, string, error) {
	run.mu.Lock()
	f.passed[st.ID] = false // a gate asked again in a loop is closed until it answers
	run.mu.Unlock()
	yes, err := f.cond(st.Require.Cond)
	status := cmpOr(st.Require.Else, StatusInsufficient)
	if err != nil {
		return none(), "", &endError{StatusInsufficient, err.Error(), st.ID}
	}
	run.rec.event("gate", fields{{"id", st.ID}, {"condition", st.Require.Cond}, {"passed", yes}})
	if !yes {
		return none(), "", &endError{status, fmt.Sprintf("%s (%s does not hold)", cmpOr(st.Require.Because, "a required condition"), st.Require.Cond), st.ID}
	}
	return value{plain: true}, "", nil
}

func (run *Run) approve(ctx context.Context, f *frame, st *Step) (value, string, error) {
	a := st.Approve
	for round := 0; ; round++ {
		run.mu.Lock()
		f.approved[st.ID], f.person[st.ID] = false, false
		run.mu.Unlock()
		shown, err := f.template(a.What)
		if err != nil {
			return none(), "", &endError{StatusStopped, err.Error(), st.ID}
		}
		req := Approval{Skill: f.skill.Name, Step: st.ID, Text: render(shown), Choices: slices.Clone(a.choices())}
		choice, by := cmpOr(a.Unattended, choiceStop), "policy"
		if run.r.opt.Approve != nil {
			by = "callback"
			choice, err = run.r.opt.Approve(ctx, req)
			if errors.Is(err, ErrUnattended) {
				choice, by, err = cmpOr(a.Unattended, choiceStop), "policy", nil
			}
			if err != nil {
				return none(), "", &endError{StatusStopped, "approval of " + st.ID + ": " + err.Error(), st.ID}
			}
		}
		run.rec.event("approval", fields{{"id", st.ID}, {"choice", choice}, {"by", by}})
		switch {
		case choice == choiceApprove:
			run.mu.Lock()
			f.approved[st.ID], f.person[st.ID] = true, by == "callback"
			run.mu.Unlock()
			return value{plain: choice}, "approved by " + by, nil
		case choice != choiceStop && !slices.Contains(a.choices(), choice):
			return none(), "", &endError{StatusStopped, fmt.Sprintf("approval of %s: %q is none of %s", st.ID, choice, strings.Join(a.choices(), ", ")), st.ID}
		case choice == choiceStop && by == "policy":
			return none(), "", &endError{StatusStopped, fmt.Sprintf("approval of %s: nobody can be asked in an unattended run, and the skill says stop", st.ID), st.ID}
		case choice == choiceStop:
			return none(), "", &endError{StatusStopped, fmt.Sprintf("approval of %s: the answer was stop", st.ID), st.ID}
		case choice == choiceRevise:
			if err := run.revise(ctx, f, st, round); err != nil {
				return none(), "", err
			}
		default:
			return value{plain: choice}, "the choice was " + choice, nil
		}
	}
}

// revise writes again what an approval shows.
func (run *Run) revise(ctx context.Context, f *frame, st *Step, round int) error {
	stop := func(why string) error {
		return &endError{StatusStopped, fmt.Sprintf("approval of %s: the answer was revise, %s", st.ID, why), st.ID}
	}
	var source *Step
	if e, err := compileExpr(unwrap(st.Approve.What)); err == nil && len(e.names) == 1 {
		for s := range allSteps(f.skill.Workflow.Steps) {
			if s.ID == e.names[0] && s.Kind == KindWrite {
				source = s
			}
		}
	}
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

func (run *Run) finishStep(st *Step) error {
	switch st.Finish {
	case "nothing_found":
		run.mu.Lock()
		searched := slices.Clone(run.searched)
		run.mu.Unlock()
		ok, why := evidence.NoneIn(searched)
		run.rec.event("none", fields{{"verified", ok}, {"why", why}})
		if ok {
			return &endError{StatusVerifiedNone, why, st.ID}
		}
		return &endError{StatusInsufficient, "nothing was found, but that is not proven: " + why, st.ID}
	case StatusDone:
		return &endError{StatusDone, run.doneReason(), st.ID}
	}
	return &endError{st.Finish, "the skill ends here", st.ID}
}

func (run *Run) loop(ctx context.Context, f *frame, st *Step) (value, string, error) {
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
			return none(), "", &endError{StatusInsufficient, "until: " + err.Error(), st.ID}
		}
		if yes {
			return last, fmt.Sprintf("%d rounds", round), nil
		}
	}
	return last, fmt.Sprintf("%d rounds, the most", st.Loop.Max), nil
}

func (run *Run) each(ctx context.Context, f *frame, st *Step) (value, string, error) {
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
		run.bind(f, st.Each.As, value{plain: el})
		if err := run.stepList(ctx, f, st.Each.Steps); err != nil {
			return none(), "", err
		}
		v := f.vars[st.Each.Steps[len(st.Each.Steps)-1].ID]
		if l, ok := v.plain.([]any); ok {
			joined = append(joined, l...)
		} else if v.plain != nil {
			joined = append(joined, v.plain)
		}
		for _, it := range v.items {
			if !have[it.Key] {
				have[it.Key] = true
				items = append(items, it)
			}
		}
	}
	run.mu.Lock()
	run.unbind(f, st.Each.As) // an approval of the last element is none of what follows
	run.mu.Unlock()
	return value{plain: joined, items: items}, note, nil
}

func (run *Run) use(ctx context.Context, f *frame, st *Step) (value, string, error) {
	s := f.skill.uses[st.Use.Skill]
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
	inner := newFrame(s, in)
	run.mu.Lock()
	run.frames = append(run.frames, inner)
	run.mu.Unlock()
	defer func() {
		run.mu.Lock()
		run.frames = run.frames[:len(run.frames)-1]
		run.mu.Unlock()
	}()
	run.rec.event("use", fields{{"skill", s.Name}, {"digest", s.Digest}, {"inputs", in}})
	err = run.stepList(ctx, inner, s.Workflow.Steps)
	var end *endError
	status, reason := StatusDone, ""
	if errors.As(err, &end) && end.status != StatusStopped {
		status, reason, err = end.status, end.reason, nil
	}
	if err != nil {
		return none(), "", err
	}
	out := map[string]any{"status": status, "reason": reason}
	var items []evidence.Item
	for st := range allSteps(s.Workflow.Steps) {
		if v, ok := inner.vars[st.ID]; ok {
			out[st.ID] = v.plain
			items = v.items
		}
	}
	return value{plain: out, items: items}, s.Name + " ended " + status, nil
}
