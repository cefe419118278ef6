package lspclient

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/need"
	"github.com/google/go-cmp/cmp"
)

// TestRealAliases: whoever calls a function under the name that an import gave it is one of its callers, whatever the
// server makes of that, and another function of that name is not.
func TestRealAliases(t *testing.T) {
	python := map[string]string{
		"pyproject.toml": "", "radio/__init__.py": "",
		"radio/sync.py":   "def detect(x):\n    return x\n\n\ndef find(x):\n    return -x\n",
		"radio/cell.py":   "from radio.sync import (\n    detect as find,\n)\n\n\ndef run():\n    # find(1)\n    return find(3)\n",
		"radio/again.py":  "from radio import sync\nfrom radio.cell import find\n\n\ndef again():\n    return sync.detect(4) + find(5)\n",
		"radio/others.py": "from radio.sync import find\n\n\ndef other():\n    return find(6)\n",
	}
	rust := map[string]string{
		"Cargo.toml":    "[package]\nname = \"radio\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"src/lib.rs":    "pub mod sync;\npub mod cell;\npub mod again;\npub mod others;\n",
		"src/sync.rs":   "pub fn detect(x: u32) -> u32 { x }\npub fn find(x: u32) -> u32 { x + 1 }\n",
		"src/cell.rs":   "pub use crate::sync::{\n    detect as find,\n};\npub fn run() -> u32 {\n    // find(1)\n    find(3)\n}\n",
		"src/again.rs":  "use crate::cell::find;\npub fn again() -> u32 { crate::sync::detect(4) + find(5) }\n",
		"src/others.rs": "use crate::sync::find;\npub fn other() -> u32 { find(6) }\n",
	}
	for _, tt := range []struct {
		entry, program string
		probe          []string
		files          map[string]string
		alias          string
		want           []string
		slow           bool
	}{
		{"pyright", "pyright-langserver", nil, python, "radio/cell.py:2:15", []string{"radio/again.py again 6:17 6:29", "radio/cell.py run 8:12"}, false},
		{"basedpyright", "basedpyright-langserver", nil, python, "radio/cell.py:2:15", []string{"radio/again.py again 6:17 6:29", "radio/cell.py run 8:12"}, false},
		{"ty", "ty", []string{"version"}, python, "radio/cell.py:2:15", []string{"radio/again.py again 6:17 6:29", "radio/cell.py run 8:12"}, false},
		{"pylsp", "pylsp", []string{"--version"}, python, "radio/cell.py:2:15", []string{"radio/again.py again 6:17 6:29", "radio/cell.py run 8:12"}, false},
		{"rust-analyzer", "rust-analyzer", []string{"--version"}, rust, "src/cell.rs:2:15", []string{"src/again.rs again 2:38 2:50", "src/cell.rs run 6:5"}, true},
	} {
		t.Run(tt.entry, func(t *testing.T) {
			t.Parallel()
			need.Tool(t, tt.program, tt.probe...)
			if tt.slow && testing.Short() {
				t.Skip("a start takes long")
			}
			root := t.TempDir()
			writeFiles(t, root, tt.files)
			c := entryClient(t, tt.entry, root)
			r, err := c.IncomingCalls(t.Context(), Named("detect"), nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, call := range r.Calls {
				one := call.Location.Path + " " + call.Name
				for _, s := range call.Sites {
					one += fmt.Sprintf(" %d:%d", s.Line, s.Col)
				}
				got = append(got, one)
			}
			slices.Sort(got)
			if diff := cmp.Diff(tt.want, got); diff != "" || r.State != Complete {
				t.Errorf("callers: %s %s (-want +got)\n%s", r.State, r.Reason, diff)
			}
			refs, err := c.References(t.Context(), Named("detect"), &ReferenceOptions{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, at := range refs.Aliases {
				names = append(names, fmt.Sprintf("%s:%d:%d", at.Path, at.Line, at.Col))
			}
			if diff := cmp.Diff([]string{tt.alias}, names); diff != "" || !strings.Contains(refs.Note, "find at "+tt.alias) {
				t.Errorf("other names: %q (-want +got)\n%s", refs.Note, diff)
			}
		})
	}
}
