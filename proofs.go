package findspot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/written"
	"github.com/findspot/findspot/skill/evidence"
)

// VerifyTextOptions of [Workspace.VerifyText] and [Folders.VerifyText]. The zero value of each field is its default.
type VerifyTextOptions struct {
	Ledger *evidence.Ledger          // keys that are known already
	Keys   map[string]string         // what other keys stand for, as addresses: "paper.pdf p. 3, l. 10-14", "file.go:10-20"
	Places map[string]evidence.Place // or as places
	// NoMeaning leaves out whether the evidence says what a sentence claims: its keys and quotations are checked alone.
	NoMeaning bool
	// Decide is asked about sentences that words cannot decide, see [evidence.JudgeOptions]; nil leaves them undecided.
	Decide func(ctx context.Context, sentence string, evidence []string) (evidence.Verdict, string, error)
}

// VerifyText checks an answer as people and models write them, plain or in Markdown, that was never sealed: whether each sentence has a key, each quotation stands at its place,
// and the evidence says what the sentence claims. A key in square brackets is one of the options, or the text itself says what it stands for: by an
// address in its place, such as [paper.pdf p. 3, l. 10-14] or [receiver/pss.py:10-24], or in a line of its own, such as "[D1] paper.pdf p. 3". Such lines, and what is quoted
// below them, are no claims. What stands at the place in the sources now counts alone.
//
// A key that stands for nothing is named in the result, and what cites it does not hold. The error is one of ctx or of Decide, or of a text of over 1 MB or 2,000 places.
func (w *Workspace) VerifyText(ctx context.Context, text string, o *VerifyTextOptions) (*evidence.TextCheck, error) {
	return written.Check(ctx, text, w.sources(), (*written.Options)(o))
}

// CiteOptions of [Workspace.Cite]. The zero value of each field is its default.
type CiteOptions struct {
	Collections []string         // only documents in one of these; nil means all
	Limit       int              // most places; 0 means 3
	Ledger      *evidence.Ledger // gives the keys; nil means a new one
}

// Cited is the evidence of one sentence.
type Cited struct {
	Sentence string             `json:"sentence"`
	Places   []evidence.Support `json:"places"`  // those that support it first; never nil
	Remarks  []string           `json:"remarks"` // what could not be looked at; never nil
}

// citeTokens bounds what is looked at for one sentence.
const citeTokens = 3000

// Cite finds the evidence of one sentence in documents, with its keys and places: first what supports it by its words, then what words cannot decide, then what says
// something else. No model takes part. An error is that of [Workspace.Ask].
func (w *Workspace) Cite(ctx context.Context, sentence string, o *CiteOptions) (*Cited, error) {
	if strings.TrimSpace(sentence) == "" {
		return nil, errors.New("cite: the sentence is empty")
	}
	var opt CiteOptions
	if o != nil {
		opt = *o
	}
	if opt.Limit <= 0 {
		opt.Limit = 3
	}
	if opt.Ledger == nil {
		opt.Ledger = evidence.NewLedger()
	}
	ans, err := w.Ask(ctx, sentence, &AskOptions{Ledger: opt.Ledger, Collections: opt.Collections, Tokens: citeTokens})
	if err != nil {
		return nil, fmt.Errorf("cite: %w", err)
	}
	places, err := evidence.RankSupport(ctx, opt.Ledger, sentence, ans.Items, &evidence.JudgeOptions{Source: w.sources()})
	if err != nil {
		return nil, err
	}
	return &Cited{Sentence: sentence, Places: places[:min(len(places), opt.Limit)], Remarks: slices.Concat([]string{}, ans.Assumptions, ans.remarks(), ans.Problems)}, nil
}
