package documents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
)

const (
	// maxReopen bounds the files that are shown to a server because they changed; above it a new process is cheaper.
	maxReopen = 100
	// maxEvents bounds the changes told in one message.
	maxEvents = 10_000
)

// OutdatedError says that a session cannot be told what changed and must be replaced.
type OutdatedError struct{ Why string }

func (e *OutdatedError) Error() string { return "the server had to be started again: " + e.Why }

// checkFolder returns an OutdatedError when the folder the server was started in is another one now, such as after it was
// moved away and back: its working directory then is the old one.
func (s *Set) checkFolder() error {
	info, err := os.Stat(s.folder)
	if err != nil {
		return fmt.Errorf("workspace folder %s: %w", s.tree.Relative(s.folder), errs.NotFound)
	}
	if s.folderInfo != nil && !os.SameFile(info, s.folderInfo) {
		return &OutdatedError{"its folder was replaced"}
	}
	return nil
}

// tell makes the server see what changed on disk, in the way its entry says; moved: files came or went. Of folders that
// came or went a server hears that has registered a pattern for them: ty looks for a package in a new folder only when it
// was told of the folder. The locks are held as for notify.
func (s *Set) didChangeFiles(ctx context.Context, events, folders []protocol.FileEvent, moved bool) error {
	if len(events) == 0 {
		return nil
	}
	spec := s.spec
	// It looks at the disk by itself, and late.
	late := spec.Unwatched.Command != "" && !s.Watchers.Any()
	look := late && moved
	var shown []string
	for _, e := range events {
		path, _ := source.PathOf(string(e.URI))
		rel := s.tree.Relative(path)
		if spec.LanguageOf(path) == "" {
			if spec.Concerns(filepath.Base(path)) && (spec.MarkerFreshness == registry.FreshRestart ||
				spec.MarkerFreshness == registry.FreshCame && e.Type != protocol.FileChangeTypeChanged && filepath.Dir(path) == s.folder) {
				return &OutdatedError{rel + " changed"}
			}
			look = look || late && spec.Concerns(filepath.Base(path))
			continue
		}
		if why := s.project.Outdated(path); why != "" {
			return &OutdatedError{why}
		}
		switch {
		case spec.Freshness == registry.FreshRestart, spec.Freshness == registry.FreshCame && e.Type != protocol.FileChangeTypeChanged,
			spec.Freshness == registry.FreshReopen && e.Type == protocol.FileChangeTypeDeleted:
			return &OutdatedError{rel + " changed"}
		case s.open[path] != nil:
		case spec.Freshness == registry.FreshReopen, late && e.Type != protocol.FileChangeTypeDeleted,
			spec.Freshness == registry.FreshAsk && e.Type == protocol.FileChangeTypeCreated:
			shown = append(shown, path)
		}
	}
	if len(shown) > maxReopen {
		return &OutdatedError{fmt.Sprintf("%d files changed", len(shown))}
	}
	wanted := s.Watchers.Wanted(events)
	s.invalidate(wanted, moved)
	switch {
	case s.project != nil && len(wanted) > 0:
		for _, e := range folders {
			if path, _ := source.PathOf(string(e.URI)); e.Type == protocol.FileChangeTypeCreated { // it does not take them for packages
				return &OutdatedError{s.tree.Relative(path) + " is a new folder"}
			}
		}
		mark, err := s.newMarker()
		if err != nil {
			return err
		}
		wanted = append(wanted, mark...)
	case s.Watchers.Any():
		wanted = append(s.Watchers.Wanted(folders), wanted...)
	}
	for list := range slices.Chunk(wanted, maxEvents) {
		err := s.notify(ctx, protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: list})
		if err != nil {
			return err
		}
	}
	for _, path := range shown {
		text, info, err := source.ReadFile(path)
		if err != nil {
			continue // gone again, or nothing to show
		}
		d := &document{path: path, content: text, info: info}
		if err := s.didOpen(ctx, d); err != nil {
			return err
		}
		if spec.Freshness == registry.FreshAsk {
			if err := s.load(ctx, path); err != nil {
				return err
			}
		}
		if err := s.didClose(ctx, d); err != nil {
			return err
		}
	}
	if look {
		return s.send(ctx, protocol.MethodWorkspaceExecuteCommand, &struct {
			Command   string `json:"command"`
			Arguments []any  `json:"arguments,omitempty"`
		}{spec.Unwatched.Command, spec.Unwatched.Arguments})
	}
	return nil
}

// keepOpen shows the server files that changed without a later time of change, and leaves them open: servers that go by
// that time (ty, jedi) believe that they know them, told or not, until they are asked about them. The locks are held as
// for notify.
func (s *Set) keepOpen(ctx context.Context, timeless []string) error {
	if len(timeless) > maxOpen/2 {
		return &OutdatedError{fmt.Sprintf("%d files changed without a later time of change", len(timeless))}
	}
	for _, path := range timeless {
		if s.open[path] == nil {
			text, info, err := source.ReadFile(path)
			if err != nil || s.server.Refuses(path, text) != nil {
				continue // gone again, or nothing to show
			}
			if err := s.didOpen(ctx, &document{path: path, content: text, info: info, readAt: time.Now()}); err != nil {
				return err
			}
		}
		if err := s.load(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// load asks the server about the beginning of a file, so that it loads what the file is part of. The locks are held as
// for notify.
func (s *Set) load(ctx context.Context, path string) error {
	if !s.server.Offers(protocol.MethodTextDocumentHover) {
		return nil
	}
	return s.send(ctx, protocol.MethodTextDocumentHover, &protocol.HoverParams{
		TextDocumentPositionParams: protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: source.FileURI(path)}},
	})
}

// send puts a request to the server whose answer does not matter, nor that it may be an error. The locks are held as for
// notify.
func (s *Set) send(ctx context.Context, method string, params any) error {
	s.mu.Unlock()
	defer s.mu.Lock()
	err := s.server.Send(ctx, method, params)
	if ctx.Err() != nil || jsonrpc.IsEnded(err) {
		return err
	}
	return nil
}
