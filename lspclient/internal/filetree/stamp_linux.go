package filetree

import (
	"os"
	"syscall"
)

func changeOf(info os.FileInfo) (ctime int64, inode uint64) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano(), st.Ino
	}
	return 0, 0
}

// manyNames reports whether the file has other names, through which it may change without a word to its folder.
func manyNames(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink > 1
}
