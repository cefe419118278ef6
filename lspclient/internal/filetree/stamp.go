package filetree

import (
	"hash/maphash"
	"os"
	"time"

	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/lspclient/internal/source"
)

const (
	// racy is the age under which a file's times say nothing: it may have been written again within the clock's tick.
	racy = 100 * time.Millisecond
	// racyCoarse is the same where times have whole seconds only.
	racyCoarse = 2100 * time.Millisecond
)

// stamp tells one state of a file from another.
type stamp struct {
	size  int64
	Mtime int64  // Unix nanoseconds
	ctime int64  // of the last change of anything, which no program can set; 0 where the system does not tell
	inode uint64 // likewise
	// sum is of the file's bytes, and not 0, when it was so young that a later write may leave all the rest the same.
	sum uint64
}

// sumSeed makes the sums of one run comparable.
var sumSeed = maphash.MakeSeed()

// restamp returns the stamp of a file, and whether it is so young that it must be read again the next time. Was is the
// stamp it had before, or zero, and wasYoung what was said of that.
func restamp(path string, was stamp, wasYoung bool, info os.FileInfo, now time.Time) (st stamp, young bool) {
	st = stampOf(info)
	age := now.Sub(changedAt(info))
	young = age < racy || age < racyCoarse && st.Mtime%int64(time.Second) == 0 && st.ctime%int64(time.Second) == 0
	before := was
	before.sum = 0
	switch known := st == before; {
	case known && !wasYoung:
		st.sum = was.sum
	case known || young:
		st.sum = sumOf(path)
	}
	return st, young
}

// sumOf sums the bytes of a file that is no larger than a server is shown; 1 for one that cannot be read.
func sumOf(path string) uint64 {
	f, err := rootfs.Open(path)
	if err != nil {
		return 1
	}
	defer f.Close()
	var h maphash.Hash
	h.SetSeed(sumSeed)
	buf := make([]byte, 64<<10)
	for total := 0; total <= source.MaxFile; {
		n, err := f.Read(buf)
		h.Write(buf[:n])
		total += n
		if err != nil || n == 0 {
			break
		}
	}
	return h.Sum64() | 2
}

func stampOf(info os.FileInfo) stamp {
	st := stamp{size: info.Size(), Mtime: info.ModTime().UnixNano()}
	st.ctime, st.inode = changeOf(info)
	return st
}

// changedAt is when the file was last changed in any way, as far as the system tells.
func changedAt(info os.FileInfo) time.Time {
	if ctime, _ := changeOf(info); ctime != 0 {
		return time.Unix(0, ctime)
	}
	return info.ModTime()
}

// Unchanged reports whether a file that was read at a time is still what it was: it looks the same, and had not been changed
// so shortly before that a later change may look the same.
func Unchanged(was, is os.FileInfo, readAt time.Time) bool {
	return os.SameFile(is, was) && stampOf(is) == stampOf(was) && readAt.Sub(changedAt(is)) > racy
}
