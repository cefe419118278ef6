package agent

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/show"
)

const maxMended = 40 // sentences that a model is asked to mend at once

const repairText = `Some sentences of your answer are refused. For each of them write one line: its number, a full stop, and a sentence to stand in
its place that rests on the evidence and cites its keys; or its number and a dash, to leave it out. Write nothing else.

`

// repair asks the model once to mend what does not hold.
func (w *writer) repair(ctx context.Context, first *skill.Request) error {
	var bad []*unit
	var b strings.Builder
	for _, u := range w.units[w.sent:] {
		if !u.bad || u.gone || len(bad) == maxMended {
			continue
		}
		bad = append(bad, u)
		var said, why []string
		for _, c := range u.checked {
			said = append(said, message.Clip(c.Sentence.Text, 2000))
			for _, e := range c.Errors {
				why = append(why, e.Reason)
			}
		}
		fmt.Fprintf(&b, "%d. %s\n   refused: %s\n", len(bad), strings.Join(said, " "), message.Clip(strings.Join(why, "; "), 1000))
	}
	if len(bad) == 0 {
		return nil
	}
	req := *first
	req.Messages = append(slices.Clone(first.Messages), skill.Message{From: skill.FromModel, Text: w.raw.String()}, skill.Message{From: skill.FromUser, Text: repairText + show.Data(b.String())})
	reply, err := w.talk.Ask(ctx, w.model, &req)
	w.rep.Tokens += tokensOf(&req, reply)
	if err != nil {
		return fmt.Errorf("answer: model: %w", err)
	}
	for n, text := range numbered(reply.Text, len(bad)) {
		w.mend(ctx, bad[n], text)
	}
	return nil
}

var numberRule = lazyregexp.New(`^\s*\(?(\d{1,3})[.:)]\s*(.*)$`)

// numbered reads lines that begin with a number from 1 to n; others go on with the one before them. It returns them by number, from 0; of
// two with one number the first counts.
func numbered(text string, n int) map[int]string {
	out := map[int]string{}
	at, last := -1, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := numberRule.FindStringSubmatch(line); m != nil {
			if k, err := strconv.Atoi(m[1]); err == nil && k > last && k <= n {
				at, last = k-1, k
				out[at] = m[2]
				continue
			}
		}
		if at >= 0 {
			out[at] += "\n" + line
		}
	}
	return out
}

// mend judges what the model gives in place of a unit.
func (w *writer) mend(ctx context.Context, u *unit, text string) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "```") && !strings.HasPrefix(text, "~~~") {
		text = strings.Join(strings.Fields(text), " ")
	}
	s := evidence.NewStream(w.g.Ledger, w.check)
	done := append(s.Write(ctx, text), s.Close(ctx)...)
	if len(done) == 0 { // a dash
		u.gone = true
		return
	}
	u.checked, u.bad, u.repaired = nil, false, true
	for _, c := range done {
		j := w.judge(ctx, c)
		u.bad = u.bad || len(j.Errors) > 0
		u.checked = append(u.checked, j)
	}
}

// finish makes the answer whole, asks the hooks, seals it and gives the last piece.
func (w *writer) finish(ctx context.Context) error {
	var why []string
	if w.rep.Status == skill.StatusDone {
		switch {
		case w.rep.Verified+w.rep.Undecided > 0:
		case w.rep.Unknown > 0:
			w.rep.Status = skill.StatusInsufficient
			why = append(why, "the evidence does not tell")
		default:
			w.rep.Status = skill.StatusInsufficient
			why = append(why, "no sentence that was written holds")
		}
	}
	if strings.TrimSpace(w.text.String()) == "" {
		if err := w.pass(&Piece{Text: "The evidence that was gathered does not answer this."}); err != nil {
			return err
		}
	}
	if w.rep.Reason != "" {
		why = append(why, w.rep.Reason)
	}
	if w.rep.LeftOut > 0 {
		why = append(why, fmt.Sprintf("%d sentences are left out because they do not hold", w.rep.LeftOut))
	}
	if w.g.Stopped != "" && w.g.Stopped != GatherDone {
		why = append(why, "gathering was ended early: "+w.g.Reason)
	}
	a := &evidence.Answer{Question: w.g.Question, Text: w.text.String(), Rules: evidence.Rules{EveryClaim: w.check.EveryClaim, Quotes: w.check.Quotes, Headings: w.check.Headings}, Sources: []evidence.Sealed{}, Searched: slices.Clone(w.g.Searched)}
	a.Items = evidence.Expand(w.g.Ledger, a.Text)
	notes, err := invoke.FinalAnswer(ctx, w.opt.Hooks, a)
	w.rep.Notes = notes
	switch {
	case err != nil:
		w.rep.Status, why, a, w.held = skill.StatusStopped, []string{err.Error()}, nil, nil
	case w.opt.Source != nil:
		sealed := *a
		if err := sealed.Seal(ctx, w.opt.Source, w.g.Ledger); err != nil {
			why = append(why, "it is not sealed: "+err.Error())
		} else {
			a, w.rep.Sealed = &sealed, true
		}
	}
	if over := ctx.Err(); over != nil {
		if err != nil { // the hook that took the time
			return fmt.Errorf("answer: %w: %w", over, err)
		}
		return fmt.Errorf("answer: %w", over)
	}
	w.rep.Reason = strings.ReplaceAll(strings.Join(why, "; "), ".; ", "; ")
	var cited []evidence.Item
	told := map[string]any{"verified": w.rep.Verified, "undecided": w.rep.Undecided, "unknown": w.rep.Unknown, "repaired": w.rep.Repaired, "left_out": w.rep.LeftOut, "sealed": w.rep.Sealed}
	if a != nil {
		cited, told["answer"] = a.Items, a.Text
	}
	w.log.outcome("answer", w.rep.Status, w.rep.Reason, cited, 0, w.rep.Tokens, told)
	if err := w.log.rec.Err(); err != nil {
		return err
	}
	for _, p := range append(w.held, &Piece{Answer: a, Report: w.rep}) {
		if !w.yield(p, nil) {
			w.broken = true
			return errBroken
		}
	}
	return nil
}
