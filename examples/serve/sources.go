package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/serve/internal/docwatch"
	"github.com/findspot/findspot/internal/repository"
)

// A State is how far a source is.
type State string

const (
	Waiting State = "waiting" // it was not read yet
	Reading State = "reading" // it is being read
	Fresh   State = "fresh"   // answers know what is in it
	Changed State = "changed" // something in it changed, and is about to be read
	Failed  State = "failed"  // it could not be read; Problem says why, and it is tried again
)

// A Source is a folder that the server reads and watches.
type Source struct {
	Path    string    `json:"path"`
	Kind    string    `json:"kind"` // "documents" or "code"
	State   State     `json:"state"`
	Watched bool      `json:"watched"`            // the system tells of changes; false: it is looked for them from time to time, or not at all
	Read    time.Time `json:"read,omitzero"`      // when it was last read, or seen to be as it was
	Took    float64   `json:"took,omitempty"`     // seconds that the last reading took
	Done    int       `json:"done,omitempty"`     // documents read so far, where it is being read; else those that it has
	LeftOut int       `json:"left_out,omitempty"` // documents that could not be read
	Problem string    `json:"problem,omitempty"`
}

// sources are read and watched in the background.
type sources struct {
	s     *Server
	ready chan error    // closed at the end of the first reading, whatever came of it; for mcphandler
	first chan struct{} // closed at that end
	one   sync.Mutex    // one is read at a time

	mu    sync.Mutex // guards the rest
	list  []*Source
	fault error // of the first reading
}

func newSources(s *Server) *sources {
	out := &sources{s: s, ready: make(chan error), first: make(chan struct{})}
	for _, d := range s.opt.Sources.Docs {
		out.list = append(out.list, &Source{Path: absolute(d), Kind: "documents", State: Waiting})
	}
	for _, r := range s.opt.Sources.Repos {
		out.list = append(out.list, &Source{Path: absolute(r), Kind: "code", State: Waiting})
	}
	return out
}

func absolute(p string) string {
	if abs, err := filepath.Abs(p); err == nil {
		return abs
	}
	return p
}

// start reads and watches until ctx ends; done is called then.
func (ss *sources) start(ctx context.Context, wg *sync.WaitGroup) {
	var reading sync.WaitGroup // the first of each
	for _, src := range ss.list {
		reading.Add(1)
		var once sync.Once
		first := func(err error) { // is called after each reading, and counts once
			once.Do(func() {
				defer reading.Done()
				ss.mu.Lock()
				defer ss.mu.Unlock()
				if err != nil {
					ss.fault = errors.Join(ss.fault, fmt.Errorf("%s: %w", src.Path, err))
				}
			})
		}
		wg.Go(func() {
			defer first(ctx.Err()) // it may end before it was read
			if src.Kind == "documents" {
				ss.watchDocs(ctx, src, first)
			} else {
				ss.readRepo(ctx, src, first)
			}
		})
	}
	wg.Go(func() {
		reading.Wait()
		// A fault is in the status, and the source is tried again: a fault given here would be every answer from now on.
		close(ss.ready)
		close(ss.first)
		if !ss.s.opt.Sources.NoWatch {
			ss.watchRepos(ctx)
		}
	})
}

// set changes a source.
func (ss *sources) set(src *Source, change func(*Source)) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	change(src)
}

// read reads a source, one at a time, and keeps what came of it.
func (ss *sources) read(ctx context.Context, src *Source, read func(context.Context) (left int, err error)) error {
	ss.one.Lock()
	defer ss.one.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	ss.set(src, func(s *Source) { s.State, s.Done, s.Problem = Reading, 0, "" })
	ctx, done := ss.s.telemetry.Refresh(ctx, src.Kind)
	began := time.Now()
	left, err := read(ctx)
	done(err)
	ss.set(src, func(s *Source) {
		s.State, s.LeftOut, s.Took = Fresh, left, time.Since(began).Seconds()
		if err != nil {
			s.State, s.Problem = Failed, err.Error()
			return
		}
		s.Read = time.Now()
	})
	return err
}

// watchDocs reads a folder of documents, and again when something in it changed.
func (ss *sources) watchDocs(ctx context.Context, src *Source, first func(error)) {
	update := func(ctx context.Context) error {
		err := ss.read(ctx, src, func(ctx context.Context) (int, error) { return ss.addDocs(ctx, src) })
		if ctx.Err() == nil {
			first(err)
		}
		return err
	}
	if ss.s.opt.Sources.NoWatch {
		if err := update(ctx); err != nil && ctx.Err() == nil {
			ss.s.opt.Logger.Warn("documents could not be read", "path", src.Path, "reason", err)
		}
		return
	}
	_ = docwatch.Watch(ctx, src.Path, &docwatch.Options{ // it ends with ctx
		Logger:  ss.s.opt.Logger,
		Poll:    again,
		Changed: func() { ss.set(src, func(s *Source) { s.State = Changed }) },
		Told:    func(yes bool) { ss.set(src, func(s *Source) { s.Watched = yes }) },
	}, update)
}

// missing says that what a source names is not there; nil where it is. Its path is told beside.
func missing(src *Source) error {
	if _, err := os.Stat(src.Path); errors.Is(err, fs.ErrNotExist) {
		return errMissing
	}
	return nil
}

var errMissing = fmt.Errorf("it is gone: what was read of it is kept, and it is looked for again: %w", fs.ErrNotExist)

// addDocs brings the library up to date with a folder.
func (ss *sources) addDocs(ctx context.Context, src *Source) (left int, err error) {
	if err := missing(src); err != nil {
		return 0, err
	}
	log, new, changed := ss.s.opt.Logger, 0, 0
	for doc, err := range ss.s.ws.AddDocs(ctx, src.Path) {
		var bad *docsearch.IngestError
		switch {
		case errors.As(err, &bad):
			left++
			log.Warn("document left out", "reason", bad)
			continue
		case err != nil:
			return left, err
		case doc.Change == docsearch.Added:
			new++
		case doc.Change == docsearch.Replaced:
			changed++
		}
		ss.set(src, func(s *Source) { s.Done++ })
	}
	log.Info("documents are fresh", "path", src.Path, "new", new, "changed", changed, "left_out", left)
	return left, nil
}

// again is how long a source that could not be read is left alone; tests make it less.
var again = 30 * time.Second

// readRepo adds a repository, and tries again when that fails.
func (ss *sources) readRepo(ctx context.Context, src *Source, first func(error)) {
	for {
		err := ss.read(ctx, src, func(ctx context.Context) (int, error) {
			info, err := ss.s.ws.AddRepo(ctx, src.Path, nil)
			if err != nil {
				return 0, err
			}
			ss.s.opt.Logger.Info("repository is fresh", "path", src.Path, "added", info.Changes.Added, "changed", info.Changes.Changed, "removed", info.Changes.Removed)
			return 0, nil
		})
		if ctx.Err() != nil {
			return
		}
		first(err)
		if err == nil {
			return
		}
		ss.s.opt.Logger.Warn("repository could not be read", "path", src.Path, "reason", err)
		if ss.s.opt.Sources.NoWatch {
			return
		}
		if !pause(ctx, again) {
			return
		}
	}
}

// pause waits for a time, and reports false when ctx ended before.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// watchRepos watches the repositories of the workspace, until ctx ends.
func (ss *sources) watchRepos(ctx context.Context) {
	for ctx.Err() == nil && !ss.watch(ctx) {
		pause(ctx, again)
	}
}

// watch watches the repositories, those that clients add too, until ctx ends, and reports false when it could not.
func (ss *sources) watch(ctx context.Context) bool {
	seen := map[string]bool{}
	err := ss.s.ws.Watch(ctx, func(info *findspot.RepoInfo) {
		if info.Changes == nil {
			return
		}
		if seen[info.Root] { // the first is what opening it found
			ss.s.opt.Logger.Info("repository is fresh", "path", info.Root, "added", info.Changes.Added, "changed", info.Changes.Changed, "removed", info.Changes.Removed)
			_, done := ss.s.telemetry.Refresh(ctx, "code")
			done(nil)
		}
		seen[info.Root] = true
		ss.mu.Lock()
		defer ss.mu.Unlock()
		for _, src := range ss.list {
			if src.Kind == "code" && same(src.Path, info.Root) && missing(src) == nil {
				src.State, src.Read, src.Watched, src.Problem = Fresh, time.Now(), true, ""
			}
		}
	})
	if ctx.Err() != nil {
		return true
	}
	if errors.Is(err, repository.ErrNone) { // there may be one later
		return false
	}
	ss.s.opt.Logger.Warn("repositories are not watched: it is tried again", "reason", err, "after", again)
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, src := range ss.list {
		if src.Kind != "code" {
			continue
		}
		src.Watched = false
		if err := missing(src); err != nil {
			src.State, src.Problem = Failed, err.Error()
		}
	}
	return false
}

// same reports whether two paths name one folder.
func same(a, b string) bool {
	if to, err := filepath.EvalSymlinks(a); err == nil {
		a = to
	}
	return a == b
}

// snapshot is how far the sources are now.
func (ss *sources) snapshot() (list []Source, fault error) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, s := range ss.list {
		list = append(list, *s)
	}
	return list, ss.fault
}
