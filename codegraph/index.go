package codegraph

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/codegraph/internal/update"
	"github.com/findspot/findspot/codegraph/internal/vectors"
	"github.com/findspot/findspot/codegraph/lang"
)

// Changes says what a pass over the sources found.
type Changes struct {
	Added     int    `json:"added"` // files
	Changed   int    `json:"changed"`
	Removed   int    `json:"removed"`
	Unchanged int    `json:"unchanged"`
	Parsed    int    `json:"parsed"`            // files that a front end read
	Reused    int    `json:"reused"`            // files whose facts stood in Options.Facts, or were left by a first build that was interrupted
	Skipped   []Skip `json:"skipped"`           // by path
	Rebuilt   string `json:"rebuilt,omitempty"` // why the saved index was thrown away; "" when it was not

	// Recovered says what of the saved index was not whole and was left out, as after a crash: the files that it was about were looked
	// at again. "" when nothing was.
	Recovered string `json:"recovered,omitempty"`

	Took time.Duration `json:"took_ns"` // looking, reading, linking and saving; not waiting for another update
}

func changesOf(c *update.Changes) *Changes {
	if c == nil {
		return nil
	}
	return &Changes{Added: c.Added, Changed: c.Changed, Removed: c.Removed, Unchanged: c.Unchanged, Parsed: c.Parsed, Reused: c.Reused,
		Skipped: skipsOf(c.Skipped), Rebuilt: c.Rebuilt, Recovered: c.Recovered, Took: c.Took}
}

// An Index is a graph on disk that is kept up to date. It is safe for concurrent use.
type Index struct {
	ix    *update.Index
	graph atomic.Pointer[Graph] // the last one that was asked for

	opt      update.Options
	embedded func(path string, done, all int)
	vectors  *vectors.Index // nil: there is no embedder
	base     *Index         // that was opened
	views    views          // of base
}

// Open loads the index saved in dir, which is made when it is not there, and brings it up to date with the repository
// at root. With Options.ReadOnly it reads what is saved, beside the process that keeps it up to date; when there is
// nothing the error wraps [ErrNotFound]. Else it holds the writer's lock of dir until Close; when another process holds it, the error wraps a
// [*LockedError] after two seconds. A folder that is a symbolic link, holds anything but regular files, or unless Options.TrustIndex is set
// belongs to another user or can be written by everybody, is an error wrapping an [*UntrustedError]; so is such a folder of facts. An index that a crash left with the end of a write is recovered, any other damaged
// one is rebuilt; which it was is logged and said in [Index.Changes].
//
// What front ends read of a file depends on its bytes and its extension alone. With Options.Facts indexes keep it for one another in a
// folder, by content: of a second worktree, a clone or another branch only the files are parsed that differ from all that
// was parsed before, while each index has a graph of its own. The folder belongs to this package; any number of
// processes, of any versions of this library, may use it at the same time. It is made when it is not there, holds at most about 512 MB, of
// which what was used last stays longest, and nothing that could not be parsed again: it can be deleted at any time. What is damaged in it is
// thrown away, and one that cannot be written is done without; both are logged. Passes over fewer than 16 files do without it.
//
// When a first build, or an update of many files, is interrupted, what it has parsed is kept (but for the last second, when the
// process was killed): in that folder, or without one in dir. The next one goes on from there.
func Open(ctx context.Context, dir, root string, langs []lang.Frontend, o *Options) (*Index, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	ix, err := update.Open(ctx, dir, root, langs, opt)
	if err != nil {
		return nil, err
	}
	out := &Index{ix: ix, opt: opt, embedded: func(string, int, int) {}}
	out.base = out
	if o != nil && o.Progress != nil {
		progress := o.Progress
		out.embedded = func(path string, done, all int) { progress(Progress{path, done, all, "embed"}) }
	}
	if o != nil && o.Embedder != nil {
		out.embedBy(o.Embedder)
	}
	out.views.of = map[string]*Index{out.embedder(): out}
	return out, nil
}

// Graph gives the graph as of the last update, the same until an update changes it. It stays valid, and unchanged, afterwards.
func (ix *Index) Graph() *Graph {
	for {
		g, s := ix.graph.Load(), ix.ix.Graph()
		if g != nil && g.s == s {
			return g
		}
		next := newGraph(s)
		if ix != ix.base {
			of := ix.base.Graph()
			next = &Graph{s: of.s, locator: of.locator}
		}
		next.vectors = ix.vectors
		if ix.graph.CompareAndSwap(g, next) {
			ix.follow(next.s)
			return next
		}
	}
}

func (ix *Index) Changes() *Changes { return changesOf(ix.ix.Changes()) }

// Update reads what changed in the repository, links the next graph, saves it, and swaps it in. When ctx ends or the index
// cannot be saved, the graph and the saved state stay as they were; facts already read are kept in memory for the next call.
//
// The first update that finds something links the whole repository and keeps in memory what later ones need to link only what
// rests on what changed (about 150 MB for a repository of 2,900 files); Close lets it go. All is linked again when more than 100
// files changed, and when one is of C or C++.
func (ix *Index) Update(ctx context.Context) (*Changes, error) {
	ch, err := ix.ix.Update(ctx)
	ix.Graph()
	return changesOf(ch), err
}

// UpdateFiles is [Index.Update] for a caller that knows what changed, such as one that watches the folder: only these files
// are looked at. Paths are relative to the root and slash-separated. Files that are new to the index, folders and
// .gitignore files change what else belongs to the repository, so that with one of them all of it is looked at.
func (ix *Index) UpdateFiles(ctx context.Context, paths ...string) (*Changes, error) {
	ch, err := ix.ix.UpdateFiles(ctx, paths...)
	ix.Graph()
	return changesOf(ch), err
}

// Refresh makes the graph show the repository as it is when Refresh is called, or newer. Without [Index.Watch] that is a
// look at all of it, [Index.Update]. While Watch runs, on a local disk of Linux, the system has queued every change before
// the call: Refresh puts a mark of its own behind them in the same queue and waits until the watcher has come to it, which
// takes a fraction of a millisecond when nothing changed. Only what the system does not tell of is seen later, by a look
// that follows within ten seconds of use: writes through mapped memory, and through a second name of a file elsewhere.
func (ix *Index) Refresh(ctx context.Context) error { return ix.ix.Refresh(ctx) }

// Watch keeps the index up to date until ctx ends, whose error it returns, and calls changed, from one goroutine, after every
// update of its own that changed the graph; changed may be nil. Changes that come together, as when a branch is switched,
// are one update. Where the system has no room to watch a folder, the repository is looked at every two seconds. It
// returns early when an update fails, and with an error wrapping [ErrClosed] when the index is closed. An index opened
// with Options.ReadOnly is read again every two seconds.
func (ix *Index) Watch(ctx context.Context, changed func(*Changes)) error {
	return ix.ix.Watch(ctx, func(ch *update.Changes) {
		ix.Graph()
		if changed != nil {
			changed(changesOf(ch))
		}
	})
}

// Close gives up the writer's lock, and ends [Index.Watch] and the making of vectors. The graphs handed out stay valid.
func (ix *Index) Close() error {
	if ix != ix.base {
		return nil
	}
	ix.views.close()
	return ix.ix.Close()
}
