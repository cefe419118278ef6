package blevestore

import (
	"os"
	"path/filepath"
	"time"
)

// leftWait is how long closing tries to read which files are in use: no engine writes then.
const leftWait = time.Second

// removeLeft removes the segments that the newest state does not name: merged ones that the engine had open when it was closed, and those
// that it had written and not named yet. It would remove them when it is opened next; until then they may take as much room again.
// The lock is held and the engine is closed. A reader beside has its files open already, or begins anew with a state whose files are all there.
func (l *location) removeLeft() {
	if l.ours() != nil {
		return // nothing is lost by what stays
	}
	path := filepath.Join(l.dir, indexDir)
	st, err := readState(path, leftWait)
	if err != nil {
		return // nothing was ever written, or opening it will say what is wrong
	}
	used := make(map[string]bool, len(st.segments))
	for _, f := range st.segments {
		used[f.name] = true
	}
	files, err := os.ReadDir(path)
	if err != nil {
		return // the engine does this when it is opened next, too: nothing is lost by what stays
	}
	for _, f := range files {
		if filepath.Ext(f.Name()) == ".zap" && !used[f.Name()] {
			_ = os.Remove(filepath.Join(path, f.Name())) // on Windows not where it is open: see above
		}
	}
}
