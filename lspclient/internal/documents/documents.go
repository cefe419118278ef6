package documents

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/project"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/watchedfiles"
)

// maxOpen bounds the documents that are open in a server, apart from overlays and what it must be shown (see mostOpen).
// The least recently used one is closed.
const maxOpen = 32

// document is a file that is open in a server, with the text the server has.
type document struct {
	path    string
	content *source.Text
	over    *filetree.Overlay // whose text it is; nil: that of the disk
	absent  bool              // there was no such file on disk when the overlay was shown
	info    os.FileInfo       // of the disk's
	readAt  time.Time
	version int32
	used    int

	checked        *filetree.Snapshot // what the server had been told of when it last checked the file
	checkedVersion int32
}

// Server is the language server that is told about documents, as far as this package needs it.
type Server interface {
	// Notify sends a notification.
	Notify(ctx context.Context, method string, params any) error
	// Call asks and decodes the answer into result, unless that is nil. It must be safe to ask twice.
	Call(ctx context.Context, method string, params, result any) error
	// Send asks without any of the precautions of Call, and drops the answer.
	Send(ctx context.Context, method string, params any) error
	// Offers reports whether the server answers a method.
	Offers(method string) bool
	// Refuses returns an error when the text of a file is known to crash the server.
	Refuses(path string, text *source.Text) error
}

// Set is what a server knows of the files: the documents that are open in it, and the state of the others that it has been
// told of.
type Set struct {
	Watchers  watchedfiles.Registrations
	Published Publications

	server  Server
	spec    *registry.Spec
	folder  string
	tree    *filetree.Tree
	ready   *ready.Tracker
	project *project.Eclipse // nil: the server works in the workspace folder itself

	// syncing is held by whoever tells the server of files, and orders what it is told. What follows is guarded by mu,
	// which is never held while the server is waited for; it is changed only by those who hold both, but for the marks of
	// use, of what was checked and of what was read.
	syncing    ctxlock.Mutex
	mu         sync.Mutex
	open       map[string]*document
	snapshot   *filetree.Snapshot // the files the server has been told about
	sources    int                // of its languages below its folder in sourcesOf
	sourcesOf  *filetree.Snapshot
	overlays   int64       // the generation of overlays it has been told about
	folderInfo os.FileInfo // of the folder it was started in
	unsettled  int         // overlays that came with this version or a later one are not settled; 0: all are
	clock      int         // for the least recently used document, and for versions, which so never come twice
	changes    int         // counts what it has been told about files: an answer may depend on any of them
	unread     string      // the last file it was told of and may not have read yet, "" for none; see ReadyRule.Seen
	marker     string      // the class that it was told of last, see newMarker
	awaited    string      // the same until the server knows it
	markers    int
}

// New returns the documents of a server that is about to be started in a folder.
func New(server Server, spec *registry.Spec, folder string, tree *filetree.Tree, tracker *ready.Tracker, sources *project.Eclipse) *Set {
	return &Set{
		server: server, spec: spec, folder: folder, tree: tree, ready: tracker, project: sources,
		open: map[string]*document{}, snapshot: &filetree.Snapshot{}, syncing: ctxlock.New(),
		Published: Publications{showing: ctxlock.New()},
	}
}

// Start notes the state of the files that the server finds when it starts.
func (s *Set) Start(ctx context.Context) (err error) {
	if s.snapshot, err = s.tree.Scan(ctx); err != nil {
		return err
	}
	s.folderInfo, err = os.Stat(s.folder)
	return err
}

// Sync tells the server what has changed since it was last told: overlays, open documents, and files on disk. An
// *OutdatedError says that this does not help and the server must be started again.
func (s *Set) Sync(ctx context.Context) error {
	now, err := s.tree.Scan(ctx)
	if err != nil {
		return err
	}
	if err := s.syncing.Lock(ctx); err != nil {
		return err
	}
	defer s.syncing.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.checkFolder(); err != nil {
		return err
	}
	overlaid, gen := s.tree.Overlays.All()
	var events []protocol.FileEvent
	if gen != s.overlays {
		s.ready.Invalidate(ready.OverlaysChanged)
		if s.unsettled == 0 && s.spec.Mentions.Settle {
			s.unsettled = s.clock + 1
		}
		if events, err = s.syncOverlays(ctx, overlaid); err != nil {
			return err
		}
		s.overlays = gen
	}
	for _, path := range slices.Sorted(maps.Keys(s.open)) {
		if d := s.open[path]; d.over == nil {
			if err := s.refresh(ctx, d); err != nil {
				return err
			}
		}
	}
	var moved bool
	var folders []protocol.FileEvent
	var sameTime []string
	if now != s.snapshot {
		diff := watchedfiles.Diff{Old: s.snapshot, New: now, Folder: s.folder, Overlays: overlaid}
		var more []protocol.FileEvent
		more, moved = diff.Files(func(path string) bool { return s.isSource(path) || s.tree.IsMarker(path) })
		if moved {
			folders = diff.Folders(s.tree.Root())
		}
		sameTime = slices.DeleteFunc(diff.SameTime(more), func(path string) bool { return !s.isSource(path) })
		events = append(events, more...)
	}
	// A file that went beneath its overlay has been closed: for its server that was the end of it.
	moved = moved || slices.ContainsFunc(events, func(e protocol.FileEvent) bool { return e.Type == protocol.FileChangeTypeCreated })
	if len(events) > 0 {
		s.changes++
	}
	if err := s.didChangeFiles(ctx, events, folders, moved); err != nil {
		return err
	}
	if err := s.keepOpen(ctx, sameTime); err != nil {
		return err
	}
	s.snapshot = now
	return s.settleOverlays(ctx)
}

func (s *Set) isSource(path string) bool { return s.spec.LanguageOf(path) != "" }

// settleOverlays waits until a server that reads what it is shown behind the scenes has read the files whose overlays came,
// changed or went. The locks are held as for notify.
func (s *Set) settleOverlays(ctx context.Context) error {
	if s.unsettled == 0 {
		return nil
	}
	var paths []string
	for path, d := range s.open {
		if int(d.version) >= s.unsettled {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	s.mu.Unlock()
	err := s.Settle(ctx, paths)
	s.mu.Lock()
	if err == nil {
		s.unsettled = 0
	}
	return err
}

// notify tells the server something about files. The lock syncing is held, and mu, which is let go while the server
// is waited for: a server that does not read may hold up those who tell it something, each until his own deadline, and
// nobody who only looks.
func (s *Set) notify(ctx context.Context, method string, params any) error {
	s.mu.Unlock()
	defer s.mu.Lock()
	return s.server.Notify(ctx, method, params)
}

// syncOverlays shows the server the overlays that concern it, as they are now, and lets go of those that are gone; it returns
// what the server must be told of the disk beneath these. The locks are held as for notify.
func (s *Set) syncOverlays(ctx context.Context, overlaid map[string]*filetree.Overlay) ([]protocol.FileEvent, error) {
	var events, made []protocol.FileEvent
	for _, path := range slices.Sorted(maps.Keys(s.open)) {
		d := s.open[path]
		if d.over == nil || overlaid[path] != nil {
			continue
		}
		kind := protocol.FileChangeTypeChanged
		if _, err := os.Stat(path); err != nil {
			kind = protocol.FileChangeTypeDeleted
		} else if d.absent {
			kind = protocol.FileChangeTypeCreated
		}
		events = append(events, protocol.FileEvent{URI: source.FileURI(path), Type: kind})
		d.over, d.info = nil, nil
	}
	for _, path := range slices.Sorted(maps.Keys(overlaid)) {
		if !source.Below(s.folder, path) || s.spec.LanguageOf(path) == "" {
			continue
		}
		o, d := overlaid[path], s.open[path]
		var err error
		if d == nil {
			d = &document{path: path, content: o.Text, over: o}
			if _, missing := os.Stat(path); missing != nil {
				d.absent = true
				made = append(made, protocol.FileEvent{URI: source.FileURI(path), Type: protocol.FileChangeTypeCreated})
			}
			if err = s.didOpen(ctx, d); err == nil && d.absent && s.spec.Freshness == registry.FreshAsk {
				err = s.load(ctx, path)
			}
		} else if d.over != o {
			if err = s.didChange(ctx, d, o.Text); err == nil {
				d.over, d.info = o, nil
			}
		}
		if err != nil {
			return nil, err
		}
	}
	// A server that keeps a list of its files looks for new ones only when it hears of one.
	if made = s.Watchers.Wanted(made); len(made) > 0 {
		s.ready.Invalidate(ready.FilesMoved)
		err := s.notify(ctx, protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: made})
		if err != nil {
			return nil, err
		}
	}
	return events, nil
}

// refresh reads an open document again when it may have changed, and tells the server. The locks are held as for
// notify.
func (s *Set) refresh(ctx context.Context, d *document) error {
	info, err := os.Stat(d.path)
	if err == nil && d.info != nil && filetree.Unchanged(d.info, info, d.readAt) {
		return nil
	}
	text, info, err := source.ReadFile(d.path)
	if err != nil {
		// Gone, or no longer something to show: the server is to look at the disk by itself.
		return s.didClose(ctx, d)
	}
	readAt := time.Now()
	if err := s.didChange(ctx, d, text); err != nil {
		return err // what the server was not told is found to differ again
	}
	d.info, d.readAt = info, readAt
	return nil
}

// didChange gives an open document another text. The locks are held as for notify.
func (s *Set) didChange(ctx context.Context, d *document, text *source.Text) error {
	if bytes.Equal(text.Bytes, d.content.Bytes) {
		d.content = text
		return nil
	}
	s.changes++
	s.clock++
	version := int32(s.clock)
	s.Published.Shown(d.path, version, s.changes)
	err := s.notify(ctx, protocol.MethodTextDocumentDidChange, &protocol.DidChangeTextDocumentParams{
		TextDocument: protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: source.FileURI(d.path)},
			Version:                version,
		},
		ContentChanges: []protocol.WholeText{{Text: string(text.Bytes)}},
	})
	if err == nil {
		d.content, d.version = text, version
	}
	return err
}

// Open shows the server a file, unless it is open, and returns the text the server has.
func (s *Set) Open(ctx context.Context, abs string) (*source.Text, error) {
	if c := s.Opened(abs); c != nil {
		return c, nil
	}
	if err := s.syncing.Lock(ctx); err != nil {
		return nil, err
	}
	defer s.syncing.Unlock()
	if c := s.Opened(abs); c != nil { // somebody else was faster
		return c, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &document{path: abs, readAt: time.Now()}
	if o := s.tree.Overlays.Of(abs); o != nil { // given since the server was last told
		d.over, d.content = o, o.Text
	} else {
		var err error
		if d.content, d.info, err = source.ReadFile(abs); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", s.tree.Relative(abs), errs.NotFound)
		} else if err != nil {
			return nil, err
		}
	}
	if err := s.server.Refuses(abs, d.content); err != nil {
		return nil, err
	}
	return d.content, s.didOpen(ctx, d)
}

// Opened returns the text that the server has of an open document, which then counts as used; nil when it is not open.
func (s *Set) Opened(abs string) *source.Text {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.open[abs]
	if d == nil {
		return nil
	}
	s.clock++
	d.used = s.clock
	return d.content
}

// didOpen opens a document in the server, and closes the one that was not used for longest when there are too many; those
// with an overlay stay. The locks are held as for notify.
func (s *Set) didOpen(ctx context.Context, d *document) error {
	var oldest *document
	onDisk := 0
	for _, have := range s.open {
		if have.over != nil {
			continue
		}
		onDisk++
		if oldest == nil || have.used < oldest.used {
			oldest = have
		}
	}
	if d.over == nil && onDisk >= s.mostOpen() {
		if err := s.didClose(ctx, oldest); err != nil {
			return err
		}
	}
	s.clock++
	d.version, d.used = int32(s.clock), s.clock
	s.Published.Shown(d.path, d.version, s.changes)
	err := s.notify(ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{
			URI:        source.FileURI(d.path),
			LanguageID: s.spec.LanguageOf(d.path),
			Version:    d.version,
			Text:       string(d.content.Bytes),
		},
	})
	if err != nil {
		return err
	}
	s.open[d.path] = d
	return nil
}

// HasOverlays reports whether the server was shown any overlay.
func (s *Set) HasOverlays() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.open {
		if d.over != nil {
			return true
		}
	}
	return false
}

// didClose closes a document in the server, which from then on looks at the disk by itself. The locks are held as for
// notify.
func (s *Set) didClose(ctx context.Context, d *document) error {
	err := s.notify(ctx, protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: source.FileURI(d.path)},
	})
	if err == nil {
		delete(s.open, d.path)
	}
	return err
}

// Text returns the text of a file as the server sees it: that of the open document, else the file's.
func (s *Set) Text(abs string) (*source.Text, error) {
	s.mu.Lock()
	if d := s.open[abs]; d != nil {
		defer s.mu.Unlock()
		return d.content, nil
	}
	s.mu.Unlock()
	text, _, err := s.tree.Read(abs)
	return text, err
}

// Settle waits until the server has read the files it was shown, by asking for their symbols. What it answers does not
// matter.
func (s *Set) Settle(ctx context.Context, paths []string) error {
	for _, path := range paths {
		err := s.server.Call(ctx, protocol.MethodTextDocumentDocumentSymbol, &protocol.DocumentSymbolParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: source.FileURI(path)},
		}, nil)
		if err != nil && !jsonrpc.IsAnswer(err) {
			return err
		}
	}
	return nil
}

// mostOpen bounds the documents that are open in the server.
func (s *Set) mostOpen() int { return maxOpen + s.spec.Mentions.Most }
