package agent

import (
	"context"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// A judged sentence is one that was checked, with what its evidence says of it.
type judged struct {
	evidence.Checked
	verdict evidence.Verdict // empty: it has no evidence, or something is wrong with it already
}

// judge refuses what cites other evidence than that of this question, and what its evidence speaks against.
func (w *writer) judge(ctx context.Context, c evidence.Checked) judged {
	c.Errors = append(c.Errors, w.foreign(&c)...)
	j := judged{Checked: c}
	if len(c.Errors) > 0 || len(c.Items) == 0 {
		return j
	}
	if w.model == nil { // the evidence's own sentences
		j.verdict = evidence.Supported
		return j
	}
	j.verdict = evidence.Undecided
	said, err := evidence.Judge(ctx, w.g.Ledger, c.Sentence.Text, &evidence.JudgeOptions{Source: w.opt.Source})
	if err != nil { // the end of ctx, which ends the answer too
		return j
	}
	for i, s := range said {
		if i == 0 || s.Verdict != evidence.Supported {
			j.verdict = s.Verdict
		}
		if s.Verdict == evidence.Unsupported {
			j.Errors = append(j.Errors, &evidence.TextError{Sentence: c.Sentence, Reason: "its evidence does not say so: " + s.Reason})
			break
		}
	}
	return j
}

// foreign refuses keys that the ledger has, but that were not gathered for this question: they can only be guessed.
func (w *writer) foreign(c *evidence.Checked) (bad []*evidence.TextError) {
	for _, it := range c.Items {
		if !w.gathered[it.Key] {
			bad = append(bad, &evidence.TextError{Sentence: c.Sentence, Key: it.Key, Err: skill.ErrNotFound,
				Reason: "[" + it.Key + "] is not among the evidence that was gathered for this question"})
		}
	}
	return bad
}
