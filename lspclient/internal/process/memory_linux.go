package process

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
)

// SampleMemory returns, by leader, the processes that belong to a server and what they take: those of the leader's
// process group and all their descendants, so that one that made itself a group of its own still counts. One pass over
// /proc serves all leaders.
func SampleMemory(leaders []int) map[int]Memory {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	names, _ := dir.Readdirnames(-1) // what was read before an error still counts
	dir.Close()
	type proc struct{ pid, parent, group, pages int }
	byPID := map[int]proc{}
	buf := make([]byte, 1024)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		p := proc{pid: pid}
		var ok bool
		if p.parent, p.group, p.pages, ok = readStat("/proc/"+name+"/stat", buf); ok {
			byPID[pid] = p
		}
	}
	owner := map[int]int{} // the leader whose process this is; 0: none's
	var ownerOf func(pid, depth int) int
	ownerOf = func(pid, depth int) int {
		if at, ok := owner[pid]; ok {
			return at
		}
		p, ok := byPID[pid]
		if !ok || depth > 1000 {
			return 0
		}
		if slices.Contains(leaders, pid) {
			owner[pid] = pid
		} else if slices.Contains(leaders, p.group) {
			owner[pid] = p.group
		} else {
			owner[pid] = ownerOf(p.parent, depth+1)
		}
		return owner[pid]
	}
	page := int64(os.Getpagesize())
	taken := map[int]Memory{}
	for pid, p := range byPID {
		leader := ownerOf(pid, 0)
		if leader == 0 {
			continue
		}
		m := taken[leader]
		m.Bytes += int64(p.pages) * page
		m.PIDs = append(m.PIDs, pid)
		taken[leader] = m
	}
	for leader, m := range taken {
		slices.SortFunc(m.PIDs, func(a, b int) int {
			switch {
			case a == leader:
				return -1
			case b == leader:
				return 1
			}
			return a - b
		})
	}
	return taken
}

// readStat reads the parent, the process group and the resident pages from a file of the form proc(5) calls
// /proc/pid/stat. The name in parentheses may hold anything.
func readStat(path string, buf []byte) (parent, group, pages int, ok bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, 0, false
	}
	n, _ := f.Read(buf)
	f.Close()
	end := bytes.LastIndexByte(buf[:n], ')')
	if end < 0 {
		return 0, 0, 0, false
	}
	fields := bytes.Fields(buf[end+1 : n]) // from the third on: state, ppid, pgrp, ... rss is the 24th
	if len(fields) < 22 {
		return 0, 0, 0, false
	}
	var err1, err2, err3 error
	parent, err1 = strconv.Atoi(string(fields[1]))
	group, err2 = strconv.Atoi(string(fields[2]))
	pages, err3 = strconv.Atoi(string(fields[21]))
	return parent, group, pages, err1 == nil && err2 == nil && err3 == nil
}

// MachineMemory returns the memory of the machine, or of the control group this program runs in if that is less; 0 when
// it is not known.
func MachineMemory() int64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	var total int64
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err != nil {
				return 0
			}
			total = kb << 10
		}
	}
	if data, err := os.ReadFile("/sys/fs/cgroup/memory.max"); err == nil { // inside a container this is its own
		if most, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil && most > 0 {
			total = min(total, most)
		}
	}
	return total
}
