// Package changes asks the operating system which files of some folders have changed since the last call. The system queues every change before the
// call that makes it returns, so [Queue.Read] finds everything that happened before it, at the cost of one system call if nothing did. There is no
// goroutine. Only Linux has such a queue; elsewhere, and on network file systems, [Open] fails.
//
// The system does not report writes through mapped memory, or writes through a second name of a file in a folder that is not watched. A caller that
// must find these looks at the files from time to time.
package changes

// Event is something that changed.
type Event struct {
	// Paths are the changed file or folder, once for each path that its folder is watched under. None: the queue was too
	// small for all that happened, or a watched folder itself is not what it was, so that anything may have changed.
	Paths  []string
	Folder bool // the path is, or was, a folder
	Came   bool // something is now under this name that was not before
	Went   bool // something is no longer under this name
}

// Everything reports whether anything may have changed.
func (e Event) Everything() bool { return len(e.Paths) == 0 }
