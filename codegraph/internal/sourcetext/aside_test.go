package sourcetext

import "testing"

func TestIsAsidePath(t *testing.T) {
	for p, want := range map[string]bool{"types/rx.d.ts": true, "index.d.cts": true, "rx/rx.ts": false, "dist/rx.js": true, "a/examples/rx.go": true, "tests_data/a.js": true, "gulpfile.js": true, "vite.config.ts": true, "rx/config.ts": false, "docs/conf.py": true, "latest/a.go": false} {
		if got := IsAsidePath(p); got != want {
			t.Errorf("IsAsidePath(%q) = %v", p, got)
		}
	}
}
