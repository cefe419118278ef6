package snapshot

import (
	"crypto/sha256"
	"fmt"
	"io/fs"

	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/errs"
)

// Sources reads the files of a graph, each once. It is used by one goroutine.
type Sources struct {
	g    *Graph
	read map[string][]byte
}

// NewSources reads the files of a graph.
func NewSources(g *Graph) *Sources { return &Sources{g, map[string][]byte{}} }

// File gives the text of a file, in UTF-8, as it was indexed. The error wraps errs.Stale when the file changed since.
func (s *Sources) File(path string) ([]byte, error) {
	if b, ok := s.read[path]; ok {
		return b, nil
	}
	hash, ok := s.g.FileHash(path)
	if !ok {
		return nil, fmt.Errorf("source %q: %w", path, errs.NotFound)
	}
	b, err := fs.ReadFile(s.g.FS, path)
	if err != nil {
		return nil, fmt.Errorf("source %s: %w: %v", path, errs.Stale, err)
	}
	if sha256.Sum256(b) != hash {
		return nil, fmt.Errorf("source %s: %w: update the index", path, errs.Stale)
	}
	s.read[path] = charset.UTF8(path, b)
	return s.read[path], nil
}
