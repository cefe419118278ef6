package process

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// killMarked kills the processes that carry the mark in the environment they were started with: children of a server that
// have left its process group. One that cleared its environment, or that belongs to another user, is not found.
func killMarked(mark string) {
	const rounds = 5 // a process may be starting another one just now
	for range rounds {
		found := false
		for _, pid := range marked(mark) {
			// The handle stays that of this process, whatever becomes of its number; so the second look decides.
			p, err := os.FindProcess(pid)
			if err != nil {
				continue
			}
			if isMarked(pid, mark) && p.Kill() == nil {
				found = true
			}
			p.Release()
		}
		if !found {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// marked lists the processes with the mark, this one left out.
func marked(mark string) []int {
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return nil
	}
	var list []int
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err == nil && pid != os.Getpid() && isMarked(pid, mark) {
			list = append(list, pid)
		}
	}
	return list
}

func isMarked(pid int, mark string) bool {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	entry := []byte(markName + "=" + mark)
	return bytes.HasPrefix(data, append(entry, 0)) || bytes.Contains(data, append(append([]byte{0}, entry...), 0))
}
