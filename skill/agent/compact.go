package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/show"
)

const (
	maxConversation = 1 << 20 // estimated tokens of a conversation that is never compacted
	maxDigests      = 12      // requests to the model for one compaction
	keptText        = 800     // runes that stay of an older result without evidence
	keptSaid        = 2000    // and of what the model said
)

// fit keeps the conversation within its size: above it, the evidence of all turns but the last is compacted for the question,
// in the first message, and then that of the last turn too.
func (a *gatherer) fit(ctx context.Context) error {
	limit := a.opt.CompactAt
	if limit < 0 {
		if n := estimate(a.system, a.g.Messages); n > maxConversation {
			return fmt.Errorf("the conversation has about %d tokens, and at most %d are sent", n, maxConversation)
		}
		return nil
	}
	for _, turn := range []int{a.g.Turns - 1, a.g.Turns} {
		if estimate(a.system, a.g.Messages) <= limit {
			return nil
		}
		if turn > a.compacted {
			if err := a.compact(ctx, turn); err != nil {
				return err
			}
		}
	}
	if n := estimate(a.system, a.g.Messages); n > 2*limit {
		return fmt.Errorf("the conversation has about %d tokens, also when it is compacted", n)
	}
	return nil
}

// compact replaces the results of all turns up to one by a digest of their evidence.
func (a *gatherer) compact(ctx context.Context, turn int) error {
	old := map[string]bool{}
	byID := map[string]*Call{}
	for i := range a.g.Calls {
		c := &a.g.Calls[i]
		byID[c.id] = c
		if c.Turn <= turn {
			for _, k := range c.Keys {
				old[k] = true
			}
		}
	}
	var items []evidence.Item
	for _, it := range a.g.Items {
		if old[it.Key] {
			items = append(items, it)
		}
	}
	var s evidence.Summarise
	if a.opt.Summarise {
		s = a.summarise()
	}
	c, err := evidence.Compact(ctx, a.g.Ledger, items, a.g.Question, s, &evidence.CompactOptions{Runes: max(a.opt.CompactAt*4/3, 400)})
	if err != nil {
		return err
	}
	a.g.Compaction, a.compacted = c, turn
	msgs := slices.Clone(a.g.Messages)
	msgs[0].Text = a.opening(c.Text())
	said := 0 // turns of the model met so far
	for i := range msgs[1:] {
		m := &msgs[i+1]
		if m.From == skill.FromModel {
			said++
		}
		call := byID[m.CallID]
		switch {
		case said > turn:
		case m.From == skill.FromModel:
			m.Text = message.Clip(m.Text, keptSaid)
		case m.From != skill.FromTool || call == nil:
		case len(call.Keys) > 0:
			m.Text = fmt.Sprintf("(compacted into the first message: it gave %s)", strings.Join(call.Keys, ", "))
		default:
			if text, gone := cutAnswer(m.Text, keptText); gone > 0 {
				m.Text = fmt.Sprintf("%s\n(%d more characters are cut: the same call gives them again)", text, gone)
				call.cut = true
			}
		}
	}
	a.g.Messages = msgs
	a.opt.Logger.Info("skill: conversation compacted", "turn", turn, "items", len(items), "left", len(c.Left), "tokens", estimate(a.system, msgs))
	return nil
}

// cutAnswer cuts the answer to a call: of what is marked as data the marks stay whole, and of an answer in which nothing is, nothing is kept.
func cutAnswer(text string, limit int) (kept string, gone int) {
	if _, gone = message.CutRunes(text, limit); gone == 0 {
		return text, 0
	}
	head, rest, _ := strings.Cut(text, "\n")
	content, _, ok := show.Leading(rest)
	if !ok {
		return "", utf8.RuneCountInString(text)
	}
	content, gone = message.CutRunes(content, limit)
	return head + "\n" + strings.TrimRight(show.Data(content), "\n"), gone
}

// summarise lets the model write digests, within the budgets.
func (a *gatherer) summarise() evidence.Summarise {
	left := maxDigests
	talk := a.log.rec.Conversation("compact")
	return func(ctx context.Context, prompt string) (string, error) {
		if stopped, reason := a.budget.over(); stopped == GatherTokens || stopped == GatherWall {
			return "", fmt.Errorf("not asked: %s", reason)
		}
		if left--; left < 0 {
			return "", fmt.Errorf("not asked: at most %d digests are written at once", maxDigests)
		}
		req := &skill.Request{Role: skill.RoleWorker, Messages: []skill.Message{{From: skill.FromUser, Text: prompt}}}
		reply, err := talk.Ask(ctx, a.model, req)
		a.budget.spend(tokensOf(req, reply))
		if err == nil {
			err = reply.Err()
		}
		return reply.Text, err
	}
}

// again is the answer to a call that was made before.
func (a *gatherer) again(n int) string {
	c := &a.g.Calls[n-1]
	if c.Turn > a.compacted || len(c.Keys) == 0 {
		msg := fmt.Sprintf("Not called again: this is call %d (%s) once more, and its answer stands above.", n, c.Tool)
		if len(c.Keys) > 0 {
			msg += " It gave " + strings.Join(c.Keys, ", ") + "."
		}
		return msg
	}
	var b strings.Builder
	for _, k := range c.Keys {
		if it, ok := a.g.Ledger.Get(k); ok {
			b.WriteString(show.ItemText(it) + "\n")
		}
	}
	text, gone := message.CutRunes(visible.Text(b.String()), a.opt.MaxResult)
	msg := fmt.Sprintf("Not called again: this is call %d (%s) once more. It gave:\n", n, c.Tool) + show.Data(text)
	if gone > 0 {
		msg += fmt.Sprintf("(%d more characters are left out)", gone)
	}
	return msg
}
