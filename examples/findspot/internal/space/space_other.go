//go:build !linux && !darwin && !freebsd

package space

// Free returns the bytes that this user may still write on the disk of a folder; ok is false where that cannot be told.
func Free(string) (bytes uint64, ok bool) { return 0, false }
