package lspclient

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/lspclient/internal/source"
	"go.lsp.dev/protocol"
)

// maxWatched bounds the files whose changes are followed.
const maxWatched = 200_000

// snapshot is what the source files of the root looked like at one moment. It does not change.
type snapshot struct {
	files  map[string]stamp // by absolute path
	linked map[string]bool  // those of them that are there through a link, and so are there twice
	cut    bool             // there were more than maxWatched

	sorted  sync.Once
	folders map[string]bool // see under
}

// under lists the folders below the root that hold a file, at any depth.
func (n *snapshot) under(root string) map[string]bool {
	n.sorted.Do(func() {
		n.folders = map[string]bool{}
		for path := range n.files {
			for dir := filepath.Dir(path); dir != root && source.Below(root, dir) && !n.folders[dir]; dir = filepath.Dir(dir) {
				n.folders[dir] = true
			}
		}
	})
	return n.folders
}

// scan returns what the source files of the root look like now: the last snapshot itself when nothing has changed since.
// Where the system queues changes, see watch, only what it names is looked at, else every file.
func (c *Client) scan(ctx context.Context) (*snapshot, error) {
	if err := c.scanning.Lock(ctx); err != nil {
		return nil, err
	}
	defer c.scanning.Unlock()
	if c.watch.current(c) {
		return c.lastScan, nil
	}
	pass := c.watch.begin(c)
	l, err := c.look(ctx, c.lastScan, c.young, pass)
	if err != nil {
		return nil, err
	}
	c.adopt(l)
	c.watch.done(c, l, pass)
	return c.lastScan, nil
}

// look is what one look at every file came to.
type look struct {
	next    *snapshot
	young   map[string]bool
	changed bool            // next differs from the snapshot before
	links   []symlink       // met on the way
	leftOut map[string]bool // folders that turned out to be virtual environments
	shared  []string        // files that have more than one name
	took    time.Duration
}

// adopt takes a look over. The lock of the scan is held.
func (c *Client) adopt(l *look) {
	if l.changed {
		c.lastScan = l.next
	}
	c.young = l.young
}

// look looks at every file of the root that some server could care about, and at which of them differ from a snapshot
// before. Hidden folders, node_modules, __pycache__ and virtual environments are left out, and so are links out of the
// root, and names that are no UTF-8; files that .gitignore leaves out are looked at, since servers read them. A folder is
// followed through one link only. Folders are watched before they are read, unless pass is nil.
func (c *Client) look(ctx context.Context, last *snapshot, wasYoung map[string]bool, pass *watchPass) (*look, error) {
	now := time.Now()
	l := &look{young: map[string]bool{}, leftOut: map[string]bool{}, changed: last.files == nil}
	young := l.young
	next := &snapshot{files: make(map[string]stamp, len(last.files)), linked: map[string]bool{}}
	l.next = next
	followed := map[string]bool{}
	add := func(path string, info os.FileInfo, linked bool) bool {
		if len(next.files) >= maxWatched {
			next.cut = true
			return false
		}
		was, ok := last.files[path]
		st, fresh := restamp(path, was, wasYoung[path], info, now)
		if fresh {
			young[path] = true
		}
		if manyNames(info) {
			l.shared = append(l.shared, path)
		}
		if linked {
			next.linked[path] = true
		}
		next.files[path] = st
		l.changed = l.changed || !ok || st != was || linked != last.linked[path]
		return true
	}
	var walk func(dir string, linked bool) error
	walk = func(dir string, linked bool) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		pass.watch(dir)
		entries, err := os.ReadDir(dir)
		if err != nil {
			if dir == c.root {
				return fmt.Errorf("reading the root: %w", err)
			}
			return nil // gone, or closed to us: the server will not read it either
		}
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "pyvenv.cfg" }) {
			l.leftOut[dir] = true
			return nil
		}
		for _, e := range entries {
			name := e.Name()
			path := filepath.Join(dir, name)
			if !utf8.ValidString(name) {
				continue // no URI says it
			}
			isDir, regular, through := e.IsDir(), e.Type().IsRegular(), linked
			var info os.FileInfo
			if e.Type()&fs.ModeSymlink != 0 {
				if pass != nil {
					l.links = append(l.links, lookAtLink(path))
				}
				real, err := filepath.EvalSymlinks(path)
				if err != nil || !source.Below(c.root, real) {
					continue
				}
				if info, err = os.Stat(real); err != nil {
					continue
				}
				isDir, regular, through = info.IsDir(), info.Mode().IsRegular(), true
				if isDir && (followed[real] || source.Below(real, path)) {
					continue
				}
				followed[real] = isDir
			}
			switch {
			case isDir:
				if strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__" {
					continue
				}
				if err := walk(path, through); err != nil {
					return err
				}
			case regular && c.watched(name):
				if info == nil {
					if info, err = e.Info(); err != nil {
						continue
					}
				}
				if !add(path, info, through) {
					return nil
				}
			}
		}
		return nil
	}
	if err := walk(c.root, false); err != nil {
		return nil, err
	}
	l.changed = l.changed || len(next.files) != len(last.files) || next.cut != last.cut
	l.took = time.Since(now)
	return l, nil
}

// watched reports whether a file of that name concerns any server of the registry.
func (c *Client) watched(name string) bool {
	return c.extensions[strings.ToLower(filepath.Ext(name))] || c.markers[name]
}

// changesFrom lists what differs from an older snapshot in files that concern the server and have no overlay, sorted by
// path; moved says whether a file came or went, and timeless are the source files that changed and have the time of
// change that they had, or an earlier one.
func (s *session) changesFrom(old, now *snapshot, overlaid map[string]*overlay) (events []protocol.FileEvent, moved bool, timeless []string) {
	add := func(path string, kind protocol.FileChangeType) {
		if overlaid[path] != nil {
			return // told when the overlay is gone
		}
		if source.Below(s.srv.folder, path) && (s.srv.spec.LanguageOf(path) != "" || s.srv.client.markers[filepath.Base(path)]) {
			events = append(events, protocol.FileEvent{URI: source.DocumentURI(path), Type: kind})
			moved = moved || kind != protocol.FileChangeTypeChanged
		}
	}
	for path, st := range now.files {
		if was, ok := old.files[path]; !ok {
			add(path, protocol.FileChangeTypeCreated)
		} else if was != st {
			add(path, protocol.FileChangeTypeChanged)
			if st.mtime <= was.mtime && overlaid[path] == nil && source.Below(s.srv.folder, path) && s.srv.spec.LanguageOf(path) != "" {
				timeless = append(timeless, path)
			}
		}
	}
	for path := range old.files {
		if _, ok := now.files[path]; !ok {
			add(path, protocol.FileChangeTypeDeleted)
		}
	}
	slices.SortFunc(events, func(a, b protocol.FileEvent) int { return strings.Compare(string(a.URI), string(b.URI)) })
	slices.Sort(timeless)
	return events, moved, timeless
}

// foldersFrom lists the folders below the server's that came or went with their files since an older snapshot, sorted by
// path. A folder that holds an overlay is there whatever the disk says.
func (s *session) foldersFrom(old, now *snapshot, overlaid map[string]*overlay) (events []protocol.FileEvent) {
	root := s.srv.client.root
	before, after := old.under(root), now.under(root)
	held := map[string]bool{}
	for path := range overlaid {
		for dir := filepath.Dir(path); dir != root && source.Below(root, dir); dir = filepath.Dir(dir) {
			held[dir] = true
		}
	}
	differ := func(a, b map[string]bool, kind protocol.FileChangeType) {
		for dir := range a {
			if !b[dir] && !held[dir] && dir != s.srv.folder && source.Below(s.srv.folder, dir) {
				events = append(events, protocol.FileEvent{URI: source.DocumentURI(dir), Type: kind})
			}
		}
	}
	differ(after, before, protocol.FileChangeTypeCreated)
	differ(before, after, protocol.FileChangeTypeDeleted)
	slices.SortFunc(events, func(a, b protocol.FileEvent) int { return strings.Compare(string(a.URI), string(b.URI)) })
	return events
}
