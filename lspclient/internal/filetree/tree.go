package filetree

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/internal/lru"
	"github.com/findspot/findspot/lspclient/internal/ctxlock"
)

// Tree is the source files below a root, as they are now: those on disk that concern a server, and the unsaved buffers that
// stand for some. It is safe for concurrent use.
type Tree struct {
	root       string          // absolute, links resolved
	extensions map[string]bool // of the files that concern a server, lower case
	markers    map[string]bool // names of other files that do
	logger     *slog.Logger
	life       context.Context   // ends what runs beside the questions
	background func(func()) bool // runs a function beside the questions; false: nothing is run any more

	Overlays overlays
	texts    *lru.Cache[string, keptText] // of files on disk

	scanning ctxlock.Mutex // held while the root is looked at, guards what follows
	lastScan *Snapshot
	watch    watch
	young    map[string]bool // its files that were changed just before it, see stamp
}

// New returns the tree of the files below root with one of the extensions, in lower case and with dot, or the name of a marker.
func New(life context.Context, root string, extensions, markers map[string]bool, logger *slog.Logger, background func(func()) bool) *Tree {
	return &Tree{
		root: root, extensions: extensions, markers: markers, logger: logger, life: life, background: background,
		texts: lru.New[string, keptText](maxTextCache), scanning: ctxlock.New(), lastScan: &Snapshot{},
	}
}

// Root is the folder, absolute, with links resolved.
func (t *Tree) Root() string { return t.root }

// Close lets the system's queue of changes go.
func (t *Tree) Close() { t.watch.close(t) }

// Serves reports whether any server serves files of that extension.
func (t *Tree) Serves(path string) bool { return t.extensions[strings.ToLower(filepath.Ext(path))] }

// IsMarker reports whether a file of that name changes what servers know.
func (t *Tree) IsMarker(path string) bool { return t.markers[filepath.Base(path)] }
