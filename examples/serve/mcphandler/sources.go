package mcphandler

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
)

// Sources are the folders that a program answers from.
type Sources struct {
	Docs, Repos []string // to read at the start
	IndexRoots  []string // below which clients may add
}

// Scope is what answers come from when sources are given, for OnlyRepos and OnlyDocs of findspot.Options: the sources, and what clients may add. A kind of which
// none is given is answered of what of it lies in the others. An index without sources answers of all that it holds.
func (s Sources) Scope() (onlyRepos, onlyDocs []string) {
	if len(s.Repos)+len(s.Docs) == 0 {
		return nil, nil
	}
	if onlyRepos = s.Repos; len(s.Repos) == 0 {
		onlyRepos = s.Docs
	}
	if onlyDocs = s.Docs; len(s.Docs) == 0 {
		onlyDocs = s.Repos
	}
	return slices.Concat(onlyRepos, s.IndexRoots), slices.Concat(onlyDocs, s.IndexRoots)
}

// Read brings the sources up to date and then watches the repositories, until ctx ends. ready is for Options.Ready. wait returns when all of it has ended, for which ctx must have.
func (s Sources) Read(ctx context.Context, ws *findspot.Workspace, log *slog.Logger) (ready <-chan error, wait func()) {
	end, done := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(done)
		err := s.add(ctx, ws, log)
		end <- err
		if err != nil {
			return
		}
		if err := ws.Watch(ctx, nil); err != nil && ctx.Err() == nil { // answers then need no look at every file
			log.Info("repositories are not watched", "reason", err)
		}
	}()
	return end, func() { <-done }
}

// add reads the sources. A file that cannot be read is logged and the rest goes on.
func (s Sources) add(ctx context.Context, ws *findspot.Workspace, log *slog.Logger) error {
	for _, d := range s.Docs {
		for _, err := range ws.AddDocs(ctx, d) {
			var bad *docsearch.IngestError
			if errors.As(err, &bad) {
				log.Warn("document left out", "reason", bad)
			} else if err != nil {
				return err
			}
		}
	}
	for _, r := range s.Repos {
		if _, err := ws.AddRepo(ctx, r, nil); err != nil {
			return err
		}
	}
	return nil
}
