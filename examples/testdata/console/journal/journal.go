// Package journal reads the journals that the console writes: a line a command.
package journal

import (
	"bufio"
	"io"
	"strings"
)

// An Entry is one command of a journal.
type Entry struct {
	Word string
	Args []string
}

// Read returns the entries of a journal. Empty lines are left out.
func Read(r io.Reader) ([]Entry, error) {
	var out []Entry
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		if e, ok := parseLine(sc.Text()); ok {
			out = append(out, e)
		}
	}
	return out, sc.Err()
}

func parseLine(line string) (Entry, bool) {
	f := strings.Fields(line)
	if len(f) == 0 {
		return Entry{}, false
	}
	return Entry{Word: f[0], Args: f[1:]}, true
}

// Count tells how often each word occurs.
func Count(entries []Entry) map[string]int {
	out := map[string]int{}
	for _, e := range entries {
		out[e.Word]++
	}
	return out
}

// longest returns the entry with most arguments.
func longest(entries []Entry) Entry {
	var best Entry
	for _, e := range entries {
		if len(e.Args) > len(best.Args) {
			best = e
		}
	}
	return best
}
