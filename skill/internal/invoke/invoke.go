package invoke

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/bounded"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
)

// Tool calls a tool and keeps its panic, and its going on for ever, from ending the host.
func Tool(ctx context.Context, t skill.Tool, args json.RawMessage, grace time.Duration) (*skill.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !json.Valid(args) {
		return nil, fmt.Errorf("tool %s: arguments are not JSON: %w", t.Name, skill.ErrFormat)
	}
	return bounded.Call(ctx, "tool "+t.Name, grace, func() (*skill.Result, error) {
		res, err := t.Call(ctx, args)
		if err == nil && res == nil {
			err = fmt.Errorf("tool %s: returned nothing", t.Name)
		}
		return res, err
	})
}

// maxResult bounds what a tool may return, in bytes of its JSON form.
const maxResult = 16 << 20

// CleanResult is a copy of a result that nobody else holds, bounded, as its JSON form says it: what a step sees is what
// the record has.
func CleanResult(tool string, args json.RawMessage, res *skill.Result) (*skill.Result, error) {
	out := *res
	size := len(out.Text)
	for i := range out.Items {
		size += len(out.Items[i].Text) + 200
	}
	if size > maxResult {
		return nil, fmt.Errorf("tool %s: its result is over %d bytes: %w", tool, maxResult, skill.ErrTooLarge)
	}
	out.Text = strings.ToValidUTF8(out.Text, "\ufffd")
	out.Items = slices.Clone(out.Items)
	for i := range out.Items {
		it := &out.Items[i]
		it.Text, it.Via = strings.ToValidUTF8(it.Text, "\ufffd"), cmp.Or(it.Via, tool)
		if math.IsNaN(it.Score) || math.IsInf(it.Score, 0) {
			it.Score = 0
		}
	}
	if out.Data != nil {
		data, err := jsonvalue.Marshal(out.Data)
		if err != nil {
			return nil, fmt.Errorf("tool %s: its data is not JSON: %w", tool, err)
		}
		if size += len(data); size > maxResult {
			return nil, fmt.Errorf("tool %s: its result is over %d bytes: %w", tool, maxResult, skill.ErrTooLarge)
		}
		out.Data = nil
		if err := json.Unmarshal(data, &out.Data); err != nil {
			return nil, fmt.Errorf("tool %s: its data is not JSON: %w", tool, err)
		}
	}
	if len(out.Searched) == 0 {
		out.Searched = searchedOf(tool, args, &out)
	}
	return &out, nil
}

func QueryOf(args json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return string(args)
	}
	for _, k := range []string{"query", "symbol", "pattern", "name"} {
		if s, ok := m[k].(string); ok {
			return s
		}
	}
	return string(args)
}

// searchedOf reads off a result what was searched, when the tool does not say it itself. It believes only what is there:
// what is not stated counts as not fresh and not full. A verdict of "verified none" states both.
func searchedOf(tool string, args json.RawMessage, res *skill.Result) []evidence.Searched {
	m, _ := res.Data.(map[string]any)
	_, stated := m["searched"]
	if !convention.Searches(tool) && !stated {
		return nil
	}
	s := evidence.Searched{Tool: tool, Query: QueryOf(args), Total: len(res.Items)}
	if n, ok := m["total"].(float64); ok {
		s.Total = max(s.Total, int(n))
	}
	if v := convention.Verdict(res.Verdict); v != "" {
		s.Full = v == skill.VerdictVerifiedNone
		s.Fresh = s.Full
		return []evidence.Searched{s}
	}
	if in, ok := m["searched"].(map[string]any); ok {
		s.Tiers = jsonvalue.Texts(in["tiers"])
		want := []string{"phrase", "all", "any"}
		if tool == convention.SearchCode {
			want = []string{"name", "body"}
		}
		s.Full = true
		for _, t := range want {
			s.Full = s.Full && slices.Contains(s.Tiers, t)
		}
		if full, ok := in["full_text"].(bool); ok && tool == convention.SearchDocs {
			s.Full = s.Full && (full || s.Total > 0)
		}
		for _, k := range []string{"documents", "files", "entities"} {
			if n, ok := in[k].(float64); ok {
				s.Size, s.Empty = int(n), n == 0
			}
		}
	}
	if f, ok := m["freshness"].(map[string]any); ok {
		s.Fresh = said(f["checked"]) && !said(f["changed"])
	}
	var a map[string]any
	if json.Unmarshal(args, &a) == nil {
		s.Scope, _ = a["doc"].(string)
	}
	return []evidence.Searched{s}
}

// said reports whether a JSON value states something: true, a number that is not 0, a time, a list with elements.
func said(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case float64:
		return v != 0
	case string:
		return v != "" && !strings.HasPrefix(v, "0001-01-01")
	case []any:
		return len(v) > 0
	}
	return false
}

// CleanReply is the reply as its JSON form says it, so that the run sees what the record has.
func CleanReply(r *skill.Reply) *skill.Reply {
	if r == nil {
		return nil
	}
	out := *r
	out.Text = strings.ToValidUTF8(out.Text, "\ufffd")
	out.State = jsonvalue.Valid(out.State)
	out.Calls = slices.Clone(out.Calls)
	for i := range out.Calls {
		c := &out.Calls[i]
		c.ID, c.Name = strings.ToValidUTF8(c.ID, "\ufffd"), strings.ToValidUTF8(c.Name, "\ufffd")
		if c.Args = jsonvalue.Valid(c.Args); len(c.Args) == 0 {
			c.Args = json.RawMessage("{}")
		}
	}
	return &out
}

// Ask asks a model for a whole reply. Neither one that never returns nor one whose stream never ends outlasts ctx by
// more than the grace.
func Ask(ctx context.Context, m skill.Model, req *skill.Request, grace time.Duration) (*skill.Reply, error) {
	return bounded.Call(ctx, "the model", grace, func() (*skill.Reply, error) { return skill.Collect(bounded.While(ctx, m.Generate(ctx, req))) })
}

// Stream asks a model and hands on what it says as it comes.
func Stream(ctx context.Context, m skill.Model, req *skill.Request, grace time.Duration) iter.Seq2[*skill.Delta, error] {
	return bounded.Stream(ctx, "the model", grace, func(ctx context.Context) iter.Seq2[*skill.Delta, error] { return m.Generate(ctx, req) })
}

// NoModel heads every text that was put together from evidence alone.
const NoModel = "No model wrote this: it lists the evidence that was found, for a reader to write from."

var ErrNoModel = errors.New("the step needs a model, and none is configured")

// A LimitError is what whoever calls a tool of a run can see of an error: that a limit of that run is used up.
type LimitError struct{ What string }

func (e *LimitError) Error() string { return "limit reached: " + e.What }
