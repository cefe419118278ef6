package walk

import (
	"io/fs"
	"syscall"
)

// changeTime gives the time of the last change of a file or of what is said about it, in nanoseconds: programs cannot set
// it as they can the time of the last write. It is 0 where the system gives none.
func changeTime(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano()
	}
	return 0
}
