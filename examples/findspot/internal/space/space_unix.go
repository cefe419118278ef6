//go:build linux || darwin || freebsd

package space

import "golang.org/x/sys/unix"

// Free returns the bytes that this user may still write on the disk of a folder; ok is false where that cannot be told.
func Free(dir string) (bytes uint64, ok bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return uint64(st.Bavail) * uint64(st.Bsize), true
}
