package documents

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/project"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// seenTimeout bounds the wait for a server that was told of a changed file and reads it later.
const seenTimeout = 3 * time.Second

// invalidate notes what the server is told about files; it is called before that, with the documents' lock held. Moved: files
// came or went.
func (s *Set) invalidate(events []protocol.FileEvent, moved bool) {
	reload := false
	var last string
	for _, e := range events {
		abs, ok := source.PathOf(string(e.URI))
		if !ok {
			continue
		}
		reload = reload || s.spec.Concerns(filepath.Base(abs))
		if s.open[abs] == nil {
			last = abs
		}
	}
	switch {
	case reload:
		s.ready.Invalidate(ready.ConfigChanged)
	case moved:
		s.ready.Invalidate(ready.FilesMoved)
	}
	if s.spec.Ready.Seen != "" && last != "" {
		s.unread = last // servers read files in the order in which they are named
	}
}

// AwaitRead waits until the server has read the files it was told of, if its entry says how to tell. When that cannot be
// told in time, answers must agree.
func (s *Set) AwaitRead(ctx context.Context) error {
	if s.project != nil {
		return s.awaitMarker(ctx)
	}
	s.mu.Lock()
	abs := s.unread
	s.mu.Unlock()
	if abs == "" {
		return nil
	}
	until := time.Now().Add(seenTimeout)
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		same, err := s.hasText(ctx, abs)
		if err != nil {
			return err
		}
		if same || time.Now().After(until) {
			s.mu.Lock()
			if s.unread == abs {
				s.unread = ""
			}
			s.mu.Unlock()
			if !same {
				s.ready.RequireAgreement()
			}
			return nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hasText reports whether the server's text of a file is that on disk, or there is neither.
func (s *Set) hasText(ctx context.Context, abs string) (bool, error) {
	text, _, err := source.ReadFile(abs)
	gone := errors.Is(err, fs.ErrNotExist)
	if err != nil && !gone {
		return true, nil // nothing to compare with
	}
	var raw json.RawMessage
	err = s.server.Call(ctx, s.spec.Ready.Seen, &protocol.TextDocumentIdentifier{URI: source.FileURI(abs)}, &raw)
	if err != nil {
		if !jsonrpc.IsAnswer(err) {
			return false, err
		}
		return gone, nil
	}
	var has string
	if json.Unmarshal(raw, &has) != nil {
		return gone, nil
	}
	if gone || !utf8.Valid(text.Bytes) {
		return false, nil
	}
	plain := func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")) }
	return bytes.Equal(plain([]byte(has)), plain(text.Bytes)), nil
}

// JDT LS puts the changes of files that it is told of in a queue, and takes them from there one by one, some time later and
// without a word; meanwhile it answers from what it had. So a class of ours is made beside the sources with each message, and
// named last in it: once the server finds the class it has taken in all the rest.

// mark makes a new class that the server is told of behind other changes, in the place of the one before. The locks are
// held as for notify.
func (s *Set) newMarker() ([]protocol.FileEvent, error) {
	dir := filepath.Join(s.project.Data.Project, project.MarkerFolder)
	file := func(name string) string { return filepath.Join(dir, name+".java") }
	var events []protocol.FileEvent
	if s.marker != "" {
		if err := os.Remove(file(s.marker)); err != nil {
			return nil, err
		}
		events = append(events, protocol.FileEvent{URI: source.FileURI(file(s.marker)), Type: protocol.FileChangeTypeDeleted})
	}
	s.markers++
	s.marker = fmt.Sprintf("FindspotMark%d", s.markers)
	if err := os.WriteFile(file(s.marker), []byte("class "+s.marker+" {}\n"), 0o600); err != nil {
		return nil, err
	}
	s.awaited = s.marker
	return append(events, protocol.FileEvent{URI: source.FileURI(file(s.marker)), Type: protocol.FileChangeTypeCreated}), nil
}

// awaitMarker waits until the server has taken in what it was told of. An *OutdatedError says that it did not.
func (s *Set) awaitMarker(ctx context.Context) error {
	until := time.Now().Add(markerTimeout)
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		s.mu.Lock()
		name := s.awaited
		s.mu.Unlock()
		if name == "" {
			return nil
		}
		var raw json.RawMessage
		err := s.server.Call(ctx, protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: name}, &raw)
		switch {
		case err != nil && !jsonrpc.IsAnswer(err):
			return err
		case err == nil && strings.Contains(string(raw), `"`+name+`"`):
			s.mu.Lock()
			if s.awaited == name {
				s.awaited = ""
			}
			s.mu.Unlock()
			return nil
		}
		if time.Now().After(until) {
			return &OutdatedError{"it did not take in changed files"}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// markerTimeout bounds the wait for a change to be taken in; then a new process is what helps.
const markerTimeout = 30 * time.Second
