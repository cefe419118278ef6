package ingest

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// An includer is the files that a document may include, and remembers those that it did.
type includer struct {
	fs.FS
	dir string // of the document in FS

	mu   sync.Mutex // guards what follows
	seen []catalog.Included
}

// Open opens a file of the folder.
func (i *includer) Open(name string) (fs.File, error) {
	f, err := i.FS.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return f, nil // reading it says why
	}
	rel, err := filepath.Rel(filepath.FromSlash(i.dir), filepath.FromSlash(path.Clean(name)))
	if err != nil {
		return f, nil // both are paths below one folder
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if rel = filepath.ToSlash(rel); !slices.ContainsFunc(i.seen, func(s catalog.Included) bool { return s.Path == rel }) {
		i.seen = append(i.seen, catalog.Included{Path: rel, Size: info.Size(), ModTime: info.ModTime().UnixNano()})
	}
	return f, nil
}

// included returns the files that were opened, none for a nil includer.
func (i *includer) included() []catalog.Included {
	if i == nil {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.seen)
}
