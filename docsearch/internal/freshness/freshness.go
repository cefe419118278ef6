package freshness

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/folder"
)

// A State is how a document's source compares with what was taken in, by size and time.
type State string

// The states of a source.
const (
	Same    State = "same"
	Changed State = "changed"
	Gone    State = "gone"
	Unknown State = "unknown"
)

// A Check is what a comparison of all documents saw; see docsearch.SourceCheck.
type Check struct {
	Documents int
	Unknown   int
	Changed   int
	Gone      int
	Examples  []string
	Complete  bool
}

// A Tracker remembers when sources were compared last, and what came out. It is safe for concurrent use.
type Tracker struct {
	checked atomic.Int64 // Unix nanoseconds; 0: not yet
	changed atomic.Int64 // sources found changed by it

	mu         sync.Mutex // guards what follows
	generation uint64
	newest     map[string]int64 // the newest time recorded with a document of each file of JSON Lines, by origin; nil: not known
}

// Checked notes that a source was compared with its copy.
func (t *Tracker) Checked(at time.Time) { t.checked.Store(at.UnixNano()) }

// Last returns when a source was compared last, zero for not yet, and how many had changed then.
func (t *Tracker) Last() (at time.Time, changed int) {
	if ns := t.checked.Load(); ns != 0 {
		at = time.Unix(0, ns).UTC()
	}
	return at, int(t.changed.Load())
}

// All compares the sources of all documents of a catalog, until a time limit, 0 meaning none.
func (t *Tracker) All(ctx context.Context, c *catalog.Catalog, limit time.Duration) (*Check, error) {
	begin := time.Now()
	out := &Check{Examples: []string{}, Complete: true}
	files := map[string]*fileState{}
	for _, e := range c.ByName() {
		note(files, e)
	}
	for i, e := range c.ByName() {
		if i%64 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if limit > 0 && time.Since(begin) > limit {
				out.Complete = false
				break
			}
		}
		out.Documents++
		switch sourceState(e, files) {
		case Same:
			continue
		case Unknown:
			out.Unknown++
			continue
		case Gone:
			out.Gone++
		default:
			out.Changed++
		}
		if len(out.Examples) < 20 {
			out.Examples = append(out.Examples, e.Name)
		}
	}
	if out.Complete {
		t.Checked(begin)
		t.changed.Store(int64(out.Changed + out.Gone))
	}
	return out, nil
}

// fileState is a file that several documents came from.
type fileState struct {
	looked bool
	info   fs.FileInfo
	err    error
	newest int64 // the newest time recorded with one of its documents: only one is told that the rest is unchanged
}

func note(files map[string]*fileState, e *catalog.Entry) {
	if !folder.IsJSONLines(e.Origin) {
		return
	}
	f := files[e.Origin]
	if f == nil {
		f = &fileState{}
		files[e.Origin] = f
	}
	f.newest = max(f.newest, e.ModTime)
}

// newestOf returns the file state that [sourceState] takes for a document of a file of JSON Lines. All documents are asked once a generation.
func (t *Tracker) newestOf(c *catalog.Catalog, origin string) *fileState {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.newest == nil || t.generation != c.Generation {
		t.generation, t.newest = c.Generation, c.Newest(folder.IsJSONLines)
	}
	return &fileState{newest: t.newest[origin]}
}

// Of is the state of one document's source.
func (t *Tracker) Of(c *catalog.Catalog, e *catalog.Entry) State {
	files := map[string]*fileState{}
	if folder.IsJSONLines(e.Origin) {
		files[e.Origin] = &fileState{newest: e.ModTime}
	}
	state := sourceState(e, files)
	if state == Changed && folder.IsJSONLines(e.Origin) { // unless only another line of the file has its time
		files[e.Origin] = t.newestOf(c, e.Origin)
		state = sourceState(e, files)
	}
	return state
}

// Lookable reports whether the document came from a file that can be compared.
func Lookable(e *catalog.Entry) bool { return filepath.IsAbs(e.Origin) && e.ModTime != 0 }

// sourceState compares the source of one document with the disk. files has what is known of files of several documents, and keeps what is seen of them.
func sourceState(e *catalog.Entry, files map[string]*fileState) State {
	if !Lookable(e) {
		return Unknown
	}
	f := files[e.Origin]
	many := f != nil
	if !many {
		f = &fileState{}
	}
	if !f.looked {
		f.looked = true
		f.info, f.err = os.Stat(e.Origin)
	}
	switch {
	case errors.Is(f.err, fs.ErrNotExist):
		return Gone
	case f.err != nil:
		return Unknown
	case many && f.info.ModTime().UnixNano() != f.newest:
		return Changed
	case many:
		return Same
	case f.info.Size() != e.Size || f.info.ModTime().UnixNano() != e.ModTime || e.IncludesChanged():
		return Changed
	}
	return Same
}
