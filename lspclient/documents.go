package lspclient

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

	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
	"go.lsp.dev/protocol"
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

	checked   *filetree.Snapshot // what the server had been told of when it last checked the file, and the version it checked
	checkedAs int32
}

// documents are what a server knows of the files: the documents that are open in it, and what it was told of the others.
type documents struct {
	*session

	// telling is held by whoever tells the server of files, and orders what it is told. What follows is guarded by docMu,
	// which is never held while the server is waited for; it is changed only by those who hold both, but for the marks of
	// use and of what was checked or seen.
	telling    ctxlock.Mutex
	docMu      sync.Mutex
	docs       map[string]*document
	told       *filetree.Snapshot // the files the server has been told about
	countedOf  *filetree.Snapshot // for which countedAll was counted, see counted
	countedAll int
	overlayGen int64       // the overlays it has been told about
	at         os.FileInfo // the folder it was started in
	laidFrom   int         // overlays that came with this version or a later one are not settled; 0: all are
	clock      int         // for the least recently used document, and for versions, which so never come twice
	changes    int         // counts what it has been told about files: an answer may depend on any of them

	watchers watchers
	// unseen is the last file the server was told of and may not have read yet, "" for none; see ReadyRule.Seen.
	unseen string
	// marked is the class that the server was told of last, untaken the same until it has taken it in; see takenIn.
	marked, untaken string
	marks           int
}

func newDocuments(s *session) *documents {
	return &documents{session: s, docs: map[string]*document{}, told: &filetree.Snapshot{}, telling: ctxlock.New()}
}

// sync tells the server what has changed since it was last told: overlays, open documents, and files on disk. An
// *outdatedError says that telling does not help and the server must be started again.
func (s *documents) sync(ctx context.Context) error {
	now, err := s.srv.client.tree.Scan(ctx)
	if err != nil {
		return err
	}
	if err := s.telling.Lock(ctx); err != nil {
		return err
	}
	defer s.telling.Unlock()
	s.docMu.Lock()
	defer s.docMu.Unlock()
	if err := s.standing(); err != nil {
		return err
	}
	overlaid, gen := s.srv.client.tree.Overlays.All()
	var events []protocol.FileEvent
	if gen != s.overlayGen {
		s.ready.Invalidate(ready.OverlaysChanged)
		if s.laidFrom == 0 && s.srv.spec.Mentions.Settle {
			s.laidFrom = s.clock + 1
		}
		if events, err = s.lay(ctx, overlaid); err != nil {
			return err
		}
		s.overlayGen = gen
	}
	for _, path := range slices.Sorted(maps.Keys(s.docs)) {
		if d := s.docs[path]; d.over == nil {
			if err := s.refresh(ctx, d); err != nil {
				return err
			}
		}
	}
	var moved bool
	var folders []protocol.FileEvent
	var timeless []string
	if now != s.told {
		var more []protocol.FileEvent
		if more, moved, timeless = s.changesFrom(s.told, now, overlaid); moved {
			folders = s.foldersFrom(s.told, now, overlaid)
		}
		events = append(events, more...)
	}
	// A file that went beneath its overlay has been closed: for its server that was the end of it.
	moved = moved || slices.ContainsFunc(events, func(e protocol.FileEvent) bool { return e.Type == protocol.FileChangeTypeCreated })
	if len(events) > 0 {
		s.changes++
	}
	if err := s.tell(ctx, events, folders, moved); err != nil {
		return err
	}
	if err := s.holdOpen(ctx, timeless); err != nil {
		return err
	}
	s.told = now
	return s.settleLaid(ctx)
}

// settleLaid waits until a server that reads what it is shown behind the scenes has read the files whose overlays came,
// changed or went. The locks are held as for announce.
func (s *documents) settleLaid(ctx context.Context) error {
	if s.laidFrom == 0 {
		return nil
	}
	var paths []string
	for path, d := range s.docs {
		if int(d.version) >= s.laidFrom {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	s.docMu.Unlock()
	err := s.settle(ctx, paths)
	s.docMu.Lock()
	if err == nil {
		s.laidFrom = 0
	}
	return err
}

// announce tells the server something about files. The lock telling is held, and docMu, which is let go while the server
// is waited for: a server that does not read may hold up those who tell it something, each until his own deadline, and
// nobody who only looks.
func (s *documents) announce(ctx context.Context, method string, params any) error {
	s.docMu.Unlock()
	defer s.docMu.Lock()
	return s.conn.Notify(ctx, method, params)
}

// lay shows the server the overlays that concern it, as they are now, and lets go of those that are gone; it returns
// what the server must be told of the disk beneath these. The locks are held as for announce.
func (s *documents) lay(ctx context.Context, overlaid map[string]*filetree.Overlay) ([]protocol.FileEvent, error) {
	var events, made []protocol.FileEvent
	for _, path := range slices.Sorted(maps.Keys(s.docs)) {
		d := s.docs[path]
		if d.over == nil || overlaid[path] != nil {
			continue
		}
		kind := protocol.FileChangeTypeChanged
		if _, err := os.Stat(path); err != nil {
			kind = protocol.FileChangeTypeDeleted
		} else if d.absent {
			kind = protocol.FileChangeTypeCreated
		}
		events = append(events, protocol.FileEvent{URI: source.DocumentURI(path), Type: kind})
		d.over, d.info = nil, nil
	}
	for _, path := range slices.Sorted(maps.Keys(overlaid)) {
		if !source.Below(s.srv.folder, path) || s.srv.spec.LanguageOf(path) == "" {
			continue
		}
		o, d := overlaid[path], s.docs[path]
		var err error
		if d == nil {
			d = &document{path: path, content: o.Text, over: o}
			if _, missing := os.Stat(path); missing != nil {
				d.absent = true
				made = append(made, protocol.FileEvent{URI: source.DocumentURI(path), Type: protocol.FileChangeTypeCreated})
			}
			if err = s.present(ctx, d); err == nil && d.absent && s.srv.spec.Freshness == registry.FreshAsk {
				err = s.nudge(ctx, path)
			}
		} else if d.over != o {
			if err = s.replace(ctx, d, o.Text); err == nil {
				d.over, d.info = o, nil
			}
		}
		if err != nil {
			return nil, err
		}
	}
	// A server that keeps a list of its files looks for new ones only when it hears of one.
	if made = s.watchers.wanted(made); len(made) > 0 {
		s.ready.Invalidate(ready.FilesMoved)
		err := s.announce(ctx, protocol.MethodWorkspaceDidChangeWatchedFiles, &protocol.DidChangeWatchedFilesParams{Changes: made})
		if err != nil {
			return nil, err
		}
	}
	return events, nil
}

// refresh reads an open document again when it may have changed, and tells the server. The locks are held as for
// announce.
func (s *documents) refresh(ctx context.Context, d *document) error {
	info, err := os.Stat(d.path)
	if err == nil && d.info != nil && filetree.Unchanged(d.info, info, d.readAt) {
		return nil
	}
	text, info, err := source.ReadFile(d.path)
	if err != nil {
		// Gone, or no longer something to show: the server is to look at the disk by itself.
		return s.release(ctx, d)
	}
	readAt := time.Now()
	if err := s.replace(ctx, d, text); err != nil {
		return err // what the server was not told is found to differ again
	}
	d.info, d.readAt = info, readAt
	return nil
}

// replace gives an open document another text. The locks are held as for announce.
func (s *documents) replace(ctx context.Context, d *document, text *source.Text) error {
	if bytes.Equal(text.Bytes, d.content.Bytes) {
		d.content = text
		return nil
	}
	s.changes++
	s.clock++
	version := int32(s.clock)
	s.pushed.shown(d.path, version, s.changes)
	err := s.announce(ctx, protocol.MethodTextDocumentDidChange, &protocol.DidChangeTextDocumentParams{
		TextDocument: protocol.VersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: source.DocumentURI(d.path)},
			Version:                version,
		},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{
			&protocol.TextDocumentContentChangeWholeDocument{Text: string(text.Bytes)},
		},
	})
	if err == nil {
		d.content, d.version = text, version
	}
	return err
}

// open shows the server a file, unless it is open, and returns the text the server has.
func (s *documents) open(ctx context.Context, abs string) (*source.Text, error) {
	if c := s.shown(abs); c != nil {
		return c, nil
	}
	if err := s.telling.Lock(ctx); err != nil {
		return nil, err
	}
	defer s.telling.Unlock()
	if c := s.shown(abs); c != nil { // somebody else was faster
		return c, nil
	}
	s.docMu.Lock()
	defer s.docMu.Unlock()
	d := &document{path: abs, readAt: time.Now()}
	if o := s.srv.client.tree.Overlays.Of(abs); o != nil { // given since the server was last told
		d.over, d.content = o, o.Text
	} else {
		var err error
		if d.content, d.info, err = source.ReadFile(abs); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s: %w", s.srv.client.tree.Relative(abs), ErrNotFound)
		} else if err != nil {
			return nil, err
		}
	}
	if err := guardOf(s.session).refusesDocument(abs, d.content); err != nil {
		return nil, err
	}
	return d.content, s.present(ctx, d)
}

// shown returns the text that the server has of an open document, which then counts as used; nil when it is not open.
func (s *documents) shown(abs string) *source.Text {
	s.docMu.Lock()
	defer s.docMu.Unlock()
	d := s.docs[abs]
	if d == nil {
		return nil
	}
	s.clock++
	d.used = s.clock
	return d.content
}

// present opens a document in the server, and closes the one that was not used for longest when there are too many; those
// with an overlay stay. The locks are held as for announce.
func (s *documents) present(ctx context.Context, d *document) error {
	var oldest *document
	onDisk := 0
	for _, have := range s.docs {
		if have.over != nil {
			continue
		}
		onDisk++
		if oldest == nil || have.used < oldest.used {
			oldest = have
		}
	}
	if d.over == nil && onDisk >= s.mostOpen() {
		if err := s.release(ctx, oldest); err != nil {
			return err
		}
	}
	s.clock++
	d.version, d.used = int32(s.clock), s.clock
	s.pushed.shown(d.path, d.version, s.changes)
	err := s.announce(ctx, protocol.MethodTextDocumentDidOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{
			URI:        source.DocumentURI(d.path),
			LanguageID: protocol.LanguageKind(s.srv.spec.LanguageOf(d.path)),
			Version:    d.version,
			Text:       string(d.content.Bytes),
		},
	})
	if err != nil {
		return err
	}
	s.docs[d.path] = d
	return nil
}

// overlaid reports whether the server was shown any overlay.
func (s *documents) overlaid() bool {
	s.docMu.Lock()
	defer s.docMu.Unlock()
	for _, d := range s.docs {
		if d.over != nil {
			return true
		}
	}
	return false
}

// release closes a document in the server, which from then on looks at the disk by itself. The locks are held as for
// announce.
func (s *documents) release(ctx context.Context, d *document) error {
	err := s.announce(ctx, protocol.MethodTextDocumentDidClose, &protocol.DidCloseTextDocumentParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: source.DocumentURI(d.path)},
	})
	if err == nil {
		delete(s.docs, d.path)
	}
	return err
}

// text returns the text of a file as the server sees it: that of the open document, else the file's.
func (s *documents) text(abs string) (*source.Text, error) {
	s.docMu.Lock()
	if d := s.docs[abs]; d != nil {
		defer s.docMu.Unlock()
		return d.content, nil
	}
	s.docMu.Unlock()
	text, _, err := s.srv.client.tree.Read(abs)
	return text, err
}

// settle waits until the server has read the files it was shown, by asking for their symbols. What it answers does not
// matter.
func (s *documents) settle(ctx context.Context, paths []string) error {
	for _, path := range paths {
		err := s.call(ctx, protocol.MethodTextDocumentDocumentSymbol, &protocol.DocumentSymbolParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: source.DocumentURI(path)},
		}, nil)
		var answered *jsonrpc.ResponseError
		if err != nil && !errors.As(err, &answered) {
			return err
		}
	}
	return nil
}

// mostOpen bounds the documents that are open in the server.
func (s *documents) mostOpen() int { return maxOpen + s.srv.spec.Mentions.Most }
