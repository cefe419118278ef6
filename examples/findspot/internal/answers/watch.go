package answers

import (
	"context"

	"github.com/findspot/findspot/examples/findspot/internal/env"
)

// A Watch remembers which answers held.
type Watch struct {
	names []string
	check Checker
	held  map[string]bool   // by file
	told  map[string]string // why a file could not be read
}

// NewWatch makes a watch of the answers in files and folders.
func NewWatch(names []string, check Checker) *Watch { return &Watch{names: names, check: check} }

// Look checks all answers again, also those that came meanwhile, and reports those that held and do not any more, or the reverse: the first time those that do not hold.
func (w *Watch) Look(ctx context.Context, e *env.Env) (*Report, error) {
	files, err := Find(e, w.names)
	if err != nil {
		return nil, err
	}
	all, err := Check(ctx, e, files, w.check, false)
	if err != nil {
		return nil, err
	}
	news := &Report{Holds: all.Holds, Answers: []File{}}
	held := map[string]bool{}
	for _, f := range all.Answers {
		held[f.File] = f.Recheck.Holds
		before, known := w.held[f.File]
		if !known {
			before = true // one that came is expected to hold
		}
		if before != f.Recheck.Holds {
			news.Answers = append(news.Answers, f)
		}
	}
	told := map[string]string{}
	for _, s := range all.Skipped {
		if told[s.File] = s.Reason; s.Broken && w.told[s.File] != s.Reason {
			news.Skipped = append(news.Skipped, s)
		}
	}
	w.held, w.told = held, told
	return news, nil
}
