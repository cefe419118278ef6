package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/phrase"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

// A searcher finds evidence: it makes queries, searches, and calls tools.
type searcher struct {
	state  *state
	caller *caller
	writer *writer
}

// callStep calls a tool with retries, then its fallback.
func (s *searcher) callStep(ctx context.Context, f *frame, c *workflow.Call) (value, string, error) {
	filled, err := f.fill(any(c.Args))
	if err != nil {
		return none(), "", err
	}
	args, err := jsonvalue.Marshal(orObject(filled))
	if err != nil {
		return none(), "", err
	}
	var res *skill.Result
	for try := 0; ; try++ {
		res, err = s.caller.call(ctx, c.Tool, args, byStep)
		if c.Retry == nil || try >= c.Retry.Max || hardError(err) || !retries(c.Retry, res, err) {
			break
		}
		s.state.commit(&record.Retry{Tool: c.Tool, Try: try + 2, On: c.Retry.On, Wait: c.Retry.Wait}, nil)
		if err := s.state.pause(ctx, c.Retry.Wait); err != nil {
			return none(), "", err
		}
	}
	if err != nil && c.Fallback != nil && !hardError(err) {
		v, _, err2 := s.callStep(ctx, f, c.Fallback)
		if err2 != nil {
			return none(), "", errors.Join(err, err2)
		}
		return v, fmt.Sprintf("fell back to %s: %v", c.Fallback.Tool, err), nil
	}
	if err != nil {
		return none(), "", err
	}
	return resultValue(res, res.Data), "", nil
}

func orObject(v any) any {
	if m, ok := v.(map[string]any); ok && m != nil {
		return m
	}
	return map[string]any{}
}

// hardError reports errors that no retry or fallback may get around.
func hardError(err error) bool {
	var (
		denied    *skill.DeniedError
		limit     *limitError
		cancelled *cancelError
		missing   *ReplayError
	)
	return errors.As(err, &denied) || errors.As(err, &limit) || errors.As(err, &cancelled) || errors.As(err, &missing)
}

// fusion merges ranked lists: reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009, k = 60), since the
// scores of two searches are not comparable.
type fusion struct {
	order []string
	score map[string]float64
	item  map[string]evidence.Item
}

func newFusion() *fusion {
	return &fusion{score: map[string]float64{}, item: map[string]evidence.Item{}}
}

// add gives the items of one ranked list their share. Items at one place are one, whatever part of it a snippet shows.
func (fu *fusion) add(items []evidence.Item) {
	here := map[string]bool{}
	for rank, it := range items {
		at := it.At
		at.Title, at.Start, at.End = "", 0, 0
		id := it.Kind + " " + fmt.Sprintf("%+v", at)
		if _, ok := fu.item[id]; !ok {
			fu.item[id] = it
			fu.order = append(fu.order, id)
		}
		if !here[id] {
			here[id] = true
			fu.score[id] += 1 / float64(61+rank)
		}
	}
}

// best returns at most keep items, best first. As long as others are there, one document or file fills at most half.
func (fu *fusion) best(keep int) []evidence.Item {
	ids := slices.Clone(fu.order)
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(fu.score[b], fu.score[a]) })
	if len(ids) > keep {
		share := (keep + 1) / 2
		count := map[string]int{}
		var first, rest []string
		for _, id := range ids {
			src := cmp.Or(fu.item[id].At.Doc, fu.item[id].At.Path)
			if count[src]++; count[src] <= share {
				first = append(first, id)
			} else {
				rest = append(rest, id)
			}
		}
		ids = append(first, rest...)[:keep]
		slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(fu.score[b], fu.score[a]) })
	}
	out := make([]evidence.Item, len(ids))
	for i, id := range ids {
		out[i] = fu.item[id]
	}
	return out
}

func (s *searcher) search(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	in := st.Search
	keep := cmp.Or(in.Keep, defaultKeep)
	var queries []string
	for _, t := range in.For {
		v, err := f.template(t)
		if err != nil {
			return none(), "", err
		}
		queries = append(queries, jsonvalue.Texts(v)...)
	}
	queries = phrase.Distinct(queries)
	if len(queries) == 0 {
		return none(), "", errors.New("there is nothing to search for")
	}
	filled, err := f.fill(any(in.Where))
	if err != nil {
		return none(), "", err
	}
	where, _ := filled.(map[string]any)
	fu := newFusion()
	if in.Merge {
		if f.fused[st.ID] == nil {
			f.fused[st.ID] = fu
		}
		fu = f.fused[st.ID]
	}
	var notes []string
	var errsSeen []error
	done := 0
	for _, tool := range convention.SearchToolsFor(in.In) {
		where, dropped := s.caller.known(tool, where)
		for _, d := range dropped {
			notes = append(notes, fmt.Sprintf("%s takes no %q", tool, d))
		}
		for _, q := range queries {
			args := maps.Clone(where)
			args["query"], args["limit"] = q, keep
			if len(in.Tiers) > 0 && tool == convention.SearchDocs {
				args["tiers"] = in.Tiers
			}
			data, err := jsonvalue.Marshal(args)
			if err != nil {
				return none(), "", err
			}
			res, err := s.caller.call(ctx, tool, data, byStep)
			switch {
			case hardError(err):
				return none(), "", err
			case err != nil:
				errsSeen = append(errsSeen, fmt.Errorf("%s %q: %w", tool, q, err))
			default:
				done++
				fu.add(res.Items)
			}
		}
	}
	if done == 0 {
		return none(), "", errors.Join(errsSeen...)
	}
	for _, err := range errsSeen {
		notes = append(notes, err.Error())
		s.state.mu.Lock()
		s.state.failed = append(s.state.failed, fmt.Sprintf("step %s: %v", st.ID, err))
		s.state.mu.Unlock()
	}
	for _, q := range queries {
		f.asked[phrase.Fold(q)] = true // refine does not give them again
	}
	return itemsValue(fu.best(keep)), strings.Join(notes, "; "), nil
}

// retries reports whether the retry applies: to the code of an error, to words of its text, or to the state that a result
// states. A server that is "indexing" is one that is starting.
func retries(r *workflow.Retry, res *skill.Result, err error) bool {
	if err != nil {
		if r.On == "" {
			return true
		}
		var coded skill.CodedError
		if errors.As(err, &coded) {
			return coded.Code() == r.On
		}
		return strings.Contains(strings.ToLower(err.Error()), strings.ReplaceAll(r.On, "_", " ")) || strings.Contains(err.Error(), r.On)
	}
	if r.On == "" {
		return false
	}
	state := ""
	if m, ok := res.Data.(map[string]any); ok {
		state, _ = m["state"].(string)
	}
	return convention.Verdict(res.Verdict) == r.On || state == r.On || r.On == "server_starting" && state == "indexing"
}
