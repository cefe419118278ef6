package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

// A ReplayError says where a run and its record part, so that the record cannot stand for it. It wraps [skill.ErrStale].
type ReplayError struct {
	Line   int // of the record, from 1
	Reason string
	Want   string // what the record has there, shortened; may be empty
	Got    string // what the run does there, shortened; may be empty
}

func (e *ReplayError) Error() string {
	msg := fmt.Sprintf("record, line %d: %s", e.Line, e.Reason)
	if e.Want != "" {
		msg += "\n  the record has " + e.Want
	}
	if e.Got != "" {
		msg += "\n  the run does   " + e.Got
	}
	return msg
}

// Unwrap returns ErrStale.
func (e *ReplayError) Unwrap() error { return errs.Stale }

// Replay runs the skill of a record once more without a model, tools, persons, network or clock: what they gave, when,
// and what the host called meanwhile comes from the record. The journal is written to w (nil: nowhere), and is the record again,
// byte for byte; the outcome is the run's.
//
// The skill must be the one of the record: another digest is refused with an error wrapping [skill.ErrStale]. A damaged record
// is a [*record.Error], one that the run does not follow, or that ends before the run does, a [*ReplayError].
func Replay(ctx context.Context, s *skill.Skill, from io.Reader, w io.Writer) (*Outcome, error) {
	lines, first, err := wholeRecord(from)
	if err != nil {
		return nil, err
	}
	if first.Skill != s.Name || first.Digest != s.Digest {
		return nil, &ReplayError{Line: 1, Reason: fmt.Sprintf("it is of skill %s with digest %.12s, and this one is %s with %.12s: replay it with that version of the skill, "+
			"run the skill again with --record, or compare the two with skill test", first.Skill, first.Digest, s.Name, s.Digest)}
	}
	return replay(ctx, s, newPlayer(lines, true), first, w)
}

// wholeRecord reads the record of a skill's run.
func wholeRecord(from io.Reader) (lines []record.Line, first *record.Run, err error) {
	for l, err := range record.Lines(from) {
		if err != nil {
			return nil, nil, err
		}
		lines = append(lines, l)
	}
	first = lines[0].Event.(*record.Run) // readLines sees to it
	var old struct {
		TrustPolicy bool `json:"trust_policy"`
	}
	if err := json.Unmarshal(lines[0].Raw, &old); err == nil && old.TrustPolicy {
		return nil, nil, &record.Error{Line: 1, Reason: "it is of a run in which the skill approved itself by trust_policy, which no version does any more: " +
			"run the skill again with --record, and with --trust-skill DIGEST if its digest is to be trusted"}
	}
	if first.Skill == "" {
		return nil, nil, fmt.Errorf("the record is of an agent without a skill (%s), which has no steps to run again: %w", first.Agent, skill.ErrUnsupported)
	}
	return lines, first, nil
}

func replay(ctx context.Context, s *skill.Skill, p *player, first *record.Run, w io.Writer) (*Outcome, error) {
	o := &Options{Record: w, Now: func() time.Time { return time.Time{} }, AllowWrites: first.AllowWrites,
		Limits: workflow.Limits{ToolCalls: first.ToolCalls, Wall: first.Wall, Tokens: first.Tokens}}
	if slices.Contains(first.TrustDigests, first.Digest) {
		o.TrustDigests = []string{s.Digest} // of today's skill, where a case asks what it would do then
	}
	if first.Source {
		o.Source = silent{}
	}
	var m skill.Model
	if first.Model {
		m = silent{}
	}
	var tools []skill.Tool
	for _, t := range first.Tools {
		tools = append(tools, skill.Tool{Name: t.Name, AliasOf: t.AliasOf, Writes: t.Writes, Description: t.Description, Guidance: t.Guidance, Schema: t.Schema,
			Call: func(context.Context, json.RawMessage) (*skill.Result, error) { return nil, errSilent }})
	}
	given := map[string]any{}
	for k, v := range first.Inputs {
		if v != nil {
			given[k] = v
		}
	}
	run, err := New(m, tools, o).start(s, given, p)
	if err != nil {
		return nil, err
	}
	out, err := run.Run(ctx)
	switch {
	case err != nil:
		return nil, err
	case p.err != nil:
		return nil, p.err
	case p.strict && p.pos < len(p.lines):
		return nil, &ReplayError{Line: p.pos + 1, Reason: "the run has ended, and its record goes on", Want: p.at(p.pos)}
	}
	return out, nil
}

var errSilent = errors.New("nothing is called in a replay")

// silent stands where a model and a source are, in a replay. Nobody asks it.
type silent struct{}

func (silent) Generate(context.Context, *skill.Request) iter.Seq2[*skill.Delta, error] {
	return func(yield func(*skill.Delta, error) bool) { yield(nil, errSilent) }
}

func (silent) Text(context.Context, evidence.Place) (string, error) { return "", errSilent }

// A player answers for everything outside of a run, from its record. A strict one goes line by line and stops the run
// where it departs; one that is not strict looks for the answer to the same question, for a skill that has changed.
type player struct {
	lines  []record.Line
	strict bool

	caller *caller // of the run

	pos  int // the next line
	err  *ReplayError
	last time.Time
	now  record.Event // the one that is being written

	calls   map[int]json.RawMessage     // arguments of the host's calls, by number
	answers map[string][]*record.Result // by tool and arguments, those of steps and the model
	said    map[string][]record.Event   // replies by conversation, approvals by step
	seen    map[evidence.Place]*record.Source
}

func newPlayer(lines []record.Line, strict bool) *player {
	p := &player{lines: lines, strict: strict, calls: map[int]json.RawMessage{}, answers: map[string][]*record.Result{}, said: map[string][]record.Event{},
		seen: map[evidence.Place]*record.Source{}}
	asked := map[int]string{}
	for _, l := range lines {
		switch e := l.Event.(type) {
		case *record.Call:
			asked[e.Call] = questionOf(e.Tool, e.Args)
		case *record.Result:
			if e.By != byHost {
				p.answers[asked[e.Call]] = append(p.answers[asked[e.Call]], e)
			}
		case *record.Reply:
			if e.By != byHost {
				k := talkKey(e.Conversation)
				p.said[k] = append(p.said[k], e)
			}
		case *record.Approval:
			p.said[e.ID] = append(p.said[e.ID], e)
		case *record.Final:
			p.said["final"+e.ID] = append(p.said["final"+e.ID], e)
		case *record.Source:
			p.seen[e.At] = e
		}
	}
	return p
}

func talkKey(conversation int) string { return fmt.Sprintf("conversation %d", conversation) }

// questionOf is the same for arguments that are the same JSON value.
func questionOf(tool string, args json.RawMessage) string {
	var v any
	if json.Unmarshal(args, &v) == nil {
		if data, err := jsonvalue.Marshal(v); err == nil {
			return tool + " " + string(data)
		}
	}
	return tool + " " + string(args)
}

// at is a line for a message.
func (p *player) at(pos int) string {
	if pos >= len(p.lines) {
		return ""
	}
	return record.Summary(p.lines[pos].Event)
}

func (p *player) peek() record.Event {
	if p.pos < len(p.lines) && p.err == nil {
		return p.lines[p.pos].Event
	}
	return nil
}

// fail notes the first departure. It is returned by ended when the run next asks whether it may go on.
func (p *player) fail(reason, got string) *ReplayError {
	if p.err == nil {
		p.err = &ReplayError{Line: min(p.pos+1, len(p.lines)), Reason: reason, Want: p.at(p.pos), Got: got}
	}
	return p.err
}

// time is when the record says that the event happened.
func (p *player) time(e record.Event) time.Time {
	if next := p.peek(); next != nil && (p.strict || identity(next) == identity(e)) {
		p.last = next.Head().Time
	}
	return p.last
}

// identity tells events apart that stand for different things, whatever came of them.
func identity(e record.Event) string {
	switch e := e.(type) {
	case *record.Step:
		return "step" + e.ID
	case *record.StepEnd:
		return "step_end" + e.ID
	case *record.Call:
		return "call" + e.Tool + e.By
	case *record.Result:
		return "result" + e.Tool + e.By
	case *record.Gate:
		return "gate" + e.ID
	case *record.Approval:
		return "approval" + e.ID
	}
	return record.Name(e)
}

// sees is told of each event before its line is written.
func (p *player) sees(e record.Event) { p.now = e }

// follow returns a writer that holds each line of the journal against the record, and hands it on to w, if there is one.
func (p *player) follow(w io.Writer) io.Writer {
	if w == nil {
		return p
	}
	return io.MultiWriter(p, w)
}

// Write sees the line of an event.
func (p *player) Write(raw []byte) (int, error) {
	p.wrote(p.now, raw)
	return len(raw), nil
}

func (p *player) wrote(e record.Event, raw []byte) {
	if p.err != nil {
		return
	}
	if p.strict {
		switch {
		case p.pos >= len(p.lines):
			p.fail("the record ends here, before the run does: the run was killed, or the record cut off", record.Summary(e))
		case !bytes.Equal(p.lines[p.pos].Raw, raw):
			p.fail("the run departs from its record", record.Summary(e)+where(p.lines[p.pos].Raw, raw))
		default:
			p.pos++
		}
		return
	}
	for i := p.pos; i < len(p.lines); i++ {
		if identity(p.lines[i].Event) == identity(e) {
			p.pos = i + 1
			return
		}
	}
}

// where says from which byte on two lines of one summary differ.
func where(a, b []byte) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	from := max(0, n-40)
	return fmt.Sprintf(" (from byte %d: %q, recorded %q)", n, message.Clip(string(b[from:]), 100), message.Clip(string(a[from:]), 100))
}

// turn does what the host did at this point: its calls that came through, and what came of them. A record has only what
// changed the run, so that nothing is decided again.
func (p *player) turn() {
	for {
		before := p.pos
		p.caller.state.mu.Lock()
		switch e := p.peek().(type) {
		case *record.Call:
			if e.By == byHost {
				told := *e
				if told.Call != 0 {
					p.caller.count(e.Tool)
					told.Call = p.caller.calls
				}
				p.calls[told.Call] = e.Args
				p.caller.state.log.Write(&told)
			}
		case *record.Result:
			if e.By == byHost {
				told := copyResult(e)
				p.caller.takeIn(told, p.calls[e.Call])
				p.caller.state.log.Write(told)
			}
		case *record.Denied:
			if e.By == byHost {
				_ = p.caller.denyLocked(&skill.DeniedError{Tool: e.Tool, Because: e.Because, Until: e.Until}, e.Args, e.By) // the host had it then
			}
		case *record.Limit:
			p.again(e.By, copied(e))
		case *record.Model:
			p.again(e.By, copied(e))
		case *record.Reply:
			p.again(e.By, copied(e))
		case *record.Rewritten:
			p.again(e.By, copied(e))
		}
		p.caller.state.mu.Unlock()
		if p.pos == before {
			return
		}
	}
}

// again writes what the host did once more. state.mu is held.
func (p *player) again(by string, e record.Event) {
	if by == byHost {
		p.caller.state.log.Write(e)
	}
}

func copied[E any](e *E) *E {
	out := *e
	return &out
}

// copyResult is an event without what the run would share with the record.
func copyResult(e *record.Result) *record.Result {
	out := *e
	if e.Result != nil {
		r := *e.Result
		r.Items = slices.Clone(r.Items)
		out.Result = &r
	}
	return &out
}

// ended returns why the run ends here: it departed from its record, or time or the caller ended it then. state.mu is held.
func (p *player) ended() error {
	if p.err != nil {
		return p.err
	}
	switch e := p.peek().(type) {
	case *record.Limit:
		if !e.Wall {
			return nil
		}
		limit := &limitError{what: e.What, skill: e.Skill, wall: true}
		for _, f := range p.caller.state.frames {
			if f.skill.Name == e.Skill {
				limit.frame = f
			}
		}
		return limit
	case *record.Cancelled:
		return &cancelError{e.Why}
	}
	return nil
}

// A recordedError is an error of a tool or model, as the record has it.
type recordedError struct{ text, code string }

func (e *recordedError) Error() string { return e.text }

// Code returns what a retry names.
func (e *recordedError) Code() string { return e.code }

func recorded(text, code string) error {
	if code == "" {
		return errors.New(text)
	}
	return &recordedError{text, code}
}

// result is what the tool returned.
func (p *player) result(n int, tool string, args json.RawMessage) (*skill.Result, error) {
	p.turn()
	p.caller.state.mu.Lock()
	defer p.caller.state.mu.Unlock()
	e, ok := p.peek().(*record.Result)
	if ok = ok && e.Call == n && e.Tool == tool; !ok && p.strict {
		return nil, p.fail(fmt.Sprintf("the result of call %d is not there", n), "call "+tool+" "+message.Short(string(args)))
	}
	if !p.strict {
		q := questionOf(tool, args)
		list := p.answers[q]
		if len(list) == 0 {
			return nil, p.fail("the record holds no answer to this call: record the case again", "call "+tool+" "+message.Short(string(args)))
		}
		e = list[0]
		if len(list) > 1 {
			p.answers[q] = list[1:]
		}
	}
	switch {
	case e.Result != nil:
		return copyResult(e).Result, nil
	case e.Because != "":
		return nil, &skill.DeniedError{Tool: tool, Because: e.Because, Until: e.Until}
	}
	return nil, recorded(e.Error, e.Code)
}

// before is what the host's hooks made of the arguments of a call that the guards allow, or why they refused it.
func (p *player) before(c skill.HookCall) (json.RawMessage, *skill.DeniedError) {
	p.turn()
	p.caller.state.mu.Lock()
	defer p.caller.state.mu.Unlock()
	switch e := p.peek().(type) {
	case *record.Rewritten:
		if e.Tool == c.Tool && e.By == c.By {
			return e.Args, nil
		}
	case *record.Denied:
		if e.Tool == c.Tool && e.By == c.By {
			return nil, &skill.DeniedError{Tool: e.Tool, Because: e.Because, Until: e.Until}
		}
	}
	return c.Args, nil
}

// final is what the host's hooks said of an answer; nil: they were not asked.
func (p *player) final(step string) *record.Final {
	p.turn()
	p.caller.state.mu.Lock()
	defer p.caller.state.mu.Unlock()
	e, ok := p.peek().(*record.Final)
	if !p.strict {
		key := "final" + step
		list := p.said[key]
		if len(list) == 0 {
			return nil
		}
		e, ok = list[0].(*record.Final)
		p.said[key] = list[1:]
	}
	if !ok || e.ID != step {
		return nil
	}
	return &record.Final{ID: e.ID, Notes: e.Notes, Error: e.Error}
}

// restore gives a recorded item back to the ledger under its key. state.mu is held.
func (p *player) restore(l *evidence.Ledger, it evidence.Item) {
	if err := l.Restore(it); err != nil {
		p.fail(err.Error(), "")
	}
}

// reply is what the model answered.
func (p *player) reply(conversation int) (*skill.Reply, error) {
	e, err := answer[*record.Reply](p, talkKey(conversation), "a reply of the model", func(e *record.Reply) bool { return e.Conversation == conversation })
	switch {
	case err != nil:
		return nil, err
	case e.Error != "":
		return e.Reply, recorded(e.Error, e.Code)
	case e.Reply == nil:
		return nil, p.fail("a reply without text and without error", "")
	}
	return e.Reply, nil
}

// choice is what a person or a policy answered.
func (p *player) choice(step string) (choice, by string, err error) {
	e, err := answer[*record.Approval](p, step, "the answer to the approval "+step, func(e *record.Approval) bool { return e.ID == step })
	if err != nil {
		return "", "", err
	}
	if e.Error != "" {
		err = errors.New(e.Error)
	}
	return e.Choice, e.By, err
}

// answer takes the next event, or without strictness the next one under the key.
func answer[E record.Event](p *player, key, what string, fits func(E) bool) (E, error) {
	p.turn()
	p.caller.state.mu.Lock()
	defer p.caller.state.mu.Unlock()
	e, ok := p.peek().(E)
	if ok = ok && fits(e); !ok && p.strict {
		return e, p.fail(what+" is not there", "")
	}
	if !p.strict {
		list := p.said[key]
		if len(list) == 0 {
			return e, p.fail("the record holds no more "+what+": record the case again", "")
		}
		e, p.said[key] = list[0].(E), list[1:]
	}
	return e, nil
}

// source is what stood at a place.
func (p *player) source(at evidence.Place) (string, error) {
	p.turn()
	p.caller.state.mu.Lock()
	defer p.caller.state.mu.Unlock()
	e := p.seen[at]
	if e == nil {
		return "", p.fail("the record does not hold the text at "+at.String(), "")
	}
	if e.Error != "" {
		return "", errors.New(e.Error)
	}
	return e.Text, nil
}
