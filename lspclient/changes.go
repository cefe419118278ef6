package lspclient

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/source"
	"go.lsp.dev/protocol"
)

// changesFrom lists what differs from an older snapshot in files that concern the server and have no overlay, sorted by
// path; moved says whether a file came or went, and timeless are the source files that changed and have the time of
// change that they had, or an earlier one.
func (s *documents) changesFrom(old, now *filetree.Snapshot, overlaid map[string]*filetree.Overlay) (events []protocol.FileEvent, moved bool, timeless []string) {
	add := func(path string, kind protocol.FileChangeType) {
		if overlaid[path] != nil {
			return // told when the overlay is gone
		}
		if source.Below(s.srv.folder, path) && (s.srv.spec.LanguageOf(path) != "" || s.srv.client.tree.IsMarker(path)) {
			events = append(events, protocol.FileEvent{URI: source.DocumentURI(path), Type: kind})
			moved = moved || kind != protocol.FileChangeTypeChanged
		}
	}
	for path, st := range now.Files {
		if was, ok := old.Files[path]; !ok {
			add(path, protocol.FileChangeTypeCreated)
		} else if was != st {
			add(path, protocol.FileChangeTypeChanged)
			if st.Mtime <= was.Mtime && overlaid[path] == nil && source.Below(s.srv.folder, path) && s.srv.spec.LanguageOf(path) != "" {
				timeless = append(timeless, path)
			}
		}
	}
	for path := range old.Files {
		if _, ok := now.Files[path]; !ok {
			add(path, protocol.FileChangeTypeDeleted)
		}
	}
	slices.SortFunc(events, func(a, b protocol.FileEvent) int { return strings.Compare(string(a.URI), string(b.URI)) })
	slices.Sort(timeless)
	return events, moved, timeless
}

// foldersFrom lists the folders below the server's that came or went with their files since an older snapshot, sorted by
// path. A folder that holds an overlay is there whatever the disk says.
func (s *documents) foldersFrom(old, now *filetree.Snapshot, overlaid map[string]*filetree.Overlay) (events []protocol.FileEvent) {
	root := s.srv.client.root
	before, after := old.Under(root), now.Under(root)
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
