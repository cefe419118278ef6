package blevestore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

const mend = "put a backup in its place, or remove the folder and add the documents again"

// guard is deferred as guard(...)() around what reads the index. The engine panics on some broken files and reports
// others without saying which index it is about. It maps its files into memory, so that one which was cut short faults
// where it is read; such a fault ends the program unless the goroutine has asked for a panic.
func guard(dir string, err *error) func() {
	old := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(old)
		if v := recover(); v != nil {
			*err = fmt.Errorf("document index %s: %w: the index files are broken (%v): %s", dir, errs.Format, v, mend)
			return
		}
		if *err == nil || known(*err) {
			return
		}
		*err = fmt.Errorf("document index %s: %w: %v: %s", dir, errs.Format, *err, mend)
	}
}

// known reports that an error is one of ours, or says that a call was ended.
func known(err error) bool {
	for _, e := range []error{errs.Format, errs.NotFound, errs.Closed, errs.Stale, errs.Unsupported, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// The file GENERATION holds a generation that was safe on disk. When the newest state cannot be read the engine falls
// back to an older one, or to an empty index, without an error: the number tells.
const generationFile = "GENERATION"

// acknowledge writes the number down after a change. It may stay behind the index, never run ahead of it, so a write
// that does not succeed does no harm.
func (l *location) acknowledge(generation uint64) {
	_ = l.folder.WriteFile(generationFile, []byte(strconv.FormatUint(generation, 10)+"\n"))
}

// readGeneration returns the number in the file, or 0 where there is none: an index that nothing was added to.
func readGeneration(dir *disk.Folder) (uint64, error) {
	data, err := dir.ReadFile(generationFile, 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(data)), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: %s holds %q, which is no number: %s", errs.Format, generationFile, data[:min(len(data), 20)], mend)
	}
	return n, nil
}

// checkGeneration compares the generation of a state with the one last written.
func (l *location) checkGeneration(have uint64) error {
	want, err := readGeneration(l.folder)
	if err == nil && have < want {
		err = lostState(have, want)
	}
	if err != nil {
		return fmt.Errorf("document index %s: %w", l.dir, err)
	}
	return nil
}

func lostState(have, want uint64) error {
	return fmt.Errorf("%w: its newest state cannot be read (generation %d is there, %d was written): %s", errs.Format, have, want, mend)
}

// wholeState checks that the segments of a state are there.
func (l *location) wholeState(path string, st *state) error {
	for _, seg := range st.segments {
		if _, err := os.Stat(filepath.Join(path, seg.name)); err != nil {
			return fmt.Errorf("document index %s: %w: %v: %s", l.dir, errs.Format, err, mend)
		}
	}
	return nil
}

func isNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// checked reads the statistics of a state and compares them with what was acknowledged.
func (l *location) checked(r index.IndexReader) (st stats, err error) {
	defer guard(l.dir, &err)()
	if st, err = readStats(r); err != nil {
		return st, fmt.Errorf("document index %s: %w", l.dir, err)
	}
	return st, l.checkGeneration(st.Generation)
}
