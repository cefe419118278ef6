package session

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/google/go-cmp/cmp"
)

// TestProgramsInSettings: a program in the settings is an absolute path outside the root, found or not.
func TestProgramsInSettings(t *testing.T) {
	bin, root := t.TempDir(), t.TempDir()
	for _, p := range []string{filepath.Join(bin, "interp"), filepath.Join(root, "interp"), filepath.Join(root, "gone")} {
		if err := os.WriteFile(p, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", root+string(os.PathListSeparator)+bin)
	p, err := NewPool(root, Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := Settings{Install: &registry.Install{Path: filepath.Join(bin, "server")}, lookPath: p.Registry.LookPath}
	in := map[string]any{"a": []any{"$PATH:interp", 1, "$PATH"}, "b": map[string]any{"c": "$PATH:gone", "d": "$PATH:../gone"}}
	got := fmt.Sprint(s.withPrograms(in))
	want := fmt.Sprintf("map[a:[%s 1 $PATH] b:map[c:%s d:%[2]s]]", filepath.Join(bin, "interp"), filepath.Join(bin, "gone"))
	if runtime.GOOS != "windows" && got != want {
		t.Errorf("withPrograms = %s, want %s", got, want)
	}
	if fmt.Sprint(in["b"]) != "map[c:$PATH:gone d:$PATH:../gone]" {
		t.Errorf("the entry was changed: %v", in)
	}
}

func TestMerged(t *testing.T) {
	base := map[string]any{"a": map[string]any{"x": 1, "y": 2}, "b": 1}
	got := registry.Merged(base, map[string]any{"a": map[string]any{"y": 3}, "c": 4})
	want := map[string]any{"a": map[string]any{"x": 1, "y": 3}, "b": 1, "c": 4}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("merged (-want +got):\n%s", diff)
	}
	if base["a"].(map[string]any)["y"] != 2 {
		t.Error("merged changed its base")
	}
}
