package lspclient

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/lspclient/internal/process"
)

// TestRustPlanted: no program inside the repository is run, whatever its configuration says. The same programs are run
// by cargo itself, so that the test would see them.
func TestRustPlanted(t *testing.T) {
	rs := realServer{entry: "rust-analyzer", program: "rust-analyzer", probe: []string{"--version"}, slow: true}
	rs.start(t)
	for _, tt := range []struct{ name, file, text string }{
		{"rustc", ".cargo/config.toml", "[build]\nrustc = %q\n"},
		{"wrapper", ".cargo/config.toml", "[build]\nrustc-wrapper = %q\n"},
		{"workspace wrapper", ".cargo/config.toml", "[build]\nrustc-workspace-wrapper = %q\n"},
		{"toolchain", "rust-toolchain.toml", "[toolchain]\npath = %q\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, root := realClient(t, rs.entry, "rsrepo")
			trace := filepath.Join(t.TempDir(), "ran")
			files := map[string]string{}
			for _, prog := range []string{"cargo", "rustc", "rustdoc", "evil"} {
				files["evil/bin/"+prog] = fmt.Sprintf("#!/bin/sh\necho %s \"$@\" >> %s\nexit 1\n", prog, trace)
			}
			named := filepath.Join(root, "evil", "bin", "evil")
			if tt.name == "toolchain" {
				named = filepath.Join(root, "evil")
			}
			files[tt.file] = fmt.Sprintf(tt.text, named)
			writeFiles(t, root, files)
			for name := range files {
				if strings.HasPrefix(name, "evil/") {
					if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil {
						t.Fatal(err)
					}
				}
			}
			r, err := c.References(t.Context(), Named("peak"), nil)
			if err != nil || r.Total == 0 {
				t.Errorf("References(peak) = %+v, %v", r, err)
			}
			if ran, err := os.ReadFile(trace); err == nil {
				t.Errorf("programs of the repository were run:\n%s", ran)
			}
			// The trap works: without our environment the repository's program is run.
			_, _ = process.Run(t.Context(), "cargo", []string{"rustc", "-p", "radio", "--offline", "--", "--print", "cfg"}, os.Environ(), root, 20*time.Second, 4<<10)
			if _, err := os.Stat(trace); err != nil {
				t.Errorf("the planted program is not run by cargo either, so that the test shows nothing: %v", err)
			}
		})
	}
}
