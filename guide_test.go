package findspot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
)

// TestGuideKeepsTheRest writes the guide into files three times, the last time with other rules, and looks at every byte
// outside of the block.
func TestGuideKeepsTheRest(t *testing.T) {
	plain := open(t, t.TempDir(), &findspot.Options{})
	ruled := open(t, t.TempDir(), &findspot.Options{Rules: "No goto."})
	for _, old := range []string{"", "# Mine\n", "no end", "blank lines\n\n\n\n", "\xef\xbb\xbfdos\r\nlines\r\n", "bytes \x00\xff\n"} {
		path := filepath.Join(t.TempDir(), "AGENTS.md")
		if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		if changed, err := plain.WriteGuide(path); err != nil || !changed {
			t.Fatalf("WriteGuide(%q) = %v, %v", old, changed, err)
		}
		if changed, err := plain.WriteGuide(path); err != nil || changed {
			t.Errorf("WriteGuide(%q) again = %v, %v, want no change", old, changed, err)
		}
		tail := "\r\n\r\nafter \n\n"
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(strings.TrimSuffix(string(data), "\n")+tail), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(filepath.Dir(path), "link.md")
		if err := os.Symlink("AGENTS.md", link); err != nil {
			t.Skip("no symbolic links here:", err)
		}
		if changed, err := ruled.WriteGuide(link); err != nil || !changed {
			t.Fatalf("WriteGuide(%q) with rules = %v, %v", old, changed, err)
		}
		data, err = os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(data); !strings.HasPrefix(got, old) || !strings.HasSuffix(got, "-->"+tail) || !strings.Contains(got, "No goto.") {
			t.Errorf("WriteGuide(%q) did not keep the rest: %q ... %q", old, got[:40], got[len(got)-40:])
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is gone: %v, %v", info, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("permissions %v, %v, want 0600", info.Mode(), err)
		}
	}
}
