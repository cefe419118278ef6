package skill

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/skill/evidence"
)

// An Event is something that happened in a run. Its dynamic type is a pointer to one of the types of this package whose
// names end in Event, and its JSON form is a line of the record. [RunnerOptions.Events] gets events as they happen, and
// [ReadRecord] gives them back.
type Event interface {
	slog.LogValuer
	// Head says which event it is, when it happened and where in the run.
	Head() Stamp
	stamp(n int, t time.Time, name string)
}

// A Stamp begins every event.
type Stamp struct {
	N    int       `json:"n"` // number of the event in its record, from 1
	Time time.Time `json:"t"` // UTC
	Name string    `json:"event"`
}

// Head returns the stamp.
func (s *Stamp) Head() Stamp { return *s }

func (s *Stamp) stamp(n int, t time.Time, name string) { *s = Stamp{n, t.UTC(), name} }

// Names of events, as the record has them.
const (
	eventRun       = "run"
	eventStep      = "step"
	eventStepEnd   = "step_end"
	eventCall      = "call"
	eventResult    = "result"
	eventDenied    = "denied"
	eventModel     = "model"
	eventReply     = "reply"
	eventRefused   = "refused"
	eventSource    = "source"
	eventGate      = "gate"
	eventAsked     = "asked"
	eventApproval  = "approval"
	eventRetry     = "retry"
	eventNone      = "none"
	eventUse       = "use"
	eventUseEnd    = "use_end"
	eventRewritten = "rewritten"
	eventWithdrawn = "withdrawn"
	eventFinal     = "final"
	eventLimit     = "limit"
	eventCancelled = "cancelled"
	eventOutcome   = "outcome"
)

// recordFormat is the version of the record. 1: first, without results. 2: whole results and requests, so that a run can
// be replayed.
const recordFormat = 2

// newEvent makes an empty event of a name; nil: there is no such event.
func newEvent(name string) Event {
	switch name {
	case eventRun:
		return &RunEvent{}
	case eventStep:
		return &StepEvent{}
	case eventStepEnd:
		return &StepEndEvent{}
	case eventCall:
		return &CallEvent{}
	case eventResult:
		return &ResultEvent{}
	case eventDenied:
		return &DeniedEvent{}
	case eventModel:
		return &ModelEvent{}
	case eventReply:
		return &ReplyEvent{}
	case eventRefused:
		return &RefusedEvent{}
	case eventSource:
		return &SourceEvent{}
	case eventGate:
		return &GateEvent{}
	case eventAsked:
		return &AskedEvent{}
	case eventApproval:
		return &ApprovalEvent{}
	case eventRetry:
		return &RetryEvent{}
	case eventNone:
		return &NoneEvent{}
	case eventUse:
		return &UseEvent{}
	case eventUseEnd:
		return &UseEndEvent{}
	case eventRewritten:
		return &RewrittenEvent{}
	case eventWithdrawn:
		return &WithdrawnEvent{}
	case eventFinal:
		return &FinalEvent{}
	case eventLimit:
		return &LimitEvent{}
	case eventCancelled:
		return &CancelledEvent{}
	case eventOutcome:
		return &OutcomeEvent{}
	}
	return nil
}

// nameOf is the name of an event's type.
func nameOf(e Event) string {
	switch e.(type) {
	case *RunEvent:
		return eventRun
	case *StepEvent:
		return eventStep
	case *StepEndEvent:
		return eventStepEnd
	case *CallEvent:
		return eventCall
	case *ResultEvent:
		return eventResult
	case *DeniedEvent:
		return eventDenied
	case *ModelEvent:
		return eventModel
	case *ReplyEvent:
		return eventReply
	case *RefusedEvent:
		return eventRefused
	case *SourceEvent:
		return eventSource
	case *GateEvent:
		return eventGate
	case *AskedEvent:
		return eventAsked
	case *ApprovalEvent:
		return eventApproval
	case *RetryEvent:
		return eventRetry
	case *NoneEvent:
		return eventNone
	case *UseEvent:
		return eventUse
	case *UseEndEvent:
		return eventUseEnd
	case *RewrittenEvent:
		return eventRewritten
	case *WithdrawnEvent:
		return eventWithdrawn
	case *FinalEvent:
		return eventFinal
	case *LimitEvent:
		return eventLimit
	case *CancelledEvent:
		return eventCancelled
	case *OutcomeEvent:
		return eventOutcome
	}
	return ""
}

// A RunEvent begins a record: everything that a replay must know before the first step.
type RunEvent struct {
	Stamp
	Format       int            `json:"format"`          // 2
	Skill        string         `json:"skill,omitempty"` // empty: an agent without a skill
	Digest       string         `json:"digest,omitempty"`
	Agent        string         `json:"agent,omitempty"` // gather or answer: an agent without a skill
	Inputs       map[string]any `json:"inputs"`
	Tools        []ToolOffer    `json:"tools"` // by name
	Model        bool           `json:"model"` // whether there is one
	Source       bool           `json:"source,omitempty"`
	AllowWrites  bool           `json:"allow_writes,omitempty"`
	TrustDigests []string       `json:"trust_digests,omitempty"`  // the skill's digest, when the host's policy named it
	ToolCalls    int            `json:"max_tool_calls,omitempty"` // limits of the run, the host's and the skill's together
	Wall         time.Duration  `json:"max_wall_ns,omitempty"`
	Tokens       int            `json:"max_tokens,omitempty"`
}

// A ToolOffer is a tool of the run. What a model is told of it is there for tools that the skill may call.
type ToolOffer struct {
	Name        string          `json:"name"`
	AliasOf     string          `json:"alias_of,omitempty"`
	Writes      bool            `json:"writes,omitempty"`
	Description string          `json:"description,omitempty"`
	Guidance    string          `json:"guidance,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
}

// A StepEvent begins a step.
type StepEvent struct {
	Stamp
	ID    string `json:"id"`
	Kind  Kind   `json:"kind"`
	Skill string `json:"skill"`
}

// A StepEndEvent ends a step, or says that it was skipped.
type StepEndEvent struct {
	Stamp
	ID     string   `json:"id"`
	Status string   `json:"status"` // ok, skipped, failed or ended
	Note   string   `json:"note,omitempty"`
	Items  []string `json:"items"` // keys
}

// A CallEvent is a tool's call that guards and limits let through. Its [ResultEvent] has the same number.
type CallEvent struct {
	Stamp
	Call    int             `json:"call,omitempty"` // number of the call in the run, from 1; 0: it was refused
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	By      string          `json:"by"`                // step, model or host
	Step    string          `json:"step,omitempty"`    // the step that was running
	Refused string          `json:"refused,omitempty"` // why the tool was not called; a guard's refusal is a [DeniedEvent]
}

// A ResultEvent is what a tool returned.
type ResultEvent struct {
	Stamp
	Call    int     `json:"call"`
	Tool    string  `json:"tool"`
	By      string  `json:"by"`
	Result  *Result `json:"result,omitempty"` // whole, with the keys that the run gave; nil: an error
	Error   string  `json:"error,omitempty"`
	Code    string  `json:"code,omitempty"`    // of a [CodedError]
	Because string  `json:"because,omitempty"` // of a [DeniedError] that the tool itself returned
	Until   string  `json:"until,omitempty"`
}

// A DeniedEvent is a call that was refused by a guard or by the allowed tools.
type DeniedEvent struct {
	Stamp
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	By      string          `json:"by"`
	Step    string          `json:"step"`
	Because string          `json:"because"`
	Until   string          `json:"until"`
}

// A ModelEvent is a request to the model. Messages holds what is new: the conversation is the first Keep messages of the
// request before, followed by these.
type ModelEvent struct {
	Stamp
	Conversation int             `json:"conversation"` // from 1
	By           string          `json:"by,omitempty"` // host: not asked by a step
	Role         string          `json:"role"`
	System       string          `json:"system,omitempty"` // empty: as in the request before
	Keep         int             `json:"keep"`
	Messages     []Message       `json:"messages"`
	Tools        []string        `json:"tools,omitempty"` // names; [RunEvent.Tools] has the schemas
	Choice       string          `json:"choice,omitempty"`
	Schema       json.RawMessage `json:"schema,omitempty"`
	MaxTokens    int             `json:"max_tokens,omitempty"`
}

// A ReplyEvent is what the model answered.
type ReplyEvent struct {
	Stamp
	Conversation int    `json:"conversation"`
	By           string `json:"by,omitempty"`
	Reply        *Reply `json:"reply,omitempty"` // with an error: what came before it
	Error        string `json:"error,omitempty"`
	Code         string `json:"code,omitempty"` // of a [CodedError]
}

// A RefusedEvent says why a text of the model went back to it.
type RefusedEvent struct {
	Stamp
	Conversation int    `json:"conversation"`
	Why          string `json:"why"`
}

// A SourceEvent is a look at the original of a place, as checks of quotes and places make it.
type SourceEvent struct {
	Stamp
	At    evidence.Place `json:"at"`
	Text  string         `json:"text,omitempty"`
	Error string         `json:"error,omitempty"`
}

// A GateEvent says whether a required condition holds.
type GateEvent struct {
	Stamp
	ID        string `json:"id"`
	Condition string `json:"condition"`
	Passed    bool   `json:"passed"`
}

// An AskedEvent is the question of an approval, before the answer.
type AskedEvent struct {
	Stamp
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Choices []string `json:"choices"`
}

// An ApprovalEvent is the answer of a person or a policy.
type ApprovalEvent struct {
	Stamp
	ID     string `json:"id"`
	Choice string `json:"choice"`
	By     string `json:"by"` // callback or policy
	Error  string `json:"error,omitempty"`
}

// A RetryEvent precedes the repetition of a call.
type RetryEvent struct {
	Stamp
	Tool string        `json:"tool"`
	Try  int           `json:"try"` // the one that follows, from 2
	On   string        `json:"on"`
	Wait time.Duration `json:"wait_ns,omitempty"`
}

// A NoneEvent is the ledger's verdict that nothing was found.
type NoneEvent struct {
	Stamp
	Verified bool                `json:"verified"`
	Why      string              `json:"why"`
	Searched []evidence.Searched `json:"searched"` // what the verdict rests on
}

// A UseEvent begins another skill within the run.
type UseEvent struct {
	Stamp
	Skill  string         `json:"skill"`
	Digest string         `json:"digest"`
	Inputs map[string]any `json:"inputs"`
}

// A UseEndEvent ends a skill that was used.
type UseEndEvent struct {
	Stamp
	Skill  string `json:"skill"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// A RewrittenEvent says that a hook of the host changed the arguments of a call. What a hook refused is a [DeniedEvent];
// what one did to a result stands in the result.
type RewrittenEvent struct {
	Stamp
	Tool  string          `json:"tool"`
	By    string          `json:"by"`
	Asked json.RawMessage `json:"asked"`
	Args  json.RawMessage `json:"args"` // those that the tool gets
}

// A WithdrawnEvent says that a gate was closed again, as what it had looked at changed.
type WithdrawnEvent struct {
	Stamp
	ID      string `json:"id"`
	Changed string `json:"changed"` // the name that was bound again
	Skill   string `json:"skill"`
}

// A FinalEvent is what the host's hooks said of an answer that a step put together.
type FinalEvent struct {
	Stamp
	ID    string   `json:"id"`
	Notes []string `json:"notes,omitempty"`
	Error string   `json:"error,omitempty"` // why it was refused
}

// A LimitEvent says that a limit is used up.
type LimitEvent struct {
	Stamp
	What  string `json:"what"`
	Skill string `json:"skill"`          // whose limit
	By    string `json:"by"`             // whose wish met it: step, model or host
	Wall  bool   `json:"wall,omitempty"` // of time: a replay takes it from here, as no clock runs there
}

// A CancelledEvent says that the caller ended the run.
type CancelledEvent struct {
	Stamp
	Why string `json:"why"`
}

// An OutcomeEvent ends the steps of a run. Status is the label of the trajectory. Calls of the host may follow.
type OutcomeEvent struct {
	Stamp
	Status    string         `json:"status"`
	Reason    string         `json:"reason"`
	At        string         `json:"at"`
	Items     []string       `json:"items"` // keys
	ToolCalls int            `json:"tool_calls"`
	Tokens    int            `json:"tokens"`
	Telemetry map[string]any `json:"telemetry"`
}

const maxLogText = 120 // bytes of a text that a log line shows

// short is a text for a log line.
func short(s string) string {
	if len(s) <= maxLogText {
		return s
	}
	cut := maxLogText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s... (%d bytes)", s[:cut], len(s))
}

// group makes the value of a log line of name and value pairs, empty ones left out.
func group(pairs ...any) slog.Value {
	var attrs []slog.Attr
	for i := 0; i+1 < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case string:
			if v == "" {
				continue
			}
			pairs[i+1] = short(v)
		case json.RawMessage:
			pairs[i+1] = short(string(v))
		case []string:
			if len(v) == 0 {
				continue
			}
			pairs[i+1] = short(strings.Join(v, " "))
		}
		attrs = append(attrs, slog.Any(pairs[i].(string), pairs[i+1]))
	}
	return slog.GroupValue(attrs...)
}

// LogValue is the event for a log, long texts cut.
func (e *RunEvent) LogValue() slog.Value {
	return group("skill", e.Skill, "agent", e.Agent, "digest", e.Digest, "tools", len(e.Tools), "model", e.Model)
}

// LogValue is the event for a log.
func (e *StepEvent) LogValue() slog.Value {
	return group("step", e.ID, "kind", string(e.Kind), "skill", e.Skill)
}

// LogValue is the event for a log.
func (e *StepEndEvent) LogValue() slog.Value {
	return group("step", e.ID, "status", e.Status, "note", e.Note, "items", len(e.Items))
}

// LogValue is the event for a log, long texts cut.
func (e *CallEvent) LogValue() slog.Value {
	return group("call", e.Call, "tool", e.Tool, "args", e.Args, "by", e.By, "step", e.Step, "refused", e.Refused)
}

// LogValue is the event for a log: sizes in place of the result.
func (e *ResultEvent) LogValue() slog.Value {
	if e.Result == nil {
		return group("call", e.Call, "tool", e.Tool, "by", e.By, "error", e.Error, "code", e.Code)
	}
	return group("call", e.Call, "tool", e.Tool, "by", e.By, "items", len(e.Result.Items), "verdict", e.Result.Verdict, "bytes", len(e.Result.Text))
}

// LogValue is the event for a log, long texts cut.
func (e *DeniedEvent) LogValue() slog.Value {
	return group("tool", e.Tool, "args", e.Args, "by", e.By, "step", e.Step, "because", e.Because, "until", e.Until)
}

// LogValue is the event for a log: the number of messages in place of their texts.
func (e *ModelEvent) LogValue() slog.Value {
	return group("conversation", e.Conversation, "role", e.Role, "messages", e.Keep+len(e.Messages), "tools", len(e.Tools))
}

// LogValue is the event for a log, long texts cut.
func (e *ReplyEvent) LogValue() slog.Value {
	r := e.Reply
	if r == nil {
		r = &Reply{}
	}
	return group("conversation", e.Conversation, "text", r.Text, "calls", len(r.Calls), "input_tokens", r.Usage.Input, "output_tokens", r.Usage.Output, "stop", r.Stop, "error", e.Error)
}

// LogValue is the event for a log, long texts cut.
func (e *RefusedEvent) LogValue() slog.Value {
	return group("conversation", e.Conversation, "why", e.Why)
}

// LogValue is the event for a log: the size in place of the text.
func (e *SourceEvent) LogValue() slog.Value {
	return group("at", e.At.String(), "bytes", len(e.Text), "error", e.Error)
}

// LogValue is the event for a log, long texts cut.
func (e *GateEvent) LogValue() slog.Value {
	return group("step", e.ID, "condition", e.Condition, "passed", e.Passed)
}

// LogValue is the event for a log, long texts cut.
func (e *AskedEvent) LogValue() slog.Value {
	return group("step", e.ID, "text", e.Text, "choices", e.Choices)
}

// LogValue is the event for a log.
func (e *ApprovalEvent) LogValue() slog.Value {
	return group("step", e.ID, "choice", e.Choice, "by", e.By, "error", e.Error)
}

// LogValue is the event for a log.
func (e *RetryEvent) LogValue() slog.Value {
	return group("tool", e.Tool, "try", e.Try, "on", e.On, "wait", e.Wait)
}

// LogValue is the event for a log, long texts cut.
func (e *NoneEvent) LogValue() slog.Value { return group("verified", e.Verified, "why", e.Why) }

// LogValue is the event for a log.
func (e *UseEvent) LogValue() slog.Value { return group("skill", e.Skill, "digest", e.Digest) }

// LogValue is the event for a log, long texts cut.
func (e *UseEndEvent) LogValue() slog.Value {
	return group("skill", e.Skill, "status", e.Status, "reason", e.Reason)
}

// LogValue is the event for a log, long texts cut.
func (e *RewrittenEvent) LogValue() slog.Value {
	return group("tool", e.Tool, "by", e.By, "asked", e.Asked, "args", e.Args)
}

// LogValue is the event for a log.
func (e *WithdrawnEvent) LogValue() slog.Value {
	return group("step", e.ID, "changed", e.Changed, "skill", e.Skill)
}

// LogValue is the event for a log.
func (e *FinalEvent) LogValue() slog.Value {
	return group("step", e.ID, "notes", len(e.Notes), "error", e.Error)
}

// LogValue is the event for a log.
func (e *LimitEvent) LogValue() slog.Value {
	return group("what", e.What, "skill", e.Skill, "by", e.By)
}

// LogValue is the event for a log.
func (e *CancelledEvent) LogValue() slog.Value { return group("why", e.Why) }

// LogValue is the event for a log, long texts cut.
func (e *OutcomeEvent) LogValue() slog.Value {
	return group("status", e.Status, "at", e.At, "reason", e.Reason, "items", len(e.Items), "calls", e.ToolCalls, "tokens", e.Tokens)
}

// level is how loud a log says it: what a host wants to see of every run, and the rest.
func level(e Event) slog.Level {
	switch e.(type) {
	case *RunEvent, *DeniedEvent, *ApprovalEvent, *LimitEvent, *CancelledEvent, *OutcomeEvent:
		return slog.LevelInfo
	}
	return slog.LevelDebug
}
