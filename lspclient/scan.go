package lspclient

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/protocol"
)

const (
	// maxWatched bounds the files whose changes are followed.
	maxWatched = 200_000
	// racy is the age under which a file's time says nothing: it may have been written again within the clock's tick.
	racy = 100 * time.Millisecond
)

// snapshot is what the source files of the root looked like at one moment. It does not change.
type snapshot struct {
	files map[string]stamp // by absolute path
	cut   bool             // there were more than maxWatched
}

// stamp tells one state of a file from another.
type stamp struct {
	size  int64
	mtime int64 // Unix nanoseconds
	fresh int64 // not 0: the file was so young that a later write may look the same; then every scan counts as a change
}

// scan looks at every file of the root that some server could care about. It returns the last snapshot itself when
// nothing has changed since. Hidden folders, node_modules, __pycache__ and virtual environments are left out, and so are
// links.
func (c *Client) scan(ctx context.Context) (*snapshot, error) {
	c.scanMu.Lock()
	defer c.scanMu.Unlock()
	now := time.Now().UnixNano()
	next := &snapshot{files: make(map[string]stamp, len(c.lastScan.files))}
	changed := c.lastScan.files == nil
	var walk func(dir string) error
	walk = func(dir string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			if dir == c.root {
				return fmt.Errorf("reading the root: %w", err)
			}
			return nil // gone, or closed to us: the server will not read it either
		}
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "pyvenv.cfg" }) {
			return nil
		}
		for _, e := range entries {
			name := e.Name()
			path := filepath.Join(dir, name)
			switch {
			case e.IsDir():
				if strings.HasPrefix(name, ".") || name == "node_modules" || name == "__pycache__" {
					continue
				}
				if err := walk(path); err != nil {
					return err
				}
			case e.Type().IsRegular() && c.watched(name):
				if len(next.files) >= maxWatched {
					next.cut = true
					return nil
				}
				info, err := e.Info()
				if err != nil {
					continue
				}
				st := stamp{size: info.Size(), mtime: info.ModTime().UnixNano()}
				if now-st.mtime < int64(racy) {
					st.fresh = now
				}
				next.files[path] = st
				changed = changed || c.lastScan.files[path] != st
			}
		}
		return nil
	}
	if err := walk(c.root); err != nil {
		return nil, err
	}
	if changed || len(next.files) != len(c.lastScan.files) || next.cut != c.lastScan.cut {
		c.lastScan = next
	}
	return c.lastScan, nil
}

// watched reports whether a file of that name concerns any server of the registry.
func (c *Client) watched(name string) bool {
	return c.extensions[strings.ToLower(filepath.Ext(name))] || c.markers[name]
}

// changesFrom lists what differs from an older snapshot in files that concern the server, sorted by path; moved says
// whether a file came or went.
func (s *session) changesFrom(old, now *snapshot) (events []protocol.FileEvent, moved bool) {
	add := func(path string, kind protocol.FileChangeType) {
		if below(s.srv.folder, path) && (s.srv.spec.languageOf(path) != "" || s.srv.client.markers[filepath.Base(path)]) {
			events = append(events, protocol.FileEvent{URI: protocolURI(path), Type: kind})
			moved = moved || kind != protocol.FileChangeTypeChanged
		}
	}
	for path, st := range now.files {
		if was, ok := old.files[path]; !ok {
			add(path, protocol.FileChangeTypeCreated)
		} else if was != st {
			add(path, protocol.FileChangeTypeChanged)
		}
	}
	for path := range old.files {
		if _, ok := now.files[path]; !ok {
			add(path, protocol.FileChangeTypeDeleted)
		}
	}
	slices.SortFunc(events, func(a, b protocol.FileEvent) int { return strings.Compare(string(a.URI), string(b.URI)) })
	return events, moved
}
