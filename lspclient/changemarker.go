package lspclient

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/findspot/findspot/lspclient/internal/project"
	"github.com/findspot/findspot/lspclient/internal/source"
	"go.lsp.dev/protocol"
)

// JDT LS puts the changes of files that it is told of in a queue, and takes them from there one by one, some time later and
// without a word; meanwhile it answers from what it had. So a class of ours is made beside the sources with each message, and
// named last in it: once the server finds the class it has taken in all the rest.

// mark makes a new class that the server is told of behind other changes, in the place of the one before. The locks are
// held as for announce.
func (s *documents) mark() ([]protocol.FileEvent, error) {
	dir := filepath.Join(s.project.Data.Project, project.MarkerFolder)
	file := func(name string) string { return filepath.Join(dir, name+".java") }
	var events []protocol.FileEvent
	if s.marked != "" {
		if err := os.Remove(file(s.marked)); err != nil {
			return nil, err
		}
		events = append(events, protocol.FileEvent{URI: source.DocumentURI(file(s.marked)), Type: protocol.FileChangeTypeDeleted})
	}
	s.marks++
	s.marked = fmt.Sprintf("FindspotMark%d", s.marks)
	if err := os.WriteFile(file(s.marked), []byte("class "+s.marked+" {}\n"), 0o600); err != nil {
		return nil, err
	}
	s.untaken = s.marked
	return append(events, protocol.FileEvent{URI: source.DocumentURI(file(s.marked)), Type: protocol.FileChangeTypeCreated}), nil
}

// takenIn waits until the server has taken in what it was told of. An *outdatedError says that it did not.
func (s *documents) takenIn(ctx context.Context) error {
	until := time.Now().Add(takeInTimeout)
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		s.docMu.Lock()
		name := s.untaken
		s.docMu.Unlock()
		if name == "" {
			return nil
		}
		var raw json.RawMessage
		err := s.call(ctx, protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: name}, &raw)
		switch {
		case err != nil && !isAnswered(err):
			return err
		case err == nil && strings.Contains(string(raw), `"`+name+`"`):
			s.docMu.Lock()
			if s.untaken == name {
				s.untaken = ""
			}
			s.docMu.Unlock()
			return nil
		}
		if time.Now().After(until) {
			return &outdatedError{"it did not take in changed files"}
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// takeInTimeout bounds the wait for a change to be taken in; then a new process is what helps.
const takeInTimeout = 30 * time.Second
