//go:build unix

package disk

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Forget takes the whole pages of b out of the memory of the process; the next read brings them back. b must lie in a file that
// is mapped and not written through the map: elsewhere, what it holds would be lost. It is a hint, so there is no error.
func Forget(b []byte) {
	if len(b) == 0 {
		return
	}
	page := os.Getpagesize()
	if off := int(uintptr(unsafe.Pointer(&b[0])) % uintptr(page)); off != 0 {
		b = b[min(page-off, len(b)):]
	}
	if b = b[:len(b)/page*page]; len(b) > 0 {
		unix.Madvise(b, unix.MADV_DONTNEED)
	}
}
