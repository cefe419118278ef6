package swebench

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Change is what a fix does to one file of the repository.
type Change struct {
	Path    string // before the fix; of a new file, its path after it
	New     bool   // the file was not there before
	Removed []int  // lines before the fix that it removes or replaces; from 1, in order
	Added   []int  // lines before the fix behind which it adds some and removes none; from 0, in order
}

const maxChangedLines = 1 << 20 // of a patch

var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@`)

// Changes reads a unified diff (the form of POSIX diff -u, with git's headers) and returns its files in order. Of a file that is
// only renamed, or has another mode, there are no lines. Binary changes have none either.
func Changes(patch string) ([]Change, error) {
	var out []Change
	var old, now string // of the headers before the first hunk
	var c *Change
	oldLeft, newLeft, at, total := 0, 0, 0, 0
	flush := func() {
		if c != nil {
			slices.Sort(c.Removed)
			slices.Sort(c.Added)
			c.Added = slices.DeleteFunc(slices.Compact(c.Added), func(n int) bool { _, removed := slices.BinarySearch(c.Removed, n); return removed })
			out = append(out, *c)
			c = nil
		}
	}
	begin := func() error {
		path, isNew := old, false
		if path == "" {
			path, isNew = now, true
		}
		if c != nil && c.Path == path && len(c.Removed)+len(c.Added) == 0 {
			return nil // a file that is renamed and changed
		}
		flush()
		if !fs.ValidPath(path) || path == "." {
			return fmt.Errorf("a file named %q", path)
		}
		c = &Change{Path: path, New: isNew}
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(patch, "\n"), "\n")
	for i, line := range lines {
		bad := func(format string, args ...any) error {
			return fmt.Errorf("patch line %d: %s", i+1, fmt.Sprintf(format, args...))
		}
		switch {
		case oldLeft > 0 || newLeft > 0: // within a hunk, whatever the line looks like
			kind := byte(' ') // some tools cut the blank of an empty line
			if line != "" {
				kind = line[0]
			}
			switch kind {
			case ' ', '\t', '\r':
				at++
				oldLeft--
				newLeft--
			case '-':
				c.Removed = append(c.Removed, at)
				at++
				oldLeft--
			case '+':
				if !c.New {
					c.Added = append(c.Added, at-1)
				}
				newLeft--
			case '\\': // no newline at the end of the file
			default:
				return nil, bad("a hunk that ends early, at %q", clip(line))
			}
			if oldLeft < 0 || newLeft < 0 {
				return nil, bad("a hunk with more lines than its head says")
			}
			if total++; total > maxChangedLines {
				return nil, bad("more than %d lines", maxChangedLines)
			}
		case strings.HasPrefix(line, "diff --git "):
			flush()
			old, now = "", ""
		case strings.HasPrefix(line, "--- "):
			old = headerPath(line[4:], "a/")
		case strings.HasPrefix(line, "+++ "):
			now = headerPath(line[4:], "b/")
			if err := begin(); err != nil {
				return nil, bad("%v", err)
			}
		case strings.HasPrefix(line, "rename from "): // there may be no hunks
			old, now = line[len("rename from "):], line[len("rename from "):]
			if err := begin(); err != nil {
				return nil, bad("%v", err)
			}
		case strings.HasPrefix(line, "@@ "):
			m := hunkHead.FindStringSubmatch(line)
			if m == nil || c == nil {
				return nil, bad("%q is no head of a hunk of a file", clip(line))
			}
			at, oldLeft, newLeft = number(m[1]), 1, 1
			if m[2] != "" {
				oldLeft = number(m[2])
			}
			if m[4] != "" {
				newLeft = number(m[4])
			}
			switch {
			case oldLeft == 0: // the number is of the line before
				at++
			case at == 0:
				return nil, bad("a hunk that changes line 0; lines count from 1")
			}
		}
	}
	if oldLeft > 0 || newLeft > 0 {
		return nil, fmt.Errorf("patch: the last hunk of %s ends early", c.Path)
	}
	flush()
	return out, nil
}

// headerPath reads the path of a header; "" for /dev/null.
func headerPath(s, prefix string) string {
	s, _, _ = strings.Cut(s, "\t") // a time may follow
	s = strings.TrimRight(s, "\r ")
	if unquoted, err := strconv.Unquote(s); err == nil {
		s = unquoted
	}
	if s == "/dev/null" {
		return ""
	}
	return strings.TrimPrefix(s, prefix)
}

func number(s string) int {
	n, _ := strconv.Atoi(s) // the pattern has digits alone
	return n
}

func clip(s string) string { return s[:min(len(s), 60)] }
