package skill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill/internal/bounded"
	"github.com/findspot/findspot/skill/workflow"
)

// The errors this room shares with the others.
var (
	ErrNotFound    = errs.NotFound
	ErrFormat      = errs.Format
	ErrTooLarge    = errs.TooLarge
	ErrStale       = errs.Stale
	ErrUnsupported = errs.Unsupported
)

var errTooLong = fmt.Errorf("the model's answer is over %d bytes: %w", maxReply, errs.TooLarge)

// A LoadError lists all problems for which one skill was not loaded, by line. It wraps [ErrFormat].
type LoadError struct {
	File     string // its SKILL.md
	Problems []workflow.Problem
}

func (e *LoadError) Error() string {
	out := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		out[i] = p.String()
	}
	return strings.Join(out, "\n")
}

// Unwrap returns ErrFormat.
func (e *LoadError) Unwrap() error { return errs.Format }

func loadError(file string, problems []workflow.Problem) *LoadError {
	problems = slices.Clone(problems)
	slices.SortStableFunc(problems, func(a, b workflow.Problem) int { return cmp.Compare(a.Line, b.Line) })
	return &LoadError{File: file, Problems: problems}
}

// A DeniedError says that a tool was refused in a run.
type DeniedError struct {
	Tool    string // the tool that was asked for
	Because string // the rule's reason
	Until   string // the condition that would allow it; empty: never in this run
}

func (e *DeniedError) Error() string {
	msg := fmt.Sprintf("tool %s is denied: %s", e.Tool, e.Because)
	if e.Until != "" {
		msg += fmt.Sprintf(" (until %s)", e.Until)
	}
	return msg
}

// A HangError says that a tool, a model, an approval or a hook did not return when it was told to: What it was, and After how long it was no
// longer waited for. The run goes on without it; what it still does in the background nobody waits for.
type HangError = bounded.HangError
