package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/schema"
	"github.com/findspot/findspot/skill/internal/show"
)

// A SubAgent does one kind of task for another agent: a conversation of its own, with a narrower prompt and fewer tools, that
// hands back an answer with its evidence. It is a value; [SubAgent.Tool] makes it a tool.
type SubAgent struct {
	Name        string   // of its tool: letters, digits, "-" and "_"
	Description string   // what a model is told it is for
	Prompt      string   // how it works
	Tools       []string // what it may call, by any of their names: never more than its caller has
	Turns       int      // of its model; 0 means 8
	ToolCalls   int      // 0 means 24; with a caller that gathers, they are the caller's too
}

const (
	maxAgentDepth = 2  // below the agent that a person asks: its sub-agents, and theirs
	agentItems    = 10 // pieces of evidence handed back by one that cites none
)

const subAgentText = `You do one task for another agent, which sees nothing of your conversation but your last message.

- Look with the tools. What you remember is no evidence.
- A call that fails says why: mend it, or look elsewhere. The same call again is not made again.
- ` + evidence.MarkRule + `
- When you are done, call no tool and write what you found: each statement with the keys of its evidence, such as [C1]. Say what you
  did not find, and where you looked.`

// CodeRetrieval returns the sub-agent that finds the code a task is about: it searches, walks and reads, and writes nothing.
func CodeRetrieval() SubAgent {
	return SubAgent{
		Name: "code-retrieval",
		Description: "Finds the code that a task, an issue or a question is about: files, classes and functions with their lines, each read and " +
			"with the reason. Give it the whole task in words, not a query. It only searches.",
		Prompt: `Find the code that the task is about: where it is done now, or where it would have to change.

1. Words. Take from the task every name that it writes (identifiers, files, messages, options, error texts). Then add what a
   programmer would call the things that it only describes: whole words, their parts, the usual short forms.
2. Search. search_entity with one name or two words at a time. A message, an option or a string that is no name: search_text.
   Nothing found: a part of the name, or another word. Too much found: two words together, or a path.
3. Walk. From the best hits, traverse_graph by a hop or two: callees, to where the work is really done; callers, to who relies
   on it. Who calls or uses one symbol is a question for references.
4. Read. retrieve_entity of each candidate. Its code decides, not its name.
5. Verify. For each candidate say which part of the task its code carries. Look once more for what belongs to it: an override, the
   other branch, the place that registers or configures it, the test. Drop what you have not read.

Write a list, what matters most first: entity id, path and lines, one sentence on why, with its key. Five places that are right are
worth more than twenty that might be.`,
		Tools: []string{convention.SearchCode, "traverse_graph", "retrieve_entity", "search_text", "references"},
	}
}

var taskSchema = json.RawMessage(`{"type":"object","properties":{"task":{"type":"string","description":"what to find out, with all that is known of it"}},"required":["task"],"additionalProperties":false}`)

// Tool makes the sub-agent a tool over those of tools that it names; the others do not exist for it. The tool writes if one
// of these does, so that guards hold for it. Its argument is a task, its result the answer with the evidence that the
// answer cites; sentences that cite what is not there, or quote wrongly, are left out of it and counted.
//
// Called by an agent that gathers, it works within that agent's budgets and under its hooks; sub-agents of sub-agents have none of their own.
// Otherwise o has the budgets and hooks; o may be nil. The ledger of o is not used: whoever calls the tool gives the keys.
func (s SubAgent) Tool(m skill.Model, tools []skill.Tool, o *GatherOptions) skill.Tool {
	mine, writes := s.pick(tools)
	return skill.Tool{Name: s.Name, Description: s.Description, Schema: slices.Clone(taskSchema), Writes: writes,
		Call: func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
			var in struct {
				Task string `json:"task"`
			}
			if err := schema.Fits(taskSchema, args); err != nil {
				return nil, fmt.Errorf("%s: %w\n%s", s.Name, err, schema.Describe(taskSchema))
			}
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
			return s.do(ctx, m, mine, in.Task, o)
		}}
}

// pick returns the tools that the sub-agent names, under the names that the host gave them.
func (s SubAgent) pick(tools []skill.Tool) (mine []skill.Tool, writes bool) {
	main := map[string]string{}
	for _, t := range tools {
		main[t.Name] = cmp.Or(t.AliasOf, t.Name)
	}
	for _, t := range tools {
		named := slices.ContainsFunc(s.Tools, func(n string) bool { return n == t.Name || main[n] == main[t.Name] && main[n] != "" })
		if named && t.Name != s.Name {
			mine = append(mine, t)
			writes = writes || t.Writes
		}
	}
	return mine, writes
}

type gathererKey struct{}

func (s SubAgent) do(ctx context.Context, m skill.Model, tools []skill.Tool, task string, o *GatherOptions) (*skill.Result, error) {
	switch {
	case m == nil:
		return nil, fmt.Errorf("%s: %w", s.Name, invoke.ErrNoModel)
	case strings.TrimSpace(task) == "":
		return nil, fmt.Errorf("%s: the task is empty", s.Name)
	case len(tools) == 0:
		return nil, fmt.Errorf("%s: none of its tools is offered here: %s: %w", s.Name, strings.Join(s.Tools, ", "), skill.ErrUnsupported)
	}
	parent, _ := ctx.Value(gathererKey{}).(*gatherer)
	var opt GatherOptions
	if o != nil {
		opt = *o
	}
	opt.Turns, opt.ToolCalls, opt.Ledger, opt.Overview = cmp.Or(s.Turns, 8), cmp.Or(s.ToolCalls, 24), nil, ""
	if parent != nil {
		if parent.depth >= maxAgentDepth {
			return nil, fmt.Errorf("%s: agents call agents %d levels deep at most: %w", s.Name, maxAgentDepth, skill.ErrUnsupported)
		}
		p := parent.opt
		opt.Turns, opt.Wall, opt.Hooks, opt.Now, opt.Logger = min(opt.Turns, p.Turns), p.Wall, p.Hooks, p.Now, p.Logger
		opt.Tokens, opt.MaxResult, opt.CompactAt, opt.Summarise = 0, p.MaxResult, p.CompactAt, p.Summarise
		if opt.Source == nil {
			opt.Source = p.Source
		}
	}
	a, err := newGatherer(m, tools, task, &opt)
	if err != nil {
		return nil, err
	}
	a.name, a.system = s.Name, subAgentText+"\n\n"+strings.TrimSpace(s.Prompt)
	if parent != nil {
		a.depth, a.budget.parent, a.log = parent.depth+1, parent.budget, parent.log
	}
	g, err := a.run(skill.WithScope(ctx, &skill.Scope{}))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return s.handBack(ctx, g, opt.Hooks, opt.Source)
}

// handBack is what the caller gets: the answer without what does not hold, and the evidence it cites.
func (s SubAgent) handBack(ctx context.Context, g *Gathered, hooks []*skill.Hooks, src evidence.Source) (*skill.Result, error) {
	said, left := holding(ctx, g.Ledger, g.Notes, &evidence.CheckOptions{Quotes: true, Source: src})
	items := evidence.Expand(g.Ledger, said)
	if len(items) == 0 {
		items = g.Items[:min(len(g.Items), agentItems)]
	}
	notes, err := invoke.AgentEnd(ctx, hooks, skill.AgentEnd{Agent: s.Name, Task: g.Question, Answer: said, Items: slices.Clone(g.Items)})
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString(cmp.Or(said, "It wrote no answer."))
	if left > 0 {
		fmt.Fprintf(&b, "\n(%d sentences are left out: they cite or quote what is not there)", left)
	}
	if g.Stopped != GatherDone {
		fmt.Fprintf(&b, "\n(it was ended early: %s)", g.Reason)
	}
	b.WriteString("\n\nIts evidence:\n")
	for _, it := range items {
		b.WriteString(show.ItemText(it) + "\n")
	}
	return &skill.Result{Text: show.Data(b.String()), Items: slices.Clone(items), Notes: notes, Searched: g.Searched,
		Data: map[string]any{"agent": s.Name, "stopped": g.Stopped, "turns": g.Turns, "tool_calls": g.ToolCalls, "tokens": g.Tokens}}, nil
}

// holding returns a text without the sentences that do not hold, and how many they are.
func holding(ctx context.Context, led *evidence.Ledger, text string, o *evidence.CheckOptions) (kept string, left int) {
	var b strings.Builder
	gap, from := "", 0
	s := evidence.NewStream(led, o)
	for _, c := range append(s.Write(ctx, text), s.Close(ctx)...) {
		gap = joinGaps(gap, text[from:c.Sentence.Start])
		from = c.Sentence.End
		if len(c.Errors) > 0 {
			left++
			continue
		}
		b.WriteString(gap + c.Sentence.Text)
		gap = ""
	}
	return strings.TrimSpace(b.String()), left
}
