// Package filetree is the source files below a root as they are now: those on disk that concern a server, and the unsaved
// buffers (overlays) that stand for some. In go a root, the extensions and names that count and the overlays; out come a
// [Snapshot] that stays the same while nothing changes, the text of a file, and paths in the form that callers see. It learns
// of changes from the system's queue where there is one, and else looks at every file. It may not know which servers there
// are, nor what they have been told.
package filetree
