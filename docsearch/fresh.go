package docsearch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// A SourceState is how a document's source compares with what was taken in, by size and time.
type SourceState string

// The states of a source.
const (
	SourceSame    SourceState = "same"
	SourceChanged SourceState = "changed" // another size or time: add it again
	SourceGone    SourceState = "gone"    // there is no such file
	SourceUnknown SourceState = "unknown" // it is no file, or cannot be looked at
)

// A SourceCheck is what [Library.CheckSources] saw.
type SourceCheck struct {
	Documents int      `json:"documents"` // documents compared
	Unknown   int      `json:"unknown"`   // documents of them that did not come from files, or whose files cannot be looked at
	Changed   int      `json:"changed"`   // documents whose file has another size or time
	Gone      int      `json:"gone"`      // documents whose file is not there
	Examples  []string `json:"examples"`  // names of some that changed or are gone, at most 20; never nil
	Complete  bool     `json:"complete"`  // every document was compared: false when the time was over
}

// CheckSources compares the files that documents came from with the disk, by size and time, without reading them. It ends after the time limit, 0 meaning
// none; what it saw becomes the [Freshness] of the answers that follow, when it is complete. A file of JSON Lines is looked at once, and where its time is
// another one all its documents count as changed. Documents added since it began may be left out.
func (l *Library) CheckSources(ctx context.Context, limit time.Duration) (*SourceCheck, error) {
	c, err := l.docs.Current(ctx)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	out := &SourceCheck{Examples: []string{}, Complete: true}
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
		case SourceSame:
			continue
		case SourceUnknown:
			out.Unknown++
			continue
		case SourceGone:
			out.Gone++
		default:
			out.Changed++
		}
		if len(out.Examples) < 20 {
			out.Examples = append(out.Examples, e.Name)
		}
	}
	if out.Complete {
		l.checked.Store(begin.UnixNano())
		l.changed.Store(int64(out.Changed + out.Gone))
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
	if !IsJSONLines(e.Origin) {
		return
	}
	f := files[e.Origin]
	if f == nil {
		f = &fileState{}
		files[e.Origin] = f
	}
	f.newest = max(f.newest, e.ModTime)
}

// newest has the newest time recorded with a document of each file of JSON Lines, for one generation of the library.
type newest struct {
	mu         sync.Mutex // guards what follows
	generation uint64
	of         map[string]int64 // by origin; nil: not known
}

// newestOf returns the file state that [sourceState] takes for a document of a file of JSON Lines. All documents are asked once a generation.
func (l *Library) newestOf(c *catalog.Catalog, origin string) *fileState {
	l.newest.mu.Lock()
	defer l.newest.mu.Unlock()
	if l.newest.of == nil || l.newest.generation != c.Generation {
		l.newest.generation, l.newest.of = c.Generation, c.Newest(IsJSONLines)
	}
	return &fileState{newest: l.newest.of[origin]}
}

// stateOf is the state of one document's source.
func (l *Library) stateOf(c *catalog.Catalog, e *catalog.Entry) SourceState {
	files := map[string]*fileState{}
	if IsJSONLines(e.Origin) {
		files[e.Origin] = &fileState{newest: e.ModTime}
	}
	state := sourceState(e, files)
	if state == SourceChanged && IsJSONLines(e.Origin) { // unless only another line of the file has its time
		files[e.Origin] = l.newestOf(c, e.Origin)
		state = sourceState(e, files)
	}
	return state
}

// lookTime bounds the time that a search takes for looking at the files of what it found.
const lookTime = 5 * time.Millisecond

// look says of the hits, which are of the documents in found, whether their files changed.
func (s *search) look(found []*catalog.Entry) {
	begin := time.Now()
	f := &s.res.Freshness
	for i, e := range found {
		state := SourceUnknown
		if lookable(e) {
			if f.Looked > 0 && time.Since(begin) > lookTime {
				continue
			}
			state = s.l.stateOf(s.c, e)
			f.Looked++
		}
		if s.res.Hits[i].Source = state; state == SourceChanged || state == SourceGone {
			f.Stale++
		}
	}
}

// lookable reports whether the document came from a file that can be compared.
func lookable(e *catalog.Entry) bool { return filepath.IsAbs(e.Origin) && e.ModTime != 0 }

// sourceState compares the source of one document with the disk. files has what is known of files of several documents, and keeps what is seen of them.
func sourceState(e *catalog.Entry, files map[string]*fileState) SourceState {
	if !lookable(e) {
		return SourceUnknown
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
		return SourceGone
	case f.err != nil:
		return SourceUnknown
	case many && f.info.ModTime().UnixNano() != f.newest:
		return SourceChanged
	case many:
		return SourceSame
	case f.info.Size() != e.Size || f.info.ModTime().UnixNano() != e.ModTime:
		return SourceChanged
	}
	return SourceSame
}
