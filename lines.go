package findspot

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/skill/evidence"
)

var (
	errNoRepo = errors.New("no repository in the workspace: add one")
	errNoID   = errors.New("no entity id given")
)

// ReadLines returns lines of a file of a repository as an item of evidence. The path is relative to the root and may
// begin with "name//". The first and last line count from 1, inclusive; what lies behind the end of the file is left out.
func (w *Workspace) ReadLines(ctx context.Context, path string, first, last int) (evidence.Item, error) {
	repos, err := w.knownRepos()
	if err != nil {
		return evidence.Item{}, err
	}
	var bad error = fmt.Errorf("read %s: %w", path, errNoRepo)
	for _, r := range repos {
		local, ok := r.LocalID(path)
		if !ok {
			continue
		}
		data, err := r.SourceText(local)
		if err != nil {
			bad = fmt.Errorf("read %s: %w", path, err)
			continue
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		if n := len(lines); n > 0 && len(lines[n-1]) == 0 {
			lines = lines[:n-1]
		}
		if first < 1 || first > len(lines) {
			return evidence.Item{}, fmt.Errorf("read %s: %w: line %d; the file has %d lines", path, ErrNotFound, first, len(lines))
		}
		last = min(max(last, first), len(lines))
		it := evidence.Item{Kind: evidence.KindText, Via: "text", Text: string(bytes.Join(lines[first-1:last], nil)),
			At: evidence.Place{Repo: r.Label(), Path: local, Line: first, EndLine: last}}
		if last < len(lines) {
			it.Note = fmt.Sprintf("the file goes on to line %d", len(lines))
		}
		return it, nil
	}
	return evidence.Item{}, bad
}
