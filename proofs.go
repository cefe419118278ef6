package findspot

import (
	"context"

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
	// DoubtWords asks Decide also about what words decide, except near copies of the evidence; see [evidence.JudgeOptions].
	DoubtWords bool
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
