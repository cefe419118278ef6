// Package changes asks the system which files of some folders have changed since it was asked last. The system queues
// every change before the call that makes it returns, so what [Queue.Read] finds is all that happened before it, for the
// price of one system call when nothing did. There is no goroutine.
//
// Not told of are writes through mapped memory, and writes through a second name of a file in a folder that is not
// watched: who must know of these looks at the files from time to time.
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
