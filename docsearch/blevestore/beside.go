package blevestore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/internal/errs"
)

// A folder that is opened read-only is read beside a process that writes it. The engine would wait for the writer's lock on its
// list of segments. So it is given a folder of its own with a copy of that list, which is small, and links to the segments, which never change.
// A segment that the writer merges away is deleted under its name only: who has it open reads on.

// followEvery is how far a reader may stay behind the process that writes.
const followEvery = 500 * time.Millisecond

// besideWait is how long opening tries to catch a state whose files are all still there.
const besideWait = time.Second

// openBeside opens the newest state for reading and returns the number of the engine's write that made it.
func (l *location) openBeside() (*engine, index.IndexReader, segments.Stats, uint64, error) {
	deadline := time.Now().Add(besideWait)
	path := filepath.Join(l.dir, indexDir)
	for still := 0; ; {
		before, berr := segments.LastChange(path)
		e, r, st, change, err := l.tryBeside()
		if err == nil || !errors.Is(err, errs.Format) && !errors.Is(err, fs.ErrNotExist) {
			return e, r, st, change, l.explainRead(err)
		}
		// A segment was merged away between the list and its opening; or, where nothing was written meanwhile, the index is broken.
		if after, aerr := segments.LastChange(path); before == after && (berr == nil) == (aerr == nil) {
			still++
		}
		if still == 3 || !time.Now().Before(deadline) {
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%w: %v: %s", errs.Format, err, segments.Mend)
			}
			return e, r, st, change, l.explainRead(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (l *location) tryBeside() (_ *engine, _ index.IndexReader, st segments.Stats, _ uint64, err error) {
	if err := readVersion(l.folder); err != nil {
		return nil, nil, st, 0, err
	}
	acknowledged, err := readGeneration(l.folder) // before the state, which then is not older
	if err != nil {
		return nil, nil, st, 0, err
	}
	if err := l.ours(); err != nil {
		return nil, nil, st, 0, err
	}
	path := filepath.Join(l.dir, indexDir)
	want, err := segments.ReadState(path, besideWait)
	if err != nil {
		return nil, nil, st, 0, err
	}
	private, err := privateFolder(path, l.dir, want)
	if err != nil {
		return nil, nil, st, 0, err
	}
	e, r, err := openEngine(private, true, want)
	if err != nil || runtime.GOOS != "windows" { // all is open: the names are not needed
		l.left.remove(private)
	}
	if err != nil {
		return nil, nil, st, 0, err
	}
	if runtime.GOOS == "windows" {
		e.tidy = func() { l.left.remove(private) }
	}
	err = func() (err error) {
		defer segments.Guard(l.dir, &err)()
		st, err = segments.ReadStats(r)
		return err
	}()
	if err == nil && st.Generation < acknowledged {
		err = lostState(st.Generation, acknowledged)
	}
	if err != nil {
		r.Close()
		e.close()
		return nil, nil, st, 0, err
	}
	return e, r, st, want.Change, nil
}

// privateFolder makes the folder of a reader.
func privateFolder(path, dir string, st *segments.State) (_ string, err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	var private string
	if runtime.GOOS == "windows" { // symbolic links need a privilege there, and hard links the same disk
		private, err = os.MkdirTemp(dir, readerPrefix)
	} else {
		private, err = os.MkdirTemp("", "findspot-"+readerPrefix)
	}
	if err != nil {
		return "", fmt.Errorf("a folder for the list of segments: %w (TMPDIR names where it is made)", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(private)
		}
	}()
	link := os.Symlink
	if runtime.GOOS == "windows" {
		link = os.Link
	}
	for _, seg := range st.Segments {
		from := filepath.Join(abs, seg.Name)
		if _, err := os.Stat(from); err != nil {
			return "", err
		}
		if err := link(from, filepath.Join(private, seg.Name)); err != nil {
			return "", err
		}
	}
	return private, os.WriteFile(filepath.Join(private, segments.BoltFile), st.File, 0o600)
}

const readerPrefix = "reader-"

// leftFolders are folders of readers that are not needed any more. On Windows a link cannot be removed while a process has the file open under
// any of its names, unless that was opened with delete sharing, and the engine does not. Such a link takes no room, since its file is in use; it
// is tried again when the next state is opened and when the reader is closed. What is there then, the next writer removes.
type leftFolders struct {
	mu    sync.Mutex
	paths []string
}

// remove removes a folder, and those of before.
func (l *leftFolders) remove(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.paths = slices.DeleteFunc(append(l.paths, path), func(p string) bool { return os.RemoveAll(p) == nil })
}
