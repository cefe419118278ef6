//go:build !unix

package hostile

import "errors"

// mkfifo is an error: these systems have no named pipes among files.
func mkfifo(string) error { return errors.ErrUnsupported }

// mkzero is an error: these systems have no devices among files.
func mkzero(string) error { return errors.ErrUnsupported }
