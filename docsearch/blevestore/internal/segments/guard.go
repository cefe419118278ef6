package segments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"

	"github.com/findspot/findspot/internal/errs"
)

const Mend = "restore a backup, or delete the folder and add the documents again"

// Guard is deferred as guard(...)() around what reads the index. The engine panics on some broken files and reports
// others without saying which index it is about. It maps its files into memory, so that one which was cut short faults
// where it is read; such a fault ends the program unless the goroutine has asked for a panic.
func Guard(dir string, err *error) func() {
	old := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(old)
		if v := recover(); v != nil {
			*err = fmt.Errorf("document index %s: %w: the index files are broken (%v): %s", dir, errs.Format, v, Mend)
			return
		}
		if *err == nil || Known(*err) {
			return
		}
		*err = fmt.Errorf("document index %s: %w: %v: %s", dir, errs.Format, *err, Mend)
	}
}

// Known reports that an error is one of ours, or says that a call was ended.
func Known(err error) bool {
	for _, e := range []error{errs.Format, errs.NotFound, errs.Closed, errs.Stale, errs.Unsupported, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

func IsNotExist(err error) bool { return errors.Is(err, fs.ErrNotExist) }
