package documents

import (
	"time"

	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// Snapshot is the state of the files that the server has been told of.
func (s *Set) Snapshot() *filetree.Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot
}

// Changes counts what the server has been told about files: an answer may depend on any of them.
func (s *Set) Changes() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changes
}

// Count is how many documents are open.
func (s *Set) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

// Sources counts the files of the server's languages in its folder, as far as it was told of them.
func (s *Set) Sources() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.sourcesOf != s.snapshot {
		s.sourcesOf, s.sources = s.snapshot, 0
		for path := range s.snapshot.Files {
			if source.Below(s.folder, path) && s.isSource(path) {
				s.sources++
			}
		}
	}
	return s.sources
}

// Versions are those of the open documents, by path.
func (s *Set) Versions() map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int64{}
	for path, d := range s.open {
		out[path] = int64(d.version)
	}
	return out
}

// Peek returns the text of an open document without counting that as use; nil when it is not open.
func (s *Set) Peek(path string) *source.Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.open[path]; d != nil {
		return d.content
	}
	return nil
}

// ReadSince returns the open documents whose text was read after a time, by path.
func (s *Set) ReadSince(t time.Time) map[string]*source.Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]*source.Text{}
	for path, d := range s.open {
		if d.readAt.After(t) {
			out[path] = d.content
		}
	}
	return out
}

// Check calls check unless the document is not open, or was checked with this text and these other files already.
func (s *Set) Check(path string, check func() (done bool, err error)) error {
	s.mu.Lock()
	d, snapshot := s.open[path], s.snapshot
	if d == nil || d.checked == snapshot && d.checkedVersion == d.version {
		s.mu.Unlock()
		return nil
	}
	version := d.version
	s.mu.Unlock()
	done, err := check()
	if done && err == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		d.checked, d.checkedVersion = snapshot, version
	}
	return err
}
