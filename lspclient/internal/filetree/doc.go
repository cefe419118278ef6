// Package filetree is the tree of source files below a root as they are now: the files on disk that concern a server, with unsaved buffers (overlays)
// in place of some. It takes a root, the extensions and names that count, and the overlays. It gives a [Snapshot] that stays the same while nothing
// changes, the text of a file, and paths in the form that callers see. It learns of changes from the system's queue if there is one (package
// internal/changes), and otherwise looks at every file. It does not depend on which servers there are or what they have been told.
package filetree
