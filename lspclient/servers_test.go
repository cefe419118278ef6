package lspclient

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/registry"
)

func TestParseServers(t *testing.T) {
	if _, err := registry.Shipped(); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"- nme: x":  "nme",
		"- name: x": "no languages",
		"- {name: x, languages: {x: [.x]}, commands: [{program: ./x}]}":                         "bare name",
		"- {name: x, languages: {x: [.x]}, commands: [{program: x, probe: [../y]}]}":            "bare name",
		"- {name: x, languages: {x: [X]}, commands: [{program: x}]}":                            "begin with a dot",
		"- {name: x, languages: {x: [.x]}, commands: [{program: x}], ready: {log: '('}}":        "missing closing",
		"- {name: x, languages: {x: [.x]}, commands: [{program: x}], roots: [../x], env: [PW]}": "NAME=value",
		"- {name: x, languages: {x: [.x]}, commands: [{program: x}], encodings: [utf-7]}":       "utf-7",
		"- {name: x, languages: {x: [.x]}, commands: [{program: x, match: '('}]}":               "missing closing",
		"{":                        "servers file",
		strings.Repeat(" ", 2<<20): "too large",
		"- {name: a}\n- {name: b}": `server "b"`,
	} {
		_, err := ParseServers([]byte(in))
		if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTooLarge) {
			t.Errorf("ParseServers(%q): %v, want %q", excerpt.Clip(in, 80), err, want)
		}
	}
}

func FuzzParseServers(f *testing.F) {
	for _, name := range []string{"servers/go.yaml", "servers/python.yaml"} {
		data, err := os.ReadFile("internal/registry/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("- {name: x, languages: {x: [.x]}, commands: [{program: x}]}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		specs, err := ParseServers(data)
		if err != nil {
			return
		}
		for _, s := range specs {
			ready.New(&registry.Spec{Spec: s}) // compiles its expressions
		}
	})
}

// TestPrograms: what is missing, a shim, or inside the repository is not run, and the error names the way out.
func TestPrograms(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	root, bin := t.TempDir(), t.TempDir()
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		t.Fatal(err)
	}
	writeFiles(t, root, map[string]string{"x.go": "package x\n", "bin/gopls": "#!/bin/sh\nexit 0\n"})
	shim := "#!/bin/sh\necho 'no gopls in this toolchain' >&2\nexit 1\n"
	writeFiles(t, bin, map[string]string{"shim/gopls": shim})
	for _, f := range []string{filepath.Join(root, "bin/gopls"), filepath.Join(bin, "shim/gopls")} {
		if err := os.Chmod(f, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(bin, "link"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "bin/gopls"), filepath.Join(bin, "link/gopls")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	for path, why := range map[string]string{
		"":                                    "not on PATH",
		"bin":                                 "not on PATH", // relative
		filepath.Join(root, "bin"):            "inside the repository",
		filepath.Join(bin, "link"):            "inside the repository",
		filepath.Join(bin, "shim") + ":/bin":  "no gopls in this toolchain",
		filepath.Join(bin, "nothing") + ":/x": "not on PATH",
	} {
		t.Setenv("PATH", path)
		c, err := Open(t.Context(), root, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range []Target{At("x.go", 1, 9), Named("x")} {
			_, err = c.Definition(t.Context(), target, nil)
			var missing *NotInstalledError
			if !errors.As(err, &missing) || missing.Install != "go install golang.org/x/tools/gopls@v0.23.0" || !strings.Contains(err.Error(), why) {
				t.Errorf("PATH=%s: Definition(%v): %v, want not installed: %s", path, target, err, why)
			}
		}
		i := slices.IndexFunc(c.Servers(t.Context()), func(s ServerStatus) bool { return s.Name == "gopls" && !s.Installed && s.Problem != "" })
		if i < 0 {
			t.Errorf("PATH=%s: Servers() = %+v", path, c.Servers(t.Context()))
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	c, err := Open(t.Context(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	writeFiles(t, root, map[string]string{"x.txt": "x"})
	if _, err := c.Symbols(t.Context(), "x.txt"); !errors.Is(err, ErrUnsupported) {
		t.Errorf("Symbols of a text file: %v, want ErrUnsupported", err)
	}
}

// TestLocate: what no server's symbol search knows is found with the caller's help.
func TestLocate(t *testing.T) {
	locate := func(_ context.Context, name string) ([]Location, error) {
		switch name {
		case "one":
			return []Location{{Path: "a.fk", Line: 2}}, nil // no column: the first "one" of the line
		case "two":
			return []Location{{Path: "a.fk", Line: 3}, {Path: "a.fk", Line: 4}}, nil
		}
		return nil, ErrNotFound
	}
	c, root, _ := fakeClient(t, "", &Options{Locate: locate})
	writeFiles(t, root, map[string]string{"a.fk": "def alpha\nuse (one) one\ntwo\ntwo\n"})
	r, err := c.References(t.Context(), Named("one"), nil)
	if err != nil || r.Target != loc("a.fk", 2, 6, 9) || r.Total != 2 {
		t.Errorf("References(one) = %+v, %v", r, err)
	}
	var several *AmbiguousError
	if _, err := c.References(t.Context(), Named("two"), nil); !errors.As(err, &several) || len(several.Candidates) != 2 {
		t.Errorf("References(two): %v, want two candidates", err)
	}
	if _, err := c.References(t.Context(), Named("three"), nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("References(three): %v, want not found", err)
	}
}

// TestBrokenImport: what the go command cannot fetch makes answers degraded, the first one too.
func TestBrokenImport(t *testing.T) {
	need.Tool(t, "gopls", "version")
	c, root := realClient(t, "gopls", "gorepo")
	writeFiles(t, root, map[string]string{"gone/gone.go": "package gone\n\nimport _ \"example.com/gone\"\n"})
	r, err := c.References(t.Context(), Named("peak"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.State != Degraded || !strings.Contains(r.Reason, "gone.go") || r.Total != 2 {
		t.Errorf("References(peak) = %+v, want degraded because of gone.go", r)
	}
}

func TestPrefer(t *testing.T) {
	r, err := registry.New(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Prefer([]string{"basedpyright"}); err != nil || r.Specs[0].Name != "basedpyright" {
		t.Errorf("prefer(basedpyright): %v, %v first", err, r.Names())
	}
	if err := r.Prefer([]string{"pyrite"}); err == nil || !strings.Contains(err.Error(), "there are: ") {
		t.Errorf("prefer(pyrite): %v", err)
	}
}
