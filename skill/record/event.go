package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/workflow"
)

// An Event is something that happened in a run. Its dynamic type is a pointer to one of the types of this package, such
// as [*Call], and its JSON form is a line of the record. runner.Options.Events gets events as they happen, and
// [Read] gives them back.
type Event interface {
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

// recordFormat is the version of the record. 1: first, without results. 2: whole results and requests, so that a run can
// be replayed.
const recordFormat = 2

// eventTypes are the types of events by the names that a record has for them.
var eventTypes = map[string]reflect.Type{
	"run":       reflect.TypeFor[Run](),
	"step":      reflect.TypeFor[Step](),
	"step_end":  reflect.TypeFor[StepEnd](),
	"call":      reflect.TypeFor[Call](),
	"result":    reflect.TypeFor[Result](),
	"denied":    reflect.TypeFor[Denied](),
	"model":     reflect.TypeFor[Model](),
	"reply":     reflect.TypeFor[Reply](),
	"refused":   reflect.TypeFor[Refused](),
	"source":    reflect.TypeFor[Source](),
	"gate":      reflect.TypeFor[Gate](),
	"asked":     reflect.TypeFor[Asked](),
	"approval":  reflect.TypeFor[Approval](),
	"retry":     reflect.TypeFor[Retry](),
	"none":      reflect.TypeFor[None](),
	"use":       reflect.TypeFor[Use](),
	"use_end":   reflect.TypeFor[UseEnd](),
	"rewritten": reflect.TypeFor[Rewritten](),
	"withdrawn": reflect.TypeFor[Withdrawn](),
	"final":     reflect.TypeFor[Final](),
	"limit":     reflect.TypeFor[Limit](),
	"cancelled": reflect.TypeFor[Cancelled](),
	"outcome":   reflect.TypeFor[Outcome](),
}

var eventNames = func() map[reflect.Type]string {
	out := map[reflect.Type]string{}
	for name, t := range eventTypes {
		out[t] = name
	}
	return out
}()

// newEvent makes an empty event of a name; nil: there is no such event.
func newEvent(name string) Event {
	t := eventTypes[name]
	if t == nil {
		return nil
	}
	return reflect.New(t).Interface().(Event)
}

// Name is the name that a record has for an event, such as "call".
func Name(e Event) string { return eventNames[reflect.TypeOf(e).Elem()] }

// A Run begins a record: everything that a replay must know before the first step.
type Run struct {
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

// A Step begins a step.
type Step struct {
	Stamp
	ID    string        `json:"id"`
	Kind  workflow.Kind `json:"kind"`
	Skill string        `json:"skill"`
}

// A StepEnd ends a step, or says that it was skipped.
type StepEnd struct {
	Stamp
	ID     string   `json:"id"`
	Status string   `json:"status"` // ok, skipped, failed or ended
	Note   string   `json:"note,omitempty"`
	Items  []string `json:"items"` // keys
}

// A Call is a tool's call that guards and limits let through. Its [Result] has the same number.
type Call struct {
	Stamp
	Call    int             `json:"call,omitempty"` // number of the call in the run, from 1; 0: it was refused
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	By      string          `json:"by"`                // step, model or host
	Step    string          `json:"step,omitempty"`    // the step that was running
	Refused string          `json:"refused,omitempty"` // why the tool was not called; a guard's refusal is a [Denied]
}

// A Result is what a tool returned.
type Result struct {
	Stamp
	Call    int           `json:"call"`
	Tool    string        `json:"tool"`
	By      string        `json:"by"`
	Result  *skill.Result `json:"result,omitempty"` // whole, with the keys that the run gave; nil: an error
	Error   string        `json:"error,omitempty"`
	Code    string        `json:"code,omitempty"`    // of a [skill.CodedError]
	Because string        `json:"because,omitempty"` // of a [skill.DeniedError] that the tool itself returned
	Until   string        `json:"until,omitempty"`
}

// A Denied is a call that was refused by a guard or by the allowed tools.
type Denied struct {
	Stamp
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`
	By      string          `json:"by"`
	Step    string          `json:"step"`
	Because string          `json:"because"`
	Until   string          `json:"until"`
}

// A Model is a request to the model. Messages holds what is new: the conversation is the first Keep messages of the
// request before, followed by these.
type Model struct {
	Stamp
	Conversation int             `json:"conversation"` // from 1
	By           string          `json:"by,omitempty"` // host: not asked by a step
	Role         string          `json:"role"`
	System       string          `json:"system,omitempty"` // empty: as in the request before
	Keep         int             `json:"keep"`
	Messages     []skill.Message `json:"messages"`
	Tools        []string        `json:"tools,omitempty"` // names; [Run.Tools] has the schemas
	Choice       string          `json:"choice,omitempty"`
	Schema       json.RawMessage `json:"schema,omitempty"`
	MaxTokens    int             `json:"max_tokens,omitempty"`
}

// A Reply is what the model answered.
type Reply struct {
	Stamp
	Conversation int          `json:"conversation"`
	By           string       `json:"by,omitempty"`
	Reply        *skill.Reply `json:"reply,omitempty"` // with an error: what came before it
	Error        string       `json:"error,omitempty"`
	Code         string       `json:"code,omitempty"` // of a [skill.CodedError]
}

// A Refused says why a text of the model went back to it.
type Refused struct {
	Stamp
	Conversation int    `json:"conversation"`
	Why          string `json:"why"`
}

// A Source is a look at the original of a place, as checks of quotes and places make it.
type Source struct {
	Stamp
	At    evidence.Place `json:"at"`
	Text  string         `json:"text,omitempty"`
	Error string         `json:"error,omitempty"`
}

// A Gate says whether a required condition holds.
type Gate struct {
	Stamp
	ID        string `json:"id"`
	Condition string `json:"condition"`
	Passed    bool   `json:"passed"`
}

// An Asked is the question of an approval, before the answer.
type Asked struct {
	Stamp
	ID      string   `json:"id"`
	Text    string   `json:"text"`
	Choices []string `json:"choices"`
}

// An Approval is the answer of a person or a policy.
type Approval struct {
	Stamp
	ID     string `json:"id"`
	Choice string `json:"choice"`
	By     string `json:"by"` // callback or policy
	Error  string `json:"error,omitempty"`
}

// A Retry precedes the repetition of a call.
type Retry struct {
	Stamp
	Tool string        `json:"tool"`
	Try  int           `json:"try"` // the one that follows, from 2
	On   string        `json:"on"`
	Wait time.Duration `json:"wait_ns,omitempty"`
}

// A None is the ledger's verdict that nothing was found.
type None struct {
	Stamp
	Verified bool                `json:"verified"`
	Why      string              `json:"why"`
	Searched []evidence.Searched `json:"searched"` // what the verdict rests on
}

// A Use begins another skill within the run.
type Use struct {
	Stamp
	Skill  string         `json:"skill"`
	Digest string         `json:"digest"`
	Inputs map[string]any `json:"inputs"`
}

// A UseEnd ends a skill that was used.
type UseEnd struct {
	Stamp
	Skill  string `json:"skill"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
}

// A Rewritten says that a hook of the host changed the arguments of a call. What a hook refused is a [Denied];
// what one did to a result stands in the result.
type Rewritten struct {
	Stamp
	Tool  string          `json:"tool"`
	By    string          `json:"by"`
	Asked json.RawMessage `json:"asked"`
	Args  json.RawMessage `json:"args"` // those that the tool gets
}

// A Withdrawn says that a gate was closed again, as what it had looked at changed.
type Withdrawn struct {
	Stamp
	ID      string `json:"id"`
	Changed string `json:"changed"` // the name that was bound again
	Skill   string `json:"skill"`
}

// A Final is what the host's hooks said of an answer that a step put together.
type Final struct {
	Stamp
	ID    string   `json:"id"`
	Notes []string `json:"notes,omitempty"`
	Error string   `json:"error,omitempty"` // why it was refused
}

// A Limit says that a limit is used up.
type Limit struct {
	Stamp
	What  string `json:"what"`
	Skill string `json:"skill"`          // whose limit
	By    string `json:"by"`             // whose wish met it: step, model or host
	Wall  bool   `json:"wall,omitempty"` // of time: a replay takes it from here, as no clock runs there
}

// A Cancelled says that the caller ended the run.
type Cancelled struct {
	Stamp
	Why string `json:"why"`
}

// An Outcome ends the steps of a run. Status is the label of the trajectory. Calls of the host may follow.
type Outcome struct {
	Stamp
	Status    string         `json:"status"`
	Reason    string         `json:"reason"`
	At        string         `json:"at"`
	Items     []string       `json:"items"` // keys
	ToolCalls int            `json:"tool_calls"`
	Tokens    int            `json:"tokens"`
	Telemetry map[string]any `json:"telemetry"`
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
			pairs[i+1] = message.Short(v)
		case json.RawMessage:
			pairs[i+1] = message.Short(string(v))
		case []string:
			if len(v) == 0 {
				continue
			}
			pairs[i+1] = message.Short(strings.Join(v, " "))
		}
		attrs = append(attrs, slog.Any(pairs[i].(string), pairs[i+1]))
	}
	return slog.GroupValue(attrs...)
}

// logValue is an event for a log: long texts are cut, and of results and requests only their sizes stand there.
func logValue(e Event) slog.Value {
	switch e := e.(type) {
	case *Run:
		return group("skill", e.Skill, "agent", e.Agent, "digest", e.Digest, "tools", len(e.Tools), "model", e.Model)
	case *Step:
		return group("step", e.ID, "kind", string(e.Kind), "skill", e.Skill)
	case *StepEnd:
		return group("step", e.ID, "status", e.Status, "note", e.Note, "items", len(e.Items))
	case *Call:
		return group("call", e.Call, "tool", e.Tool, "args", e.Args, "by", e.By, "step", e.Step, "refused", e.Refused)
	case *Result:
		if e.Result == nil {
			return group("call", e.Call, "tool", e.Tool, "by", e.By, "error", e.Error, "code", e.Code)
		}
		return group("call", e.Call, "tool", e.Tool, "by", e.By, "items", len(e.Result.Items), "verdict", e.Result.Verdict, "bytes", len(e.Result.Text))
	case *Denied:
		return group("tool", e.Tool, "args", e.Args, "by", e.By, "step", e.Step, "because", e.Because, "until", e.Until)
	case *Model:
		return group("conversation", e.Conversation, "role", e.Role, "messages", e.Keep+len(e.Messages), "tools", len(e.Tools))
	case *Reply:
		r := e.Reply
		if r == nil {
			r = &skill.Reply{}
		}
		return group("conversation", e.Conversation, "text", r.Text, "calls", len(r.Calls), "input_tokens", r.Usage.Input, "output_tokens", r.Usage.Output, "stop", r.Stop, "error", e.Error)
	case *Refused:
		return group("conversation", e.Conversation, "why", e.Why)
	case *Source:
		return group("at", e.At.String(), "bytes", len(e.Text), "error", e.Error)
	case *Gate:
		return group("step", e.ID, "condition", e.Condition, "passed", e.Passed)
	case *Asked:
		return group("step", e.ID, "text", e.Text, "choices", e.Choices)
	case *Approval:
		return group("step", e.ID, "choice", e.Choice, "by", e.By, "error", e.Error)
	case *Retry:
		return group("tool", e.Tool, "try", e.Try, "on", e.On, "wait", e.Wait)
	case *None:
		return group("verified", e.Verified, "why", e.Why)
	case *Use:
		return group("skill", e.Skill, "digest", e.Digest)
	case *UseEnd:
		return group("skill", e.Skill, "status", e.Status, "reason", e.Reason)
	case *Rewritten:
		return group("tool", e.Tool, "by", e.By, "asked", e.Asked, "args", e.Args)
	case *Withdrawn:
		return group("step", e.ID, "changed", e.Changed, "skill", e.Skill)
	case *Final:
		return group("step", e.ID, "notes", len(e.Notes), "error", e.Error)
	case *Limit:
		return group("what", e.What, "skill", e.Skill, "by", e.By)
	case *Cancelled:
		return group("why", e.Why)
	case *Outcome:
		return group("status", e.Status, "at", e.At, "reason", e.Reason, "items", len(e.Items), "calls", e.ToolCalls, "tokens", e.Tokens)
	}
	return slog.Value{}
}

// level is how loud a log says it: what a host wants to see of every run, and the rest.
func level(e Event) slog.Level {
	switch e.(type) {
	case *Run, *Denied, *Approval, *Limit, *Cancelled, *Outcome:
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// Summary is an event on one line, long texts cut.
func Summary(e Event) string {
	var b bytes.Buffer
	b.WriteString(Name(e))
	for _, a := range logValue(e).Group() {
		fmt.Fprintf(&b, " %s=%s", a.Key, a.Value)
	}
	return message.OneLine(b.String())
}
