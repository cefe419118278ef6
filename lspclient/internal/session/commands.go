package session

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/project"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// commands tell a server that has no compilation database how the files that it is shown are compiled. By itself clangd takes
// each header for C++, in which int f(int) is another symbol than the one that a source in C defines and calls, and looks for what
// is included beside the file only: a declaration and its definition would be two symbols, and uses belong to one of them.
type commands struct {
	mu   sync.Mutex
	snap *filetree.Snapshot // that in was made of
	in   *project.Inclusions
}

// introduce tells the server what it must know of a file before it is shown it.
func (c *commands) introduce(ctx context.Context, s *Session, params any) error {
	shown, ok := params.(*protocol.DidOpenTextDocumentParams)
	if !ok || s.Server.Spec.Database.Commands == "" || !s.Database.Unknown() {
		return nil
	}
	abs, ok := source.PathOf(string(shown.TextDocument.URI))
	if !ok {
		return nil
	}
	in, err := c.inclusions(ctx, s)
	if err != nil {
		return err
	}
	command := in.Command(abs)
	if command == nil {
		return nil
	}
	return s.Conn.Notify(ctx, protocol.MethodWorkspaceDidChangeConfiguration, map[string]any{"settings": map[string]any{
		s.Server.Spec.Database.Commands: map[string]any{abs: map[string]any{
			"workingDirectory": filepath.Dir(abs), "compilationCommand": command,
		}},
	}})
}

// inclusions returns what the sources of the server's folder include, read again when files came, went or changed.
func (c *commands) inclusions(ctx context.Context, s *Session) (*project.Inclusions, error) {
	files, err := s.Server.Files(ctx)
	if err != nil {
		return nil, err
	}
	snap := s.Documents.Snapshot()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.in != nil && c.snap == snap {
		return c.in, nil
	}
	budget := int64(MaxRead)
	c.snap, c.in = snap, project.NewInclusions(files, s.Server.Spec.LanguageOf, func(path string) []byte {
		if budget <= 0 || ctx.Err() != nil {
			return nil
		}
		text, _, err := s.Server.Pool.Tree.Read(path)
		if err != nil {
			return nil
		}
		budget -= int64(len(text.Bytes))
		return text.Bytes
	})
	if err := ctx.Err(); err != nil {
		c.in = nil
		return nil, err
	}
	return c.in, nil
}
