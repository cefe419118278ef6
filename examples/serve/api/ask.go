package api

import (
	"context"
	"strings"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/skill/evidence"
)

// maxTokens bounds an answer.
const maxTokens = 200_000

// questions has the methods that answer questions.
type questions struct{ *Service }

func (h questions) Ask(ctx context.Context, r *v1.AskRequest, to *connect.ServerStream[v1.AskEvent]) error {
	if strings.TrimSpace(r.Question) == "" {
		return invalid(`"question" is empty`)
	}
	tokens, err := within("tokens", r.Tokens, maxTokens)
	if err != nil {
		return err
	}
	o := &findspot.AskOptions{Ledger: evidence.NewLedger(),
		Tokens: tokens, Why: r.Why, Skip: int(max(r.Skip, 0)), Documents: int(r.Documents), Passages: int(r.Passages), Entities: int(r.Entities),
		Collections: r.Collections, Bodies: int(r.Bodies), Lines: int(r.Lines),
	}
	ans, err := h.ws.Ask(ctx, r.Question, o)
	if err != nil {
		return err
	}
	events := answerEvents(ans, h.mask())
	last := len(events) - 1
	for _, e := range events[:last] {
		if err := to.Send(e); err != nil {
			return err
		}
	}
	done := events[last].GetDone()
	done.Proof = h.opt.Proof != nil
	if r.Seal { // the pieces are on their way meanwhile
		a, problem, err := h.seal(ctx, ans, o.Ledger)
		if err == nil && problem != "" {
			err = to.Send(&v1.AskEvent{Event: &v1.AskEvent_Problem{Problem: problem}})
		}
		if err != nil {
			return err
		}
		done.Answer = asTree(a)
	}
	return to.Send(events[last])
}

// seal makes an answer of what was found, as findspot ask --answer does, or says why it cannot be made.
func (h questions) seal(ctx context.Context, ans *findspot.Answer, led *evidence.Ledger) (a *evidence.Answer, problem string, err error) {
	a, err = evidence.ListAnswer(ctx, led, ans.Items, ans.Question, &evidence.CompactOptions{Source: h.ws})
	if err == nil {
		err = a.Seal(ctx, h.ws, led)
	}
	if err == nil || ctx.Err() != nil {
		return a, "", ctx.Err()
	}
	hide, bad := proofs(h).hidden(ctx, placesOf(&evidence.Answer{Items: ans.Items}))
	if bad != nil {
		return nil, "", bad
	}
	return nil, hide.Replace("the answer is not sealed: " + err.Error()), nil
}

// answerEvents is an answer as events.
func answerEvents(ans *findspot.Answer, mask bool) []*v1.AskEvent {
	whole := message.Fill[v1.Answer](ans, mask)
	events := []*v1.AskEvent{{Event: &v1.AskEvent_Understood{Understood: &v1.Understood{
		Question: whole.Question, Topic: whole.Topic, Parts: whole.Parts, Assumptions: whole.Assumptions,
	}}}}
	for _, p := range pieces(ans, whole) {
		events = append(events, &v1.AskEvent{Event: &v1.AskEvent_Piece{Piece: p}})
	}
	for _, c := range whole.Callers {
		events = append(events, &v1.AskEvent{Event: &v1.AskEvent_Callers{Callers: c}})
	}
	for _, m := range whole.Missing {
		events = append(events, &v1.AskEvent{Event: &v1.AskEvent_Missing{Missing: m}})
	}
	for _, p := range whole.Problems {
		events = append(events, &v1.AskEvent{Event: &v1.AskEvent_Problem{Problem: p}})
	}
	return append(events, &v1.AskEvent{Event: &v1.AskEvent_Done{Done: &v1.AskSummary{
		Searched: whole.Searched, Pieces: int32(len(whole.Items)), Asked: ans.Asked, Complete: ans.Complete,
	}}})
}

// pieces are the items of an answer in the order in which a reader wants them: those of the parts, best first, then those of callers.
func pieces(ans *findspot.Answer, whole *v1.Answer) []*v1.Piece {
	of := map[string]*v1.Piece{}
	for i, it := range ans.Items {
		of[it.Key] = &v1.Piece{Item: whole.Items[i], Why: whole.Why[it.Key].GetSignals()}
	}
	var out []*v1.Piece
	taken := map[string]bool{}
	take := func(key string) *v1.Piece {
		p := of[key]
		if p != nil && !taken[key] {
			taken[key] = true
			out = append(out, p)
		}
		return p
	}
	for i, part := range ans.Parts {
		for _, key := range part.Keys {
			if p := take(key); p != nil {
				p.Parts = append(p.Parts, int32(i))
			}
		}
	}
	for _, it := range ans.Items {
		take(it.Key)
	}
	return out
}

func (h questions) Callers(ctx context.Context, r *v1.CallersRequest) (*v1.CallersResult, error) {
	if strings.TrimSpace(r.Name) == "" {
		return nil, invalid(`"name" is empty`)
	}
	res, err := h.ws.Callers(ctx, r.Name, nil)
	if err != nil {
		return nil, asked(err)
	}
	return message.Fill[v1.CallersResult](res, h.mask()), nil
}
