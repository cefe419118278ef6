package watchedfiles

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// Diff lists what differs between two snapshots, in events of the protocol sorted by path.
type Diff struct {
	Old, New *filetree.Snapshot
	Folder   string                       // the workspace folder; what is not below it does not count
	Overlays map[string]*filetree.Overlay // files with one do not count: their changes are told when it is gone
}

// Files lists the files that differ and that concerned wants. Moved says whether one came or went.
func (d Diff) Files(concerned func(path string) bool) (events []protocol.FileEvent, moved bool) {
	add := func(path string, kind protocol.FileChangeType) {
		if d.Overlays[path] == nil && source.Below(d.Folder, path) && concerned(path) {
			events = append(events, event(path, kind))
			moved = moved || kind != protocol.FileChangeTypeChanged
		}
	}
	for path, st := range d.New.Files {
		if was, ok := d.Old.Files[path]; !ok {
			add(path, protocol.FileChangeTypeCreated)
		} else if was != st {
			add(path, protocol.FileChangeTypeChanged)
		}
	}
	for path := range d.Old.Files {
		if _, ok := d.New.Files[path]; !ok {
			add(path, protocol.FileChangeTypeDeleted)
		}
	}
	sortEvents(events)
	return events, moved
}

// SameTime returns those of the changed files whose modification time is not later than it was.
func (d Diff) SameTime(events []protocol.FileEvent) []string {
	var list []string
	for _, e := range events {
		path, _ := source.PathOf(string(e.URI))
		if e.Type == protocol.FileChangeTypeChanged && d.New.Files[path].Mtime <= d.Old.Files[path].Mtime {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list
}

// Folders lists the folders that came or went with their files. A folder that holds an overlay is there whatever the disk
// says.
func (d Diff) Folders(root string) (events []protocol.FileEvent) {
	before, after := d.Old.Under(root), d.New.Under(root)
	held := map[string]bool{}
	for path := range d.Overlays {
		for dir := filepath.Dir(path); dir != root && source.Below(root, dir); dir = filepath.Dir(dir) {
			held[dir] = true
		}
	}
	differ := func(a, b map[string]bool, kind protocol.FileChangeType) {
		for dir := range a {
			if !b[dir] && !held[dir] && dir != d.Folder && source.Below(d.Folder, dir) {
				events = append(events, event(dir, kind))
			}
		}
	}
	differ(after, before, protocol.FileChangeTypeCreated)
	differ(before, after, protocol.FileChangeTypeDeleted)
	sortEvents(events)
	return events
}

func event(path string, kind protocol.FileChangeType) protocol.FileEvent {
	return protocol.FileEvent{URI: source.FileURI(path), Type: kind}
}

func sortEvents(events []protocol.FileEvent) {
	slices.SortFunc(events, func(a, b protocol.FileEvent) int { return strings.Compare(string(a.URI), string(b.URI)) })
}
