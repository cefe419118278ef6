package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/bounded"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/schema"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/record"
)

// A planned call is one that the model asked for in a turn.
type planned struct {
	id   string
	tool skill.Tool
	args json.RawMessage
	by   string
	n    int            // index in g.Calls
	no   int            // number in the record
	ask  skill.HookCall // as the model asked for it
	said string         // why it is not made
	made bool
	res  *skill.Result
	err  error
}

// A stop ends gathering.
type stop struct{ stopped, reason string }

// turn makes the calls of one turn and answers them in their order.
func (a *gatherer) turn(ctx context.Context, asked skill.Message, calls []skill.ToolCall) *stop {
	plan := make([]*planned, len(calls))
	serial, any := false, false
	for i, c := range calls {
		p := a.plan(c, i)
		plan[i] = p
		asked.Calls = append(asked.Calls, skill.ToolCall{ID: p.id, Name: c.Name, Args: p.args})
		if p.made {
			p.no = a.log.call(p)
		} else {
			a.log.rec.Write(&record.Call{Tool: a.g.Calls[p.n].Tool, Args: p.args, By: p.by, Refused: p.said})
		}
		serial = serial || p.made && (p.tool.Writes || string(p.args) == "{}") // the latter may go by what was called before it
		any = any || p.made
	}
	var run errgroup.Group
	run.SetLimit(a.opt.Parallel)
	if serial {
		run.SetLimit(1)
	}
	for _, p := range plan {
		if p.made {
			run.Go(func() error { a.make(ctx, p); return nil })
		}
	}
	_ = run.Wait() // what goes wrong is in the calls
	a.g.Messages = append(a.g.Messages, asked)
	var end *stop
	for _, p := range plan {
		msg := skill.Message{From: skill.FromTool, CallID: p.id, Text: p.said, Error: true}
		var limit *invoke.LimitError
		switch {
		case !p.made:
			msg.Error = a.g.Calls[p.n].Repeats == 0
		case errors.As(p.err, &limit):
			end = &stop{stopped: GatherRun, reason: limit.Error()}
			fallthrough
		default:
			msg.Text, msg.Error = a.answer(p), p.err != nil
		}
		a.g.Messages = append(a.g.Messages, msg)
	}
	if left := a.opt.Turns - a.g.Turns; left <= 3 {
		last := &a.g.Messages[len(a.g.Messages)-1]
		last.Text += fmt.Sprintf("\n(turns left: %d)", left)
	}
	if a.idle++; any {
		a.idle = 0
	}
	if end == nil && a.idle >= maxIdle {
		end = &stop{stopped: GatherStuck, reason: fmt.Sprintf("in %d turns the model asked for nothing that could be called and had not been", maxIdle)}
	}
	return end
}

// note remembers a call and returns its index.
func (a *gatherer) note(c Call) int {
	a.g.Calls = append(a.g.Calls, c)
	return len(a.g.Calls) - 1
}

// plan decides whether the i-th call of a turn is made, and says why not.
func (a *gatherer) plan(c skill.ToolCall, i int) *planned {
	p := &planned{id: a.unique(c.ID), args: c.Args, by: cmp.Or(a.name, byAsked)}
	if len(p.args) == 0 || string(p.args) == "null" {
		p.args = json.RawMessage("{}")
	}
	refuse := func(why, quoted, help string) *planned {
		p.said, a.g.Calls[p.n].Error = "not called: "+why, "not called: "+why
		if quoted != "" {
			a.g.Calls[p.n].Error += ": " + quoted
			p.said += ":\n" + show.Data(quoted)
		}
		p.said += help
		return p
	}
	why, quoted := "", ""
	switch {
	case len(p.args) > maxCallArgs:
		why = fmt.Sprintf("its arguments have %d bytes, and at most %d are taken", len(p.args), maxCallArgs)
		p.args = json.RawMessage("{}")
	case (&skill.ToolCall{Name: c.Name, Args: p.args}).Check() != nil:
		why, quoted = "its arguments are not a JSON object", message.Clip(string(p.args), 200)
		p.args = json.RawMessage("{}")
	}
	name, _ := message.CutRunes(c.Name, 100)
	p.n = a.note(Call{Turn: a.g.Turns, Tool: name, Args: p.args, id: p.id})
	t, ok := a.tools[c.Name]
	p.tool = t
	switch {
	case !ok:
		return refuse("there is no tool of that name here; "+a.near(name), "", "")
	case why != "":
		return refuse(why, quoted, "")
	case i >= maxTurnCalls:
		return refuse(fmt.Sprintf("at most %d calls are made in one turn", maxTurnCalls), "", "")
	}
	if err := schema.Fits(t.Schema, p.args); err != nil {
		return refuse("the arguments of "+t.Name+" do not fit", err.Error(), schema.Describe(t.Schema))
	}
	id := a.identity(t, p.args)
	if before, again := a.made[id]; again && !t.Writes {
		earlier := a.g.Calls[before-1]
		if !earlier.cut && (earlier.Error == "" || a.tries[id] > 1) {
			a.g.Calls[p.n].Repeats, a.g.Calls[p.n].Keys = before, earlier.Keys
			if p.said = a.again(before); earlier.Error != "" {
				p.said = fmt.Sprintf("Not called again: it failed %d times:\n", a.tries[id]) + show.Data(earlier.Error)
			}
			return p
		}
	}
	if !a.budget.take() {
		return refuse(fmt.Sprintf("%d tool calls are used up", a.budget.maxCalls), "", "")
	}
	if t.Writes {
		clear(a.made) // what was read may have changed
	}
	a.made[id] = p.n + 1
	a.tries[id]++
	p.made = true
	return p
}

// unique gives each call of the conversation an id of its own, as servers want it.
func (a *gatherer) unique(id string) string {
	id, _ = message.CutRunes(id, 64)
	if id == "" || a.ids[id] {
		id = "call-" + strconv.Itoa(len(a.g.Calls)+1)
		for n := 2; a.ids[id]; n++ {
			id = "call-" + strconv.Itoa(len(a.g.Calls)+1) + "-" + strconv.Itoa(n)
		}
	}
	a.ids[id] = true
	return id
}

// identity is the same for calls that must give the same: all names of a tool, arguments in any order. A call without
// arguments may go by what was called before, so that it is the same only while nothing else was.
func (a *gatherer) identity(t skill.Tool, args json.RawMessage) string {
	main := cmp.Or(t.AliasOf, t.Name)
	v, err := jsonvalue.Of(args)
	if err != nil {
		return main + " " + string(args)
	}
	m, object := v.(map[string]any)
	for k, v := range m {
		if v == nil {
			delete(m, k)
		}
	}
	if object && len(m) == 0 {
		others := 0
		for id, n := range a.tries {
			if !strings.HasPrefix(id, main+" after ") {
				others += n
			}
		}
		return main + " after " + strconv.Itoa(others)
	}
	data, err := jsonvalue.Marshal(v)
	if err != nil {
		data = args
	}
	return main + " " + string(data)
}

// near names the tools there are, those first that are written alike.
func (a *gatherer) near(name string) string {
	var names []string
	for _, s := range a.offered {
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return "there are none"
	}
	dist := func(s string) int {
		d := text.Distance([]rune(strings.ToLower(name)), []rune(strings.ToLower(s)))
		if strings.Contains(s, name) || strings.Contains(name, s) {
			d = 0
		}
		return d
	}
	slices.SortStableFunc(names, func(x, y string) int { return dist(x) - dist(y) })
	if d := dist(names[0]); d <= max(len(name), len(names[0]))/3 {
		return fmt.Sprintf("did you mean %s? There are %s", names[0], strings.Join(names, ", "))
	}
	return "there are " + strings.Join(names, ", ")
}

// make makes a call, with the hooks around it. It touches nothing of the gatherer, so that several can be made at once.
func (a *gatherer) make(ctx context.Context, p *planned) {
	c := skill.HookCall{Tool: p.tool.Name, Main: cmp.Or(p.tool.AliasOf, p.tool.Name), Writes: p.tool.Writes, Args: p.args, By: p.by}
	p.ask = c
	args, refused := invoke.BeforeTool(ctx, a.opt.Hooks, bounded.Grace, c)
	if refused != nil {
		p.err = refused
		return
	}
	if p.err = schema.Fits(p.tool.Schema, args); p.err != nil {
		return
	}
	p.args, c.Args = args, args
	if p.res, p.err = invoke.Tool(ctx, p.tool, args, bounded.Grace); p.err == nil {
		p.res, p.err = invoke.CleanResult(c.Main, args, p.res)
	}
	if p.err == nil {
		p.res, p.err = invoke.AfterTool(ctx, a.opt.Hooks, bounded.Grace, c, p.res)
	}
}

// answer is the message for a call that was made.
func (a *gatherer) answer(p *planned) string {
	head := fmt.Sprintf("Call %d, %s:\n", p.n+1, p.tool.Name)
	if p.err != nil {
		a.result(p)
		msg, _ := message.CutRunes(p.err.Error(), 4000)
		return head + show.Data(msg)
	}
	shown, left := a.result(p)
	if p.res.Cut != "" {
		shown += "\n(" + p.res.Cut + ")"
	}
	return head + strings.TrimRight(show.Data(shown), "\n") + left + show.Remarks(p.res)
}

// result takes what a call gave into the ledger, and returns its text as the model is shown it as data, and what is left out of it.
func (a *gatherer) result(p *planned) (shown, left string) {
	call := &a.g.Calls[p.n]
	call.Args = p.args
	main := cmp.Or(p.tool.AliasOf, p.tool.Name)
	if p.err != nil {
		a.log.result(p, p.ask, nil)
		call.Error = message.Clip(p.err.Error(), 1000)
		if convention.Searches(main) {
			a.searched(evidence.Searched{Tool: main, Query: invoke.QueryOf(p.args), Failed: call.Error})
		}
		return "", ""
	}
	keys := map[string]string{}
	items := slices.Clone(p.res.Items)
	for i, it := range items {
		old := it.Key
		items[i] = a.g.Ledger.Add(it)
		if old != "" {
			keys[old] = items[i].Key
		}
	}
	p.res.Items, p.res.Text = items, show.Rekey(p.res.Text, keys)
	shown, gone := message.CutRunes(visible.Text(show.WithItems(show.Unmark(p.res.Text), items)), a.opt.MaxResult)
	if gone > 0 {
		left = fmt.Sprintf("\n(%d more characters are left out: ask for less at once)", gone)
	}
	for _, it := range items {
		if !strings.Contains(shown, "["+it.Key+"]") {
			continue
		}
		call.Keys = append(call.Keys, it.Key)
		if !a.shown[it.Key] {
			a.shown[it.Key] = true
			a.g.Items = append(a.g.Items, it)
		}
	}
	call.Trimmed = p.res.Trimmed
	for _, s := range p.res.Searched {
		a.searched(s)
	}
	a.log.result(p, p.ask, p.res)
	return shown, left
}

// searched remembers a search. The run whose tools these are may have done so in the same ledger.
func (a *gatherer) searched(s evidence.Searched) {
	a.g.Searched = append(a.g.Searched, s)
	for _, old := range a.g.Ledger.Searches() {
		if fmt.Sprint(old) == fmt.Sprint(s) {
			return
		}
	}
	a.g.Ledger.Record(s)
}
