//go:build !linux

package walk

import "os"

// reliable tells whether the stamps of folders can be relied on, and gives the device of root. Only on Linux do we know of which
// file systems that is true.
func reliable(string) (device uint64, ok bool) { return 0, false }

func folderStamp(string, uint64, bool) (Stamp, bool) { return Stamp{}, false }

// fileStamp gives the stamp of a file, links not followed, and tells whether it is a regular one.
func fileStamp(p string) (Stamp, bool, error) {
	info, err := os.Lstat(p)
	if err != nil {
		return Stamp{}, false, err
	}
	return StampOf(info), info.Mode().IsRegular(), nil
}
