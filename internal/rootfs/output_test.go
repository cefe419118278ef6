package rootfs_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
)

func TestCreate(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(base, "outside")
	repo := filepath.Join(base, "repo")
	err = errors.Join(os.MkdirAll(filepath.Join(repo, "sub"), 0o755), os.Mkdir(outside, 0o755), os.WriteFile(filepath.Join(outside, "victim"), []byte("old"), 0o644),
		os.WriteFile(filepath.Join(repo, "inside"), nil, 0o644),
		os.Symlink("../outside/victim", filepath.Join(repo, "file")), os.Symlink(filepath.Join(outside, "new"), filepath.Join(repo, "dangling")), os.Symlink("../outside", filepath.Join(repo, "folder")),
		os.Symlink("inside", filepath.Join(repo, "near")), os.Symlink(repo, filepath.Join(base, "alias")))
	if err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	t.Chdir(repo)
	for _, name := range []string{"file", "dangling", "folder/victim", "folder/new", "sub/../file", filepath.Join(repo, "file"), "./file", filepath.Join(base, "alias", "file")} {
		f, err := rootfs.Create(name)
		if err == nil {
			f.Close()
		}
		if !errors.Is(err, errs.Refused) {
			t.Errorf("Create(%q) = %v, want that it is refused", name, err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(outside, "victim")); err != nil || string(data) != "old" {
		t.Errorf("the file outside holds %q, %v", data, err)
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) != 1 {
		t.Errorf("outside lie %v, %v", list, err)
	}
	for name, want := range map[string]string{
		"new": "new", "sub/new": "sub/new", "near": "inside", "inside": "inside", "../outside/there": "../outside/there", filepath.Join(outside, "whole"): "../outside/whole",
		filepath.Join(base, "alias", "from"): "from",
	} {
		f, err := rootfs.Create(name)
		if err != nil {
			t.Errorf("Create(%q): %v", name, err)
			continue
		}
		if _, err := f.WriteString("written"); err != nil {
			t.Error(err)
		}
		f.Close()
		if data, err := os.ReadFile(want); err != nil || string(data) != "written" {
			t.Errorf("Create(%q): %s holds %q, %v", name, want, data, err)
		}
	}
	if _, err := rootfs.Create("nowhere/file"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
}
