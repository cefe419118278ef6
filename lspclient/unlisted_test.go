package lspclient

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/lspclient/serverspec"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestUnlisted(t *testing.T) {
	files := map[string]string{
		"ignored/c.fk": "use alpha and more\nuse alpha\n",
		"ignored/d.fk": "def gamma\nuse gamma\n",
		"foreign/e.fk": "use alpha\nuse delta\n",
		"f.fk":         "def delta\n",
	}
	for _, tt := range []struct {
		name, script string
		rule         serverspec.ReachRule
		target       Target
		want         []string
		reason, note string // parts of them, "" for none
	}{
		{"asked about", "omits ignored", serverspec.ReachRule{Unlisted: 10}, Named("alpha"),
			[]string{"a.fk:2", "foreign/e.fk:1", "ignored/c.fk:1", "ignored/c.fk:2", "sub/b.fk:2"}, "", ""},
		{"not asked about", "omits ignored", serverspec.ReachRule{}, Named("alpha"),
			[]string{"a.fk:2", "foreign/e.fk:1", "sub/b.fk:2"}, "", ""},
		{"another symbol", "omits ignored\nomits sub", serverspec.ReachRule{Unlisted: 10}, Named("beta"),
			[]string{"a.fk:2"}, "", ""},
		{"not read", "foreign foreign", serverspec.ReachRule{Unlisted: 10, Member: "textDocument/documentHighlight", Way: "ask the moon"}, Named("alpha"),
			[]string{"a.fk:2", "ignored/c.fk:1", "ignored/c.fk:2", "sub/b.fk:2"}, `fakels does not read 1 of the files that hold "alpha": foreign/e.fk (ask the moon)`, ""},
		{"none, and not read", "foreign foreign", serverspec.ReachRule{Unlisted: 10, Member: "textDocument/documentHighlight"}, Named("delta"),
			nil, `fakels does not read 1 of the files that hold "delta": foreign/e.fk`, ""},
		{"more than are looked at", "omits ignored\nforeign foreign", serverspec.ReachRule{Unlisted: 1, Suspect: "/ignored/", Member: "textDocument/documentHighlight"}, Named("alpha"),
			[]string{"a.fk:2", "ignored/c.fk:1", "ignored/c.fk:2", "sub/b.fk:2"}, "", `of the files that hold "alpha" 1 more were not looked at`},
		{"within a body", `omits ignored
documentSymbol says [{"name":"f","kind":12,"range":{"start":{"line":0,"character":0},"end":{"line":2,"character":0}},"selectionRange":{"start":{"line":0,"character":0},"end":{"line":0,"character":3}}}]`,
			serverspec.ReachRule{Unlisted: 10}, At("a.fk", 1, 5),
			[]string{"a.fk:2", "foreign/e.fk:1", "sub/b.fk:2"}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, root, _ := fakeClient(t, tt.script+"\ncapability documentHighlightProvider", nil, func(s *ServerSpec) { s.Reach = tt.rule })
			writeFiles(t, root, files)
			r, err := c.References(t.Context(), tt.target, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.want, lines(r.Locations), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("references (-want +got):\n%s", diff)
			}
			for _, l := range r.Locations {
				text, err := os.ReadFile(filepath.Join(root, l.Path))
				if err != nil {
					t.Fatal(err)
				}
				line, name := strings.Split(string(text), "\n")[l.Line-1], cmp.Or(tt.target.Name(), "alpha")
				if l.EndLine != l.Line || l.EndCol-1 > len(line) || line[l.Col-1:l.EndCol-1] != name {
					t.Errorf("%+v does not hold %s", l, name)
				}
			}
			if (r.State == Complete) != (tt.reason == "") || !strings.Contains(r.Reason, tt.reason) {
				t.Errorf("%s, %q, want %q", r.State, r.Reason, tt.reason)
			}
			if (r.Note == "") != (tt.note == "") || !strings.Contains(r.Note, tt.note) {
				t.Errorf("note %q, want %q", r.Note, tt.note)
			}
			if r.None() {
				t.Error("said to be none")
			}
		})
	}
}

// TestCounted: a server that says how many files it reads is shown those that hold the name, unless it reads all.
func TestCounted(t *testing.T) {
	for _, tt := range []struct {
		name, count string
		most        int
		want        []string
		reason      string
		shown       bool
	}{
		{"all", "3", 5, []string{"a.fk:2", "sub/b.fk:2"}, "", false},
		{"some", "2", 5, []string{"a.fk:2", "sub/b.fk:2", "tests/t.fk:1"}, "", true},
		{"too many", "2", 2, []string{"a.fk:2", "sub/b.fk:2"}, `1 more files hold "alpha" than the 2 that the server can be shown, which reads only 2 of 3 by itself`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, root, dir := fakeClient(t, "closed tests\ninitialized tells window/logMessage {\"type\":3,\"message\":\"Found "+tt.count+" files\"}", nil, func(s *ServerSpec) {
				s.Mentions, s.Ready.Log = serverspec.MentionRule{Most: tt.most, Counted: true}, "^Found ([0-9]+) files"
			})
			writeFiles(t, root, map[string]string{"tests/t.fk": "use alpha\n"})
			r, err := c.References(t.Context(), Named("alpha"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(tt.want, lines(r.Locations)); diff != "" {
				t.Errorf("references (-want +got):\n%s", diff)
			}
			if (r.State == Complete) != (tt.reason == "") || !strings.Contains(r.Reason, tt.reason) {
				t.Errorf("%s, %q, want %q", r.State, r.Reason, tt.reason)
			}
			opened := 0
			for _, method := range fakeLog(t, dir) {
				if method == "textDocument/didOpen" {
					opened++
				}
			}
			if (opened > 1) != tt.shown {
				t.Errorf("%d files were shown", opened)
			}
		})
	}
}

// TestUnlistedCallers: a question whose answer lies in the files that are left out says so.
func TestUnlistedCallers(t *testing.T) {
	item := `{"name":"alpha","kind":12,"uri":"ROOT/a.fk","range":{"start":{"line":0,"character":4},"end":{"line":0,"character":9}},"selectionRange":{"start":{"line":0,"character":4},"end":{"line":0,"character":9}}}`
	c, root, _ := fakeClient(t, "omits ignored\ncapability callHierarchyProvider\nprepareCallHierarchy says ["+item+"]\nincomingCalls says []", nil,
		func(s *ServerSpec) { s.Reach.Unlisted = 10 })
	writeFiles(t, root, map[string]string{"ignored/c.fk": "use alpha\n"})
	r, err := c.IncomingCalls(t.Context(), Named("alpha"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "leaves out files with references that it knows when asked about them (1): ignored/c.fk"; r.State != Degraded || !strings.Contains(r.Reason, want) {
		t.Errorf("%s, %q, want %q", r.State, r.Reason, want)
	}
	if out, err := c.OutgoingCalls(t.Context(), Named("alpha"), nil); err != nil || out.State != Complete {
		t.Errorf("outgoing: %+v, %v", out, err)
	}
}

// TestRealLeftOut: what a server leaves out of its answers, for whatever reason, is there or the answer says so.
func TestRealLeftOut(t *testing.T) {
	python := map[string]string{
		"pyproject.toml":  "[project]\nname = \"radio\"\nversion = \"1\"\n\n[tool.pyright]\ninclude = [\"radio\"]\n\n[tool.ty.src]\nexclude = [\"vendored/**\"]\n",
		".gitignore":      "made/\n",
		"radio/peak.py":   "def peak(x: int) -> int:\n    inner = x\n    return inner\n",
		"radio/use.py":    "from radio.peak import peak\n\npeak(1)\n",
		"made/use.py":     "from radio.peak import peak\n\npeak(2)\ninner = 3\n",
		"vendored/use.py": "from radio.peak import peak\n\n# peak\npeak(3)\n",
		"tests/own.py":    "def peak():\n    pass\n\n\npeak()\n",
	}
	all := []string{"made/use.py:1", "made/use.py:3", "radio/use.py:1", "radio/use.py:3", "vendored/use.py:1", "vendored/use.py:4"}
	for _, tt := range []struct {
		entry, program string
		probe          []string
		files          map[string]string
		name           string
		want           []string
		reason         string
		slow           bool
	}{
		{entry: "pyright", program: "pyright", probe: []string{"--version"}, files: python, name: "radio/peak.py:peak", want: all},
		{entry: "basedpyright", program: "basedpyright", probe: []string{"--version"}, files: python, name: "radio/peak.py:peak", want: all},
		{entry: "ty", program: "ty", probe: []string{"--version"}, files: python, name: "radio/peak.py:peak", want: all},
		{entry: "pylsp", program: "pylsp", probe: []string{"--version"}, files: python, name: "radio/peak.py:peak", want: all},
		{entry: "gopls", program: "gopls", probe: []string{"version"}, name: "Peak", files: map[string]string{
			"go.mod":                 "module example.com/radio\n\ngo 1.22\n",
			"radio/peak.go":          "package radio\n\nfunc Peak(x int) int { return x }\n\nvar here = Peak(1)\n",
			"radio/peak_plan9.go":    "package radio\n\nvar there = Peak(2)\n",
			"radio/slow_test.go":     "//go:build slow\n\npackage radio\n\nvar slow = Peak(3)\n",
			"radio/plan_test.go":     "//go:build slow\n\npackage radio\n\n// Peak is only named here.\nvar _ = \"Peak\"\n",
			"radio/testdata/used.go": "package used\n\nimport \"example.com/radio/radio\"\n\nvar used = radio.Peak(4)\n",
			"tools/gen.go":           "//go:build ignore\n\npackage main\n\nimport \"example.com/radio/radio\"\n\nfunc main() { radio.Peak(5) }\n",
		}, want: []string{"radio/peak.go:5", "radio/testdata/used.go:5", "tools/gen.go:7"},
			reason: `gopls does not read 2 of the files that hold "Peak": radio/peak_plan9.go, radio/slow_test.go (`},
		{entry: "rust-analyzer", program: "rust-analyzer", probe: []string{"--version"}, name: "peak", slow: true, files: map[string]string{
			"Cargo.toml":  "[package]\nname = \"radio\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
			"Cargo.lock":  "version = 3\n\n[[package]]\nname = \"radio\"\nversion = \"0.1.0\"\n",
			"src/lib.rs":  "mod used;\n\npub fn peak(x: i32) -> i32 {\n    x\n}\n",
			"src/used.rs": "pub fn used() {\n    crate::peak(1);\n}\n",
			"src/lost.rs": "pub fn lost() {\n    crate::peak(2);\n}\n",
		}, want: []string{"src/used.rs:2"}, reason: `rust-analyzer does not read 1 of the files that hold "peak": src/lost.rs (`},
		{entry: "clangd", program: "clangd", probe: []string{"--version"}, name: "peak", files: map[string]string{
			"compile_commands.json": `[{"directory": "ROOT", "file": "peak.c", "arguments": ["cc", "-c", "peak.c"]}, {"directory": "ROOT", "file": "use.c", "arguments": ["cc", "-c", "use.c"]}]`,
			"peak.h":                "#ifndef PEAK_H\n#define PEAK_H\nint peak(int x);\n#ifdef __cplusplus\nint other(void);\n#endif\n#endif\n",
			"peak.c":                "#include \"peak.h\"\nint peak(int x) { return x; }\n#if 1\nint here(void) { return peak(1); }\n#endif\n",
			"use.c":                 "#include \"peak.h\"\n#ifdef _WIN32\nint there(void) { return peak(2); }\n#endif\n",
		}, want: []string{"peak.c:4"}, reason: `clangd leaves out places of "peak" in code that the preprocessor switches off (1): use.c:3`},
	} {
		t.Run(tt.entry, func(t *testing.T) {
			realServer{program: tt.program, probe: tt.probe, slow: tt.slow}.start(t)
			root := filepath.Join(t.TempDir(), "a+b (c)") // servers differ in how they write such a name
			t.Setenv("XDG_CACHE_HOME", t.TempDir())       // where clangd's index is kept
			for path, text := range tt.files {
				writeFiles(t, root, map[string]string{path: strings.ReplaceAll(text, "ROOT", root)})
			}
			c, err := Open(t.Context(), root, &Options{Timeout: 2 * time.Minute, Prefer: []string{tt.entry}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			})
			for range 2 { // what it was asked about once it may list then
				r, err := c.References(t.Context(), Named(tt.name), nil)
				if err != nil {
					t.Fatal(err)
				}
				if diff := gocmp.Diff(tt.want, lines(r.Locations)); diff != "" {
					t.Errorf("references (-want +got):\n%s", diff)
				}
				if tt.reason == "" && r.State == Complete {
					continue
				}
				if r.State != Degraded || tt.reason == "" || !strings.HasPrefix(r.Reason, tt.reason) {
					t.Errorf("%s, %q, want %q", r.State, r.Reason, tt.reason)
				}
			}
		})
	}
}
