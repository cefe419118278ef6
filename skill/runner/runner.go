package runner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/bounded"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/toolset"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

// Options change how skills run. The zero value is usable: unattended, without a record.
type Options struct {
	// Approve asks a person and returns one of the choices. Nil, or an error wrapping [ErrUnattended]: nobody can be asked, and the
	// step's unattended policy chooses. Its choice is no approval unless TrustDigests names the skill: the run then ends stopped.
	Approve func(ctx context.Context, a Approval) (string, error)
	Record  io.Writer // gets one JSON object a line as things happen; nil: no record
	// Events gets each event when it happens, in order, one call at a time. It must not block, change the event or call
	// the run. Nil: nobody does.
	Events func(record.Event)
	Ledger *evidence.Ledger // shared with the host; nil: one per run
	Source evidence.Source  // where quotes of a model are verified; nil: in the text of the cited item
	Logger *slog.Logger     // prints the events, those of steps and calls at level debug; nil discards
	Now    func() time.Time // nil: time.Now; times of the record and the wall limit
	// Wait sleeps before a retry; nil sleeps in real time and ends with ctx.
	Wait func(ctx context.Context, d time.Duration) error
	// AllowWrites lets tools that write run in a skill that has no approval before them. Without it such a tool is denied
	// until some approve step of the run is approved, whatever the skill's own guards say.
	AllowWrites bool
	// TrustDigests are digests of skills ([skill.Skill.Digest]: all 64 hexadecimal digits, in either case) whose own choice for unattended
	// runs (unattended: approve) counts as a person's when nobody can be asked. It is for a host whose user has read those skills. A
	// skill that another one uses approves nothing by a digest of its own: that of the skill which is run covers it. Start refuses
	// what is no whole digest.
	TrustDigests []string
	// Scripts lets skills run scripts of their folders through the tool run_script; nil: none is ever run.
	Scripts *ScriptOptions
	Hooks   []*skill.Hooks  // around every tool call of the run and its final answer, in this order
	Limits  workflow.Limits // bounds that no skill can raise; zero fields: 1000 calls, 1 hour, no bound on tokens
	// Grace is how long a tool, a model or an approval that ignores the end of its context is waited for before the run
	// goes on without it, with a [*skill.HangError]; 0 means 2 seconds.
	Grace time.Duration
}

// ErrUnattended is what [Options.Approve] returns when nobody can be asked now.
var ErrUnattended = errors.New("nobody can be asked")

// An Approval is what a person is asked.
type Approval struct {
	Skill   string   `json:"skill"`
	Step    string   `json:"step"`
	Text    string   `json:"text"`
	Choices []string `json:"choices"`
}

// A Runner runs skills over a set of tools. It is safe for concurrent use, and its runs are apart from one another.
type Runner struct {
	model skill.Model
	tools *toolset.Set
	bad   error // what is wrong with the tools and options
	opt   Options
}

// New returns a runner. model may be nil: steps that need one then say so.
func New(model skill.Model, tools []skill.Tool, o *Options) *Runner {
	r := &Runner{model: model}
	if o != nil {
		r.opt = *o
	}
	if r.opt.Now == nil {
		r.opt.Now = time.Now
	}
	if r.opt.Logger == nil {
		r.opt.Logger = slog.New(slog.DiscardHandler)
	}
	if r.opt.Wait == nil {
		r.opt.Wait = func(ctx context.Context, d time.Duration) error {
			t := time.NewTimer(d)
			defer t.Stop()
			select {
			case <-t.C:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	if r.opt.Grace == 0 {
		r.opt.Grace = bounded.Grace
	}
	if r.opt.Limits.ToolCalls == 0 {
		r.opt.Limits.ToolCalls = 1000
	}
	if r.opt.Limits.Wall == 0 {
		r.opt.Limits.Wall = time.Hour
	}
	if r.opt.Scripts != nil {
		tools = append(slices.Clone(tools), scriptTool(r.opt.Scripts))
	}
	r.tools, r.bad = toolset.New(tools)
	r.opt.TrustDigests = slices.Clone(r.opt.TrustDigests)
	for i, d := range r.opt.TrustDigests {
		if !isDigest(d) {
			r.bad = errors.Join(r.bad, fmt.Errorf("%q is not the digest of a skill: give all 64 hexadecimal digits, as findspot skill show prints them: %w", message.Clip(d, 80), skill.ErrFormat))
		}
		r.opt.TrustDigests[i] = strings.ToLower(d)
	}
	return r
}

// isDigest reports whether a text is a whole SHA-256 in hexadecimal digits.
func isDigest(s string) bool {
	sum, err := hex.DecodeString(s)
	return err == nil && len(sum) == sha256.Size
}

// Run runs a skill to its end. The error is of the call itself (a skill without a workflow, wrong inputs, a record that
// cannot be written, ctx ended); how the run went is in the outcome, which is also returned with the last two.
func (r *Runner) Run(ctx context.Context, s *skill.Skill, inputs map[string]any) (*Outcome, error) {
	run, err := r.Start(ctx, s, inputs)
	if err != nil {
		return nil, err
	}
	return run.Run(ctx)
}

// Start makes a skill active without running its steps: its guards hold from now on for [Run.Tools] and [Run.Call].
func (r *Runner) Start(ctx context.Context, s *skill.Skill, inputs map[string]any) (*Run, error) {
	return r.start(s, inputs, nil)
}

func (r *Runner) start(s *skill.Skill, inputs map[string]any, play *player) (*Run, error) {
	switch {
	case r.bad != nil:
		return nil, r.bad
	case s == nil:
		return nil, errors.New("no skill is given")
	case s.Workflow() == nil:
		return nil, fmt.Errorf("skill %s: it has no workflow block, and is text for a model only: %w", s.Name, skill.ErrUnsupported)
	}
	if problems := s.Workflow().Check(cmp.Or(s.File, s.Name), s.Allowed()); len(problems) > 0 {
		return nil, &skill.LoadError{File: cmp.Or(s.File, s.Name), Problems: problems}
	}
	in, err := bindInputs(s, inputs)
	if err != nil {
		return nil, err
	}
	opt := &r.opt
	f := newFrame(s, in, opt.Limits, opt.Now())
	st := &state{opt: opt, play: play, frames: []*frame{f}}
	c := &caller{state: st, tools: r.tools, ledger: opt.Ledger, used: map[string]int{}, seen: map[string]bool{}}
	if c.ledger == nil {
		c.ledger = evidence.NewLedger()
	}
	to, o := opt.Record, record.Options{Events: opt.Events, Logger: opt.Logger, Time: func(record.Event) time.Time { return opt.Now() }}
	if play != nil {
		play.caller = c
		to, o.Events, o.Time = play.follow(to), play.sees, play.time
	}
	st.log = record.NewWriter(to, &o)
	w := &writer{state: st, caller: c, model: r.model}
	if opt.Source != nil {
		w.src = &loggedSource{st, opt.Source}
	}
	compose := &composer{state: st, caller: c, writer: w}
	approve := &approver{state: st, composer: compose}
	run := &Run{state: st, caller: c, exec: &executor{state: st, caller: c, searcher: &searcher{state: st, caller: c, writer: w}, composer: compose, approver: approve}}
	var trusted []string
	if slices.Contains(r.opt.TrustDigests, s.Digest) {
		approve.trusted, trusted = true, []string{s.Digest}
	}
	st.log.Write(&record.Run{Skill: s.Name, Digest: s.Digest, Inputs: in, Tools: record.Offers(r.tools.ByName, func(tool string) bool { return mayOffer(r.tools, s, tool) }),
		Model: r.model != nil, Source: r.opt.Source != nil, AllowWrites: r.opt.AllowWrites, TrustDigests: trusted,
		ToolCalls: f.limits.ToolCalls, Wall: f.limits.Wall, Tokens: f.limits.Tokens})
	return run, st.log.Err()
}

// mayOffer reports whether the skill, or one that it uses, may call a tool: then the record holds its definition. That
// of the search tools says which arguments a search step passes on.
func mayOffer(tools *toolset.Set, s *skill.Skill, tool string) bool {
	seen := map[*skill.Skill]bool{} // two that use one in common, again and again, make more ways than can be walked
	var any func(s *skill.Skill) bool
	any = func(s *skill.Skill) bool {
		if seen[s] {
			return false
		}
		seen[s] = true
		if s.Allowed() == nil || tools.Lists(s.Allowed(), tool) {
			return true
		}
		for _, u := range s.Uses() { // no circle: loading refuses one
			if any(u) {
				return true
			}
		}
		return false
	}
	return tool == convention.SearchDocs || tool == convention.SearchCode || any(s)
}

func tighter(a, host workflow.Limits) workflow.Limits {
	if a.ToolCalls == 0 {
		a.ToolCalls = 200
	}
	if a.Wall == 0 {
		a.Wall = 15 * time.Minute
	}
	a.ToolCalls = min(a.ToolCalls, host.ToolCalls)
	a.Wall = min(a.Wall, host.Wall)
	if host.Tokens > 0 && (a.Tokens == 0 || a.Tokens > host.Tokens) {
		a.Tokens = host.Tokens
	}
	return a
}

// bindInputs checks the inputs of a run against what the skill declares and fills in defaults.
func bindInputs(s *skill.Skill, given map[string]any) (map[string]any, error) {
	out := map[string]any{}
	var errs []error
	for _, in := range s.Workflow().Inputs {
		out[in.Name] = in.Default
		v, ok := given[in.Name]
		if !ok || v == nil {
			if in.Required && in.Default == nil {
				errs = append(errs, fmt.Errorf("input %q is missing", in.Name))
			}
			continue
		}
		p, err := jsonvalue.Copy(v)
		if err != nil {
			errs = append(errs, fmt.Errorf("input %q: %w", in.Name, err))
			continue
		}
		p = jsonvalue.WholeNumbers(p)
		if text, isText := p.(string); in.Required && isText && strings.TrimSpace(text) == "" {
			errs = append(errs, fmt.Errorf("input %q is empty", in.Name))
		} else if !jsonvalue.HasType(p, in.Type) {
			errs = append(errs, fmt.Errorf("input %q is no %s", in.Name, in.Type))
		}
		out[in.Name] = p
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := out[name]; !ok {
			errs = append(errs, fmt.Errorf("no input is named %q", name))
		}
	}
	if len(errs) > 0 {
		return nil, fmt.Errorf("skill %s: %w", s.Name, errors.Join(errs...))
	}
	return out, nil
}
