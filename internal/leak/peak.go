package leak

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// PeakMemory is the most memory that a process had, in bytes; 0 where the system does not tell.
func PeakMemory(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var kb int64
			if _, err := fmt.Sscan(rest, &kb); err == nil {
				return kb << 10
			}
		}
	}
	return 0
}

// MappedMemory is how many bytes of files that this process has mapped are in its memory, of those with in in their path; 0 where the system does not tell.
func MappedMemory(in string) (bytes int64) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		return 0
	}
	defer f.Close()
	inside, kb := false, int64(0)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		if name, _, _ := strings.Cut(line, " "); !strings.HasSuffix(name, ":") {
			inside = strings.Contains(line, in)
		} else if _, err := fmt.Sscanf(line, "Rss: %d kB", &kb); err == nil && inside {
			bytes += kb << 10
		}
	}
	return bytes
}
