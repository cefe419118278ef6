package blevestore

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

// held is one state of the index with its segments open, so that they can be read whatever the writer merges and deletes.
type held struct {
	*segments.State
	files []*os.File // of the segments, in their order
	bytes int64
}

func (h *held) close() {
	for _, f := range h.files {
		f.Close()
	}
}

// hold opens the newest state of the index at path. A segment that is missing is an error that wraps fs.ErrNotExist.
func hold(ctx context.Context, path string) (*held, error) {
	for deadline := time.Now().Add(besideWait / 4); ; time.Sleep(5 * time.Millisecond) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h, err := tryHold(path)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || !time.Now().Before(deadline) {
			return h, err // else a segment was merged away between the list and its opening
		}
	}
}

func tryHold(path string) (_ *held, err error) {
	st, err := segments.ReadState(path, besideWait)
	if err != nil {
		return nil, err
	}
	h := &held{State: st, bytes: int64(len(st.File))}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	for _, seg := range st.Segments {
		f, err := disk.OpenFile(filepath.Join(path, seg.Name))
		if err != nil {
			return nil, err
		}
		h.files = append(h.files, f)
		info, err := f.Stat()
		if err != nil {
			return nil, err
		}
		h.bytes += info.Size()
	}
	return h, nil
}

// partialSuffix is put behind the name of a backup that is not whole yet.
const partialSuffix = ".partial"

// backup writes a copy of the newest state into the folder dir. The copy is written beside dir and takes its name when it is whole and on disk. Checksums of
// the segments are compared while they are copied.
func (l *location) backup(ctx context.Context, dir string, progress func(done, total int64)) (err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if own, err := filepath.Abs(l.dir); err == nil {
		if rel, err := filepath.Rel(own, dir); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("backup %s: %w: it is within the index %s: choose a folder outside it", dir, errs.Unsupported, l.dir)
		}
	}
	if err := emptyOrNone(dir); err != nil {
		return err
	}
	partial := dir + partialSuffix
	folder, _, err := disk.MakeFolder(partial, false)
	if err != nil {
		return explainBackup(dir, err)
	}
	lock, err := folder.Lock(0)
	if err != nil { // another process makes the same backup
		folder.Close()
		return fmt.Errorf("backup %s: %w", dir, err)
	}
	defer func() {
		if err != nil {
			lock.Unlock()
			folder.Close()
			err = errors.Join(err, os.RemoveAll(partial))
		}
	}()
	if err := l.copyTo(ctx, folder, progress); err != nil {
		return explainBackup(dir, err)
	}
	if err := errors.Join(lock.Unlock(), folder.Close()); err != nil { // what is open stands in the way of the new name on Windows
		return explainBackup(dir, err)
	}
	if err := emptyOrNone(dir); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !segments.IsNotExist(err) {
		return explainBackup(dir, err)
	}
	return explainBackup(dir, disk.Rename(partial, dir))
}

func emptyOrNone(dir string) error {
	names, err := os.ReadDir(dir)
	switch {
	case segments.IsNotExist(err):
		return nil
	case err != nil:
		return explainBackup(dir, err)
	case len(names) > 0:
		return fmt.Errorf("backup %s: %w: the folder is not empty: choose a new one", dir, errs.Unsupported)
	}
	return nil
}

func explainBackup(dir string, err error) error {
	switch {
	case err == nil:
		return nil
	case disk.Full(err):
		return fmt.Errorf("backup %s: no space is left there (%w): free some space, or choose a folder on another disk", dir, err)
	case disk.Denied(err):
		return fmt.Errorf("backup %s: it is not writable (%w): make it writable for this user, or choose another folder", dir, err)
	}
	return fmt.Errorf("backup %s: %w", dir, err)
}

// copyTo writes the newest state into a folder that is there, and opens it once.
func (l *location) copyTo(ctx context.Context, dir *disk.Folder, progress func(done, total int64)) error {
	for _, name := range []string{indexDir, generationFile, "VERSION"} { // left by a backup that was killed
		if err := dir.Root().RemoveAll(name); err != nil {
			return err
		}
	}
	if err := readVersion(l.folder); err != nil {
		return err
	}
	version, err := l.folder.ReadFile("VERSION", 64)
	if err != nil {
		return err
	}
	acknowledged, err := readGeneration(l.folder)
	if err != nil {
		return err
	}
	if err := l.ours(); err != nil {
		return err
	}
	h, err := hold(ctx, filepath.Join(l.dir, indexDir))
	if err != nil {
		if segments.IsNotExist(err) {
			err = fmt.Errorf("%w: %v: docs check says what is broken", errs.Format, err)
		}
		return err
	}
	defer h.close()
	var st segments.Stats
	if h.Stats != nil {
		if err := json.Unmarshal(h.Stats, &st); err != nil {
			return fmt.Errorf("%w: statistics: %v", errs.Format, err)
		}
	}
	if st.Generation < acknowledged {
		return lostState(st.Generation, acknowledged)
	}
	folder, err := dir.Sub(indexDir)
	if err != nil {
		return err
	}
	defer folder.Close()
	to := folder.Path()
	c := &copier{ctx: ctx, total: h.bytes, progress: progress}
	for i, f := range h.files {
		if err := c.segment(f, filepath.Join(to, h.Segments[i].Name)); err != nil {
			return err
		}
	}
	if err := folder.WriteFile(segments.BoltFile, h.File); err != nil {
		return err
	}
	c.step(len(h.File))
	if st.Generation > 0 {
		if err := dir.WriteFile(generationFile, []byte(strconv.FormatUint(st.Generation, 10)+"\n")); err != nil {
			return err
		}
	}
	e, r, err := openEngine(to, true, h.State)
	if err != nil {
		return err
	}
	if err := errors.Join(r.Close(), e.close()); err != nil {
		return err
	}
	return dir.WriteFile("VERSION", version)
}

// copier copies the segments of a backup.
type copier struct {
	ctx         context.Context
	done, total int64
	progress    func(done, total int64)
}

func (c *copier) step(n int) {
	c.done += int64(n)
	if c.progress != nil {
		c.progress(min(c.done, c.total), c.total)
	}
}

func (c *copier) segment(from *os.File, to string) (err error) {
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	sum := &segmentCheck{name: from.Name()}
	buf := make([]byte, 1<<20)
	for {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		n, err := from.Read(buf)
		if n > 0 {
			sum.write(buf[:n])
			if _, err := out.Write(buf[:n]); err != nil {
				return err
			}
			c.step(n)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if err := sum.end(); err != nil {
		return err
	}
	return out.Sync()
}

// segmentCheck compares the content of a segment with the checksum that it ends with: four bytes, CRC-32 of all before them.
type segmentCheck struct {
	name string
	sum  uint32
	tail []byte // the last four bytes so far
}

func (c *segmentCheck) write(p []byte) {
	all := append(c.tail, p...)
	if len(all) <= 4 {
		c.tail = all
		return
	}
	cut := len(all) - 4
	c.sum = crc32.Update(c.sum, crc32.IEEETable, all[:cut])
	c.tail = append([]byte(nil), all[cut:]...)
}

func (c *segmentCheck) end() error {
	if len(c.tail) < 4 || binary.BigEndian.Uint32(c.tail) != c.sum {
		return fmt.Errorf("%s: %w: its checksum does not match its content: %s", c.name, errs.Format, segments.Mend)
	}
	return nil
}
