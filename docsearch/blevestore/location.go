package blevestore

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

// A location is the folder of an index, and how far it is to be trusted.
type location struct {
	dir      string
	folder   *disk.Folder // what dir was when it was opened
	readOnly bool
	trust    bool
	left     leftFolders // of a reader
}

// open opens the folder, as far as it is to be trusted.
func (l *location) open() (err error) {
	if l.readOnly {
		if l.folder, err = disk.OpenFolder(l.dir, l.trust); segments.IsNotExist(err) {
			err = errs.NotFound
		}
	} else {
		l.folder, _, err = disk.MakeFolder(l.dir, l.trust)
	}
	if err != nil {
		if l.readOnly {
			return l.explainRead(err)
		}
		return l.explain(err)
	}
	if err := l.ours(); err != nil {
		return errors.Join(l.explain(err), l.folder.Close())
	}
	return nil
}

// ours makes sure that the folder is still the one that was opened, and that nothing in it leads elsewhere. The engine opens its
// files by their paths, so that this is asked before it does.
func (l *location) ours() error {
	err := l.folder.Same()
	if err == nil {
		err = l.folder.Check([]string{"LOCK", "VERSION", generationFile, indexDir}, indexDir)
	}
	return err
}

// sweep removes what readers left behind that were killed, where they need a folder in ours.
func (l *location) sweep() {
	list, err := l.folder.ReadDir(".")
	if err != nil {
		return // opening says so
	}
	for _, d := range list {
		if strings.HasPrefix(d.Name(), readerPrefix) {
			_ = l.folder.Root().RemoveAll(d.Name()) // one that is in use cannot be removed, and stays
		}
	}
}

// untrusted tells the errors about folders that are not ours, which name the folder themselves.
func untrusted(err error) bool {
	_, ok := errors.AsType[*errs.UntrustedError](err)
	return ok
}

// checkVersion refuses a folder of a version that this program does not read. One without a version gets the present one.
func checkVersion(dir *disk.Folder) error {
	have, err := dir.CheckVersion(formatVersion)
	if err == nil && have < oldestFormat {
		err = fmt.Errorf("%w: it has version %d, this program reads version %d: %s, or use another folder", errs.Format, have, formatVersion, segments.Mend)
	}
	return err
}

// readVersion checks the version of a folder without writing in it.
func readVersion(dir *disk.Folder) error {
	if _, err := dir.Lstat("VERSION"); err != nil {
		if segments.IsNotExist(err) {
			return errs.NotFound
		}
		return err
	}
	return checkVersion(dir)
}

// explain says which folder an error is about, and the way out.
func (l *location) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case untrusted(err):
		return fmt.Errorf("document %w", err)
	case disk.Full(err):
		return fmt.Errorf("document index %s: no space is left for it (%w): free some space and add again; what was added before is safe", l.dir, err)
	case disk.Denied(err):
		return fmt.Errorf("document index %s: it is not writable (%w): make it writable for this user, open it read-only, or use another folder", l.dir, err)
	}
	return fmt.Errorf("document index %s: %w", l.dir, err)
}

// explainRead is explain for an index that is only read.
func (l *location) explainRead(err error) error {
	if untrusted(err) {
		return fmt.Errorf("document %w", err)
	}
	if err != nil && disk.Denied(err) {
		return fmt.Errorf("document index %s: it is not readable (%w): make its files readable for this user", l.dir, err)
	}
	if err != nil {
		return fmt.Errorf("document index %s: %w", l.dir, err)
	}
	return nil
}

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
	st, err := segments.ReadState(path, leftWait)
	if err != nil {
		return // nothing was ever written, or opening it will say what is wrong
	}
	used := make(map[string]bool, len(st.Segments))
	for _, f := range st.Segments {
		used[f.Name] = true
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
		return 0, fmt.Errorf("%w: %s holds %q, which is no number: %s", errs.Format, generationFile, data[:min(len(data), 20)], segments.Mend)
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
	return fmt.Errorf("%w: its newest state cannot be read (generation %d is there, %d was written): %s", errs.Format, have, want, segments.Mend)
}

// wholeState checks that the segments of a state are there.
func (l *location) wholeState(path string, st *segments.State) error {
	for _, seg := range st.Segments {
		if _, err := os.Stat(filepath.Join(path, seg.Name)); err != nil {
			return fmt.Errorf("document index %s: %w: %v: %s", l.dir, errs.Format, err, segments.Mend)
		}
	}
	return nil
}

// checked reads the statistics of a state and compares them with what was acknowledged.
func (l *location) checked(r index.IndexReader) (st segments.Stats, err error) {
	defer segments.Guard(l.dir, &err)()
	if st, err = segments.ReadStats(r); err != nil {
		return st, fmt.Errorf("document index %s: %w", l.dir, err)
	}
	return st, l.checkGeneration(st.Generation)
}
