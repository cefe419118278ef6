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
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// maxWatched bounds the files whose changes are followed.
const maxWatched = 200_000

// snapshot is what the source files of the root looked like at one moment. It does not change.
type snapshot struct {
	files  map[string]stamp // by absolute path
	linked map[string]bool  // those of them that are there through a link, and so are there twice
	cut    bool             // there were more than maxWatched
}

// scan looks at every file of the root that some server could care about. It returns the last snapshot itself when
// nothing has changed since. Hidden folders, node_modules, __pycache__ and virtual environments are left out, and so are
// links out of the root, and names that are no UTF-8. A folder is followed through one link only.
func (c *Client) scan(ctx context.Context) (*snapshot, error) {
	c.scanMu.Lock()
	defer c.scanMu.Unlock()
	now := time.Now()
	young := map[string]bool{}
	next := &snapshot{files: make(map[string]stamp, len(c.lastScan.files)), linked: map[string]bool{}}
	changed := c.lastScan.files == nil
	followed := map[string]bool{}
	add := func(path string, info os.FileInfo, linked bool) bool {
		if len(next.files) >= maxWatched {
			next.cut = true
			return false
		}
		was, ok := c.lastScan.files[path]
		st, fresh := restamp(path, was, c.young[path], info, now)
		if fresh {
			young[path] = true
		}
		if linked {
			next.linked[path] = true
		}
		next.files[path] = st
		changed = changed || !ok || st != was
		return true
	}
	var walk func(dir string, linked bool) error
	walk = func(dir string, linked bool) error {
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
			if !utf8.ValidString(name) {
				continue // no URI says it
			}
			isDir, regular, through := e.IsDir(), e.Type().IsRegular(), linked
			var info os.FileInfo
			if e.Type()&fs.ModeSymlink != 0 {
				real, err := filepath.EvalSymlinks(path)
				if err != nil || !below(c.root, real) {
					continue
				}
				if info, err = os.Stat(real); err != nil {
					continue
				}
				isDir, regular, through = info.IsDir(), info.Mode().IsRegular(), true
				if isDir && (followed[real] || below(real, path)) {
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
	if changed || len(next.files) != len(c.lastScan.files) || next.cut != c.lastScan.cut {
		c.lastScan = next
	}
	c.young = young
	return c.lastScan, nil
}

// watched reports whether a file of that name concerns any server of the registry.
func (c *Client) watched(name string) bool {
	return c.extensions[strings.ToLower(filepath.Ext(name))] || c.markers[name]
}

// changesFrom lists what differs from an older snapshot in files that concern the server and have no overlay, sorted by
// path; moved says whether a file came or went.
func (s *session) changesFrom(old, now *snapshot, overlaid map[string]*overlay) (events []protocol.FileEvent, moved bool) {
	add := func(path string, kind protocol.FileChangeType) {
		if overlaid[path] != nil {
			return // told when the overlay is gone
		}
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
