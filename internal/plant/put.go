package plant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/findspot/findspot/lspclient"
)

// Verdict says what an answer was worth.
type Verdict string

// The verdicts.
const (
	Right      Verdict = "right"              // and complete
	RightSaid  Verdict = "right, not sure"    // right, and said not to be complete
	WrongSaid  Verdict = "wrong, said so"     // wrong, and said not to be complete
	Failed     Verdict = "error"              // no answer
	Wrong      Verdict = "wrong and complete" // wrong, and said to be complete: a lie
	NotOffered Verdict = ""                   // the server has no such question
)

// Outcome is the answer to a check.
type Outcome struct {
	Check
	Verdict Verdict
	Got     []string // in the form of Check.Want
	Said    lspclient.Answer
	Err     error
	Took    time.Duration
}

// String tells everything on one line.
func (o Outcome) String() string {
	at := o.Name
	if o.Path != "" {
		at = fmt.Sprintf("%s:%d:%d", o.Path, o.Line, o.Col)
	}
	return fmt.Sprintf("%s: %s of %s: got %v, want %v, %s %s %v, took %v", o.Verdict, o.Ask, at, o.Got, o.Want, o.Said.State, o.Said.Reason, o.Err, o.Took.Round(time.Millisecond))
}

// Put asks the client the question of a check, within the time given.
func Put(ctx context.Context, lc *lspclient.Client, c Check, limit time.Duration) Outcome {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	o := Outcome{Check: c}
	began := time.Now()
	switch c.Ask {
	case References:
		o.take(lc.References(ctx, lspclient.Named(c.Name), nil))
	case Definition:
		o.take(lc.Definition(ctx, lspclient.At(c.Path, c.Line, c.Col), nil))
	case Symbols:
		o.list(lc.Symbols(ctx, c.Path))
	case WorkspaceSymbols:
		o.list(lc.WorkspaceSymbols(ctx, c.Name, nil))
	}
	o.Took = time.Since(began)
	slices.Sort(o.Got)
	o.Got = slices.DeleteFunc(slices.Compact(o.Got), func(at string) bool { return slices.Contains(c.Also, at) })
	o.judge()
	return o
}

func (o *Outcome) take(r *lspclient.Result, err error) {
	if o.Err = err; err != nil {
		return
	}
	o.Said = r.Answer
	for _, l := range r.Locations {
		o.Got = append(o.Got, fmt.Sprintf("%s:%d", l.Path, l.Line))
	}
}

func (o *Outcome) list(r *lspclient.SymbolResult, err error) {
	if o.Err = err; err != nil {
		return
	}
	o.Said = r.Answer
	for _, s := range r.Symbols {
		switch {
		case o.Ask == Symbols && o.counts(s.Name):
			o.Got = append(o.Got, fmt.Sprintf("%s:%d", s.Name, s.Selection.Line))
		case o.Ask == WorkspaceSymbols && s.Name == o.Name:
			o.Got = append(o.Got, fmt.Sprintf("%s:%d", s.Selection.Path, s.Selection.Line))
		}
	}
}

func (o *Outcome) judge() {
	same := slices.Equal(o.Got, o.Want)
	switch {
	case errors.Is(o.Err, lspclient.ErrUnsupported):
		o.Verdict = NotOffered
	case errors.Is(o.Err, lspclient.ErrNotFound) && !errors.Is(o.Err, lspclient.ErrIncomplete) && o.Ask == References:
		o.Verdict = Wrong // to say that there is no such name is an answer
		if len(o.Want) == 0 {
			o.Verdict = Right
		}
	case o.Err != nil:
		o.Verdict = Failed
	case o.Said.State == lspclient.Complete && same:
		o.Verdict = Right
	case o.Said.State == lspclient.Complete:
		o.Verdict = Wrong
	case same:
		o.Verdict = RightSaid
	default:
		o.Verdict = WrongSaid
	}
}
