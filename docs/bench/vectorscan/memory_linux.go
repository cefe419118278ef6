package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// resident returns how many bytes of the files below dir that the process has mapped are in its memory.
func resident(dir string) (int64, error) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var total, kb int64
	inside := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if name, _, _ := strings.Cut(line, " "); !strings.HasSuffix(name, ":") {
			inside = strings.Contains(line, dir)
		} else if _, err := fmt.Sscanf(line, "Rss: %d kB", &kb); err == nil && inside {
			total += kb << 10
		}
	}
	return total, nil
}
