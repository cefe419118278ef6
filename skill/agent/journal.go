package agent

import (
	"context"
	"sync/atomic"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
)

// A journal is the record of an agent without a skill: what it gathered and the answers made of that. Sub-agents write in their
// caller's.
type journal struct {
	rec   *record.Writer
	calls atomic.Int64 // numbers given
}

// begin writes the first event of a record.
func (j *journal) begin(agent, question string, tools map[string]skill.Tool, o *GatherOptions) {
	in := map[string]any{"question": question}
	if agent == byGather {
		in["instructions"], in["overview"], in["given"], in["first"] = o.Instructions, o.Overview, o.Given, o.First
		in["turns"], in["max_result"], in["compact_at"], in["summarise"] = o.Turns, o.MaxResult, o.CompactAt, o.Summarise
	}
	j.rec.Write(&record.Run{Agent: agent, Inputs: in, Model: true,
		Tools:     record.Offers(tools, func(string) bool { return true }),
		ToolCalls: o.ToolCalls, Wall: o.Wall, Tokens: o.Tokens, Source: o.Source != nil})
}

// call writes a call that is made, and returns its number.
func (j *journal) call(p *planned) int {
	n := int(j.calls.Add(1))
	j.rec.Write(&record.Call{Call: n, Tool: p.tool.Name, Args: p.args, By: p.by})
	return n
}

// result writes what became of a call, with the keys that the ledger gave.
func (j *journal) result(p *planned, asked skill.HookCall, res *skill.Result) {
	if string(asked.Args) != string(p.args) {
		j.rec.Write(&record.Rewritten{Tool: p.tool.Name, By: p.by, Asked: asked.Args, Args: p.args})
	}
	e := &record.Result{Call: p.no, Tool: p.tool.Name, By: p.by, Result: res}
	if p.err != nil {
		e.Fail(p.err)
	}
	j.rec.Write(e)
}

// outcome writes how it ended.
func (j *journal) outcome(at, status, reason string, items []evidence.Item, calls, tokens int, telemetry map[string]any) {
	keys := make([]string, len(items))
	for i, it := range items {
		keys[i] = it.Key
	}
	j.rec.Write(&record.Outcome{Status: status, Reason: reason, At: at, Items: keys, ToolCalls: calls, Tokens: tokens, Telemetry: telemetry})
}

// A notedSource is a source with an event for each place that is looked at, for one answer.
type notedSource struct {
	j    *journal
	src  evidence.Source
	seen map[evidence.Place]string
}

func (s *notedSource) Text(ctx context.Context, at evidence.Place) (string, error) {
	if text, ok := s.seen[at]; ok {
		return text, nil
	}
	text, err := s.src.Text(ctx, at)
	e := &record.Source{At: at, Text: text}
	if err != nil {
		e.Error = err.Error()
	} else {
		s.seen[at] = text
	}
	s.j.rec.Write(e)
	return text, err
}
