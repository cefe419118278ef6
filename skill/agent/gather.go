package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/schema"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/record"
)

// GatherOptions bound and change how a model gathers. The zero value is usable.
type GatherOptions struct {
	Instructions string           // what the host adds to the rules that the model works under, such as Workspace.Guide or a skill's text
	First        []skill.ToolCall // calls that are made before the model is asked, one after the other, such as findspot's Workspace.FirstCalls; the model is shown what they gave
	Given        []evidence.Item  // what the host knows already, such as runner.Outcome.Items: the model starts with it, and an answer may cite it
	Overview     string           // what there is besides the documents that list_documents names, such as the repositories; shown as data

	Turns     int           // turns of the model; 0 means 16
	ToolCalls int           // calls that are really made, those of sub-agents among them; 0 means 80
	Tokens    int           // tokens in and out, by the model's own count or, without one, by estimate; 0: no bound
	Wall      time.Duration // 0 means 10 minutes
	Parallel  int           // calls of one turn that run at once; 0 means 4. A turn with a tool that writes runs one by one

	MaxResult int  // runes of one result that the model is shown; 0 means 16,000
	Summarise bool // older results are compacted by the model, with a request for each document, and not by picking sentences
	CompactAt int  // estimated tokens of the conversation at which its older results are compacted; 0 means 48,000, below 0 never

	Source evidence.Source    // where a sub-agent's quotes are looked for; nil: in the evidence
	Ledger *evidence.Ledger   // gives the keys; nil: a new one. With the tools of a runner.Run, give it runner.Run.Ledger
	Hooks  []*skill.Hooks     // around every tool call, in this order
	Record io.Writer          // gets one JSON object a line: requests, replies, calls, whole results, the outcome; nil: no record
	Events func(record.Event) // gets the same as values, one at a time, and must not block; nil: nobody
	Logger *slog.Logger       // nil discards
	Now    func() time.Time   // nil: time.Now
}

// The reasons for which gathering ends.
const (
	GatherDone   = "done"       // the model had enough, or said that there is no more
	GatherTurns  = "turns"      // the turns are used up
	GatherCalls  = "tool_calls" // the tool calls are used up
	GatherTokens = "tokens"     // the tokens are used up
	GatherWall   = "wall"       // the time is used up
	GatherStuck  = "stuck"      // the model said nothing, or only repeated itself
	GatherSize   = "size"       // the conversation is too large, also when compacted
	GatherRun    = "run"        // the run whose tools these are has reached a limit of its own
	GatherFailed = "failed"     // the model failed, or the caller ended it
)

// Gathered is what a model gathered for a question. It is complete also when gathering was cut short.
type Gathered struct {
	Question   string
	Ledger     *evidence.Ledger // holds Items, and whatever else the host put there; never nil
	Items      []evidence.Item  // evidence that the model was shown, by first sight
	Searched   []evidence.Searched
	Notes      string               // what the model said when it ended: not checked, and no evidence
	Compaction *evidence.Compaction // of older results; nil: there was no need
	Messages   []skill.Message      // the conversation as it stands, older results compacted
	Calls      []Call               // in order
	Turns      int                  // answers of the model
	ToolCalls  int                  // calls that were really made, those of sub-agents among them
	Tokens     int                  // those of sub-agents among them
	Stopped    string               // one of the Gather constants
	Reason     string               // why, in a sentence

	log *journal // that an answer goes on with; nil: nobody looks
}

// A Call is one tool call that the model asked for.
type Call struct {
	Turn    int             `json:"turn"` // from 1; 0: made before the model was asked
	Tool    string          `json:"tool"`
	Args    json.RawMessage `json:"args"`              // as they were used
	Keys    []string        `json:"keys,omitempty"`    // of the evidence it gave
	Repeats int             `json:"repeats,omitempty"` // number of the call that it repeats, from 1, so that it was not made; 0: none
	Error   string          `json:"error,omitempty"`   // why it was not made or gave nothing
	Trimmed skill.Trimmed   `json:"trimmed,omitzero"`

	id  string // of the call in the conversation
	cut bool   // its answer is no longer whole in the conversation
}

const gatherText = `You gather evidence for a question about a project's documents and code. You do not answer it: somebody else
will, from the evidence that you found and from nothing else.

- Look with the tools. What you remember is no evidence, and what you did not look up does not count.
- Internal systems, standards, interfaces and data of the project: search its documents first. Two or three words find more than a
  sentence; search again with the words of what you found; read around a passage before you rely on it.
- Who calls or uses something: ask for its references, then read the code of the callers. Structure and definitions: search for the
  entity, walk the graph, read the source. Search text for broad patterns, or when the others do not know.
- A call that fails says why: mend it, or look elsewhere. The same call again gives the same answer, so it is not made again.
- ` + evidence.MarkRule + `
- When the question can be answered, or the tools give no more, call no tool and write notes: for each part of the question the keys
  that bear on it, such as [D1] or [C2]; which evidence contradicts which; what was not found, and where it was looked for.`

// Gather lets a model collect evidence for a question with tools, in the worker's role, until it has enough or a budget is used
// up. The model starts with the titles and ids that the tool list_documents gives, if it is among the tools, and with
// [GatherOptions.Overview]. Calls of one turn run at the same time; their results, and the keys of the evidence in them, come
// in the order of the calls. A call that was made already is not made again, under none of the tool's names; one that fails, is denied
// or does not fit the tool's schema is answered with the reason. When the conversation grows, older results are
// compacted for the question; [Gathered.Items] keeps them whole.
//
// With the tools of runner.Run.Tools the guards and limits of that run hold.
//
// An error is of the model, of the arguments, or of ctx; what was gathered until then is returned with it.
func Gather(ctx context.Context, m skill.Model, tools []skill.Tool, question string, o *GatherOptions) (*Gathered, error) {
	if m == nil {
		return nil, fmt.Errorf("gather: %w", invoke.ErrNoModel)
	}
	if strings.TrimSpace(question) == "" {
		return nil, errors.New("gather: the question is empty")
	}
	a, err := newGatherer(m, tools, question, o)
	if err != nil {
		return nil, err
	}
	return a.run(ctx)
}

// A gatherer is one conversation of a model with tools.
type gatherer struct {
	model   skill.Model
	opt     GatherOptions
	name    string // of the sub-agent; empty: the agent itself
	depth   int    // 0: nobody's sub-agent
	system  string
	tools   map[string]skill.Tool
	offered []skill.ToolSpec
	budget  *budget
	log     *journal
	talk    *record.Conversation
	g       *Gathered

	made      map[string]int  // by identity: number of the last call, which is 1 + its index in g.Calls
	tries     map[string]int  // by identity: how often it was made
	ids       map[string]bool // of calls
	shown     map[string]bool // keys
	overview  string
	looked    string // what the first calls gave
	given     string // evidence of the host
	compacted int    // the last turn whose results are compacted
	idle      int    // turns in a row without a call that was made
}

// A budget is shared by an agent and its sub-agents.
type budget struct {
	mu       sync.Mutex // guards calls and tokens
	calls    int
	tokens   int
	maxCalls int
	maxToken int
	ends     time.Time
	now      func() time.Time
	parent   *budget // of the agent that called; nil: nobody did
}

// take counts one call, if there is one left.
func (b *budget) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.calls >= b.maxCalls || b.parent != nil && !b.parent.take() {
		return false
	}
	b.calls++
	return true
}

func (b *budget) spend(tokens int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens += tokens
	if b.parent != nil {
		b.parent.spend(tokens)
	}
}

// over says which budget is used up, if any.
func (b *budget) over() (stopped, reason string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case !b.now().Before(b.ends):
		return GatherWall, "the time is used up"
	case b.maxToken > 0 && b.tokens >= b.maxToken:
		return GatherTokens, fmt.Sprintf("%d tokens are used up", b.maxToken)
	case b.calls >= b.maxCalls:
		return GatherCalls, fmt.Sprintf("%d tool calls are used up", b.maxCalls)
	case b.parent != nil:
		return b.parent.over()
	}
	return "", ""
}

const (
	maxTurnCalls  = 16     // calls of one turn that are made
	maxCallArgs   = 64_000 // bytes of the arguments of one call
	maxSaid       = 32_000 // runes of a model's text that stay in the conversation
	maxOverview   = 12_000 // runes of what there is
	listedAtStart = 100    // documents named at the start
	maxIdle       = 3      // turns in a row in which no call was made
	listTool      = "list_documents"
	byGather      = "gather" // who asks for a call before the model was asked
	byAsked       = "model"  // and who after that
)

func newGatherer(m skill.Model, tools []skill.Tool, question string, o *GatherOptions) (*gatherer, error) {
	a := &gatherer{model: m, tools: map[string]skill.Tool{}, made: map[string]int{}, tries: map[string]int{}, ids: map[string]bool{}, shown: map[string]bool{}}
	if o != nil {
		a.opt = *o
	}
	for _, d := range []struct {
		field *int
		or    int
	}{{&a.opt.Turns, 16}, {&a.opt.ToolCalls, 80}, {&a.opt.Parallel, 4}, {&a.opt.MaxResult, 16_000}, {&a.opt.CompactAt, 48_000}} {
		if *d.field == 0 {
			*d.field = d.or
		}
	}
	if a.opt.Wall == 0 {
		a.opt.Wall = 10 * time.Minute
	}
	if a.opt.Turns < 0 || a.opt.ToolCalls < 0 || a.opt.Tokens < 0 || a.opt.Wall < 0 || a.opt.Parallel < 0 || a.opt.MaxResult < 0 {
		return nil, errors.New("gather: Turns, ToolCalls, Tokens, Wall, Parallel and MaxResult are not below 0")
	}
	if a.opt.Now == nil {
		a.opt.Now = time.Now
	}
	if a.opt.Logger == nil {
		a.opt.Logger = slog.New(slog.DiscardHandler)
	}
	if a.opt.Ledger == nil {
		a.opt.Ledger = evidence.NewLedger()
	}
	for _, t := range tools {
		if _, twice := a.tools[t.Name]; twice || t.Name == "" || t.Call == nil {
			return nil, fmt.Errorf("gather: tool %q: without a name or function, or given twice", t.Name)
		}
		a.tools[t.Name] = t
	}
	for _, t := range tools {
		if _, main := a.tools[t.AliasOf]; !main { // another name of an offered tool is understood, but not advertised
			a.offered = append(a.offered, t.Spec())
		}
	}
	a.budget = &budget{maxCalls: a.opt.ToolCalls, maxToken: a.opt.Tokens, now: a.opt.Now, ends: a.opt.Now().Add(a.opt.Wall)}
	a.system = gatherText
	if s := strings.TrimSpace(a.opt.Instructions); s != "" {
		a.system += "\n\n" + s
	}
	a.log = &journal{rec: record.NewWriter(a.opt.Record, &record.Options{Events: a.opt.Events, Logger: a.opt.Logger, Time: func(record.Event) time.Time { return a.opt.Now() }})}
	a.g = &Gathered{Question: question, Ledger: a.opt.Ledger, log: a.log}
	return a, nil
}

// run gathers, and writes the record's first and last event.
func (a *gatherer) run(ctx context.Context) (*Gathered, error) {
	if a.depth == 0 {
		a.log.begin(byGather, a.g.Question, a.tools, &a.opt)
	}
	a.talk = a.log.rec.Conversation(cmp.Or(a.name, byGather))
	g, err := a.turns(ctx)
	if a.depth == 0 {
		status, reason := a.status()
		a.log.outcome(byGather, status, reason, g.Items, g.ToolCalls, g.Tokens, map[string]any{"stopped": g.Stopped, "turns": g.Turns})
		if err == nil {
			err = a.log.rec.Err()
		}
	}
	return g, err
}

// status is the label of what was gathered.
func (a *gatherer) status() (status, reason string) {
	if a.g.Stopped != GatherDone {
		return skill.StatusStopped, a.g.Reason
	}
	if len(a.g.Items) > 0 {
		return skill.StatusDone, a.g.Reason
	}
	verified, why := evidence.NoneIn(a.g.Searched)
	if verified {
		return skill.StatusVerifiedNone, why
	}
	return skill.StatusInsufficient, why
}

// turns goes from turn to turn until something ends it.
func (a *gatherer) turns(ctx context.Context) (*Gathered, error) {
	if err := ctx.Err(); err != nil {
		return a.end(GatherFailed, err.Error()), err
	}
	if skill.ScopeOf(ctx) == nil {
		ctx = skill.WithScope(ctx, &skill.Scope{})
	}
	ctx = context.WithValue(ctx, gathererKey{}, a)
	wall, cancel := context.WithTimeout(ctx, a.opt.Wall)
	defer cancel()
	a.open(wall)
	empty, urged := false, false
	for a.g.Turns < a.opt.Turns {
		if stopped, reason := a.budget.over(); stopped != "" {
			return a.end(stopped, reason), nil
		}
		if err := a.fit(wall); err != nil && wall.Err() == nil {
			return a.end(GatherSize, err.Error()), nil
		}
		reply, err := a.ask(wall)
		switch {
		case err != nil && ctx.Err() != nil:
			return a.end(GatherFailed, "the caller ended it: "+context.Cause(ctx).Error()), ctx.Err()
		case err != nil && wall.Err() != nil:
			return a.end(GatherWall, "the time is used up"), nil
		case err != nil:
			return a.end(GatherFailed, err.Error()), fmt.Errorf("gather: model: %w", err)
		}
		said, cut := message.CutRunes(strings.TrimSpace(reply.Text), maxSaid)
		if cut > 0 {
			said += fmt.Sprintf(" (%d more characters)", cut)
		}
		told := skill.Message{From: skill.FromModel, Text: said, State: reply.State}
		switch {
		case len(reply.Calls) > 0:
			if stop := a.turn(wall, told, reply.Calls); stop != nil {
				if ctx.Err() != nil {
					return a.end(GatherFailed, "the caller ended it: "+context.Cause(ctx).Error()), ctx.Err()
				}
				return a.end(stop.stopped, stop.reason), nil
			}
		case reply.Stop == skill.StopPause:
			a.g.Messages = append(a.g.Messages, told)
		case said == "" && empty:
			return a.end(GatherStuck, "the model said nothing, twice"), nil
		case said == "":
			empty = true
			a.say("Your answer was empty. Call a tool, or write your notes.")
		case len(a.tries) == 0 && len(a.offered) > 0 && !urged:
			urged = true
			a.g.Messages = append(a.g.Messages, told)
			a.say("Nothing has been looked up yet, and only what the tools return counts. Search first; if no tool can help, say so again.")
		default:
			a.g.Messages = append(a.g.Messages, told)
			a.g.Notes = said
			return a.end(GatherDone, "the model ended it"), nil
		}
	}
	return a.end(GatherTurns, fmt.Sprintf("%d turns are used up", a.opt.Turns)), nil
}

// end fills in what the budgets counted.
func (a *gatherer) end(stopped, reason string) *Gathered {
	a.budget.mu.Lock()
	a.g.ToolCalls, a.g.Tokens = a.budget.calls, a.budget.tokens
	a.budget.mu.Unlock()
	a.g.Stopped, a.g.Reason = stopped, reason
	return a.g
}

func (a *gatherer) say(text string) {
	a.g.Messages = append(a.g.Messages, skill.Message{From: skill.FromUser, Text: text})
}

// ask asks the model for its next turn and counts it.
func (a *gatherer) ask(ctx context.Context) (*skill.Reply, error) {
	req := &skill.Request{Role: skill.RoleWorker, System: a.system, Messages: slices.Clone(a.g.Messages), Tools: a.offered}
	reply, err := a.talk.Ask(ctx, a.model, req)
	a.g.Turns++
	a.budget.spend(tokensOf(req, reply))
	if err == nil && reply.Stop == skill.StopRefusal {
		err = reply.Err()
	}
	return reply, err
}

// tokensOf is what a turn cost, by the model's count or, where it gives none, by estimate.
func tokensOf(req *skill.Request, reply *skill.Reply) int {
	if n := reply.Usage.Input + reply.Usage.Output; n > 0 {
		return n
	}
	n := len(reply.Text)
	for _, c := range reply.Calls {
		n += len(c.Name) + len(c.Args)
	}
	return estimate(req.System, req.Messages) + n/4 + 1
}

// estimate guesses tokens: four bytes each, which is about right for English and too many for nothing.
func estimate(system string, messages []skill.Message) int {
	n := len(system)
	for _, m := range messages {
		n += len(m.Text) + 16
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Args) + 16
		}
	}
	return n / 4
}

// open starts the conversation with the question and with what there is.
func (a *gatherer) open(ctx context.Context) {
	var there []string
	if s := strings.TrimSpace(a.opt.Overview); s != "" {
		there = append(there, s)
	}
	if t, ok := a.tools[listTool]; ok && a.budget.take() {
		p := &planned{tool: t, args: json.RawMessage(fmt.Sprintf(`{"limit":%d}`, listedAtStart)), made: true, by: byGather}
		if !schema.Accepts(t.Schema, "limit") {
			p.args = json.RawMessage("{}")
		}
		p.n = a.note(Call{Tool: t.Name, Args: p.args})
		p.no = a.log.call(p)
		a.make(ctx, p)
		if text, left := a.result(p); p.err == nil {
			there = append(there, text+left)
		}
	}
	a.overview, _ = message.CutRunes(visible.Text(strings.Join(there, "\n")), maxOverview)
	if len(a.opt.Given) > 0 {
		var b strings.Builder
		for _, it := range a.opt.Given {
			it = a.g.Ledger.Add(it)
			b.WriteString(show.ItemText(it) + "\n")
			if !a.shown[it.Key] {
				a.shown[it.Key] = true
				a.g.Items = append(a.g.Items, it)
			}
		}
		a.given, _ = message.CutRunes(visible.Text(b.String()), a.opt.MaxResult)
	}
	a.first(ctx)
	a.g.Messages = []skill.Message{{From: skill.FromUser, Text: a.opening("")}}
}

// first makes the calls that the host wants made before the model is asked. What they gave counts as the model's own calls
// do, so that it does not ask for the same again.
func (a *gatherer) first(ctx context.Context) {
	var b strings.Builder
	for i, c := range a.opt.First {
		if b.Len() > 4*a.opt.MaxResult {
			fmt.Fprintf(&b, "(%d more calls were not made: this is long enough to begin with)\n", len(a.opt.First)-i)
			break
		}
		p := a.plan(c, i)
		p.by = byGather
		fmt.Fprintf(&b, "%s %s\n", c.Name, p.args)
		if !p.made {
			a.log.rec.Write(&record.Call{Tool: a.g.Calls[p.n].Tool, Args: p.args, By: p.by, Refused: p.said})
			b.WriteString(p.said + "\n")
			continue
		}
		p.no = a.log.call(p)
		a.make(ctx, p)
		b.WriteString(a.answer(p) + "\n")
	}
	a.looked = strings.TrimSpace(b.String())
}

// opening is the first message, with what was compacted so far.
func (a *gatherer) opening(digest string) string {
	var b strings.Builder
	b.WriteString("Question: " + a.g.Question + "\n")
	if a.overview != "" {
		b.WriteString("\nWhat there is:\n" + show.Data(a.overview))
	}
	if a.looked != "" {
		b.WriteString("\nLooked up for you already:\n" + a.looked + "\n")
	}
	if a.given != "" {
		b.WriteString("\nEvidence that is known already:\n" + show.Data(a.given))
	}
	if digest != "" {
		b.WriteString("\nGathered so far, compacted for the question; the keys stand for the whole passages:\n" + show.Data(digest))
	}
	return b.String()
}
