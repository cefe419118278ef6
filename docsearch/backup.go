package docsearch

import (
	"context"
	"fmt"

	"github.com/findspot/findspot/docsearch/driver"
)

// BackupOptions says how [Library.Backup] reports.
type BackupOptions struct {
	// Progress is called with the bytes written and those to write in all, from one goroutine; it must not block, and is
	// not called after Backup has returned. nil: not at all.
	Progress func(done, total int64)
}

// Backup writes a whole copy of the library's present state into the folder dir, which must be empty or not be there. Searching and
// adding go on meanwhile. The folder appears when the copy is whole and on disk, so that a copy that was interrupted is never taken
// for one; opening it is all there is to restoring. A damaged library is not copied: the error wraps [ErrFormat]. An engine
// that cannot copy itself, such as memstore, is an error wrapping [ErrUnsupported].
func (l *Library) Backup(ctx context.Context, dir string, o *BackupOptions) error {
	if l.closed.Load() {
		return fmt.Errorf("document library: %w", ErrClosed)
	}
	b, ok := l.store.(driver.Backuper)
	if !ok {
		return fmt.Errorf("backup %s: %w: this engine cannot copy itself", dir, ErrUnsupported)
	}
	var progress func(done, total int64)
	if o != nil {
		progress = o.Progress
	}
	return b.Backup(ctx, dir, progress)
}
