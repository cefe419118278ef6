package changes

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// open returns a queue that watches every folder below a new root.
func open(t *testing.T, folders ...string) (*Queue, string) {
	t.Helper()
	root := t.TempDir()
	for _, f := range folders {
		if err := os.MkdirAll(filepath.Join(root, f), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	q, err := Open(root)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { q.Close() })
	pass(t, q, root)
	return q, root
}

func pass(t *testing.T, q *Queue, root string) {
	t.Helper()
	p := q.Pass()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return p.Watch(path)
		}
		return err
	})
	if err != nil || !p.Done() {
		t.Fatalf("pass: %v", err)
	}
}

// read lists the changes: "+" came, "-" went, "/" behind a folder; "*" is everything.
func read(t *testing.T, q *Queue, root string) []string {
	t.Helper()
	list := []string{}
	err := q.Read(func(e Event) {
		if e.Everything() {
			list = append(list, "*")
		}
		for _, p := range e.Paths {
			rel, _ := filepath.Rel(root, p)
			mark := "~"
			if e.Came {
				mark = "+"
			} else if e.Went {
				mark = "-"
			}
			if e.Folder {
				rel += "/"
			}
			list = append(list, mark+rel)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestQueue(t *testing.T) {
	q, root := open(t, "a/b", "c")
	at := func(p string) string { return filepath.Join(root, p) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"nothing", func() {}, []string{}},
		{"a new file", func() { must(os.WriteFile(at("a/b/x"), []byte("1"), 0o644)) }, []string{"+a/b/x", "~a/b/x"}},
		{"an edit", func() { must(os.WriteFile(at("a/b/x"), []byte("2"), 0o644)) }, []string{"~a/b/x"}},
		{"a rename", func() { must(os.Rename(at("a/b/x"), at("c/y"))) }, []string{"+c/y", "-a/b/x"}},
		{"a removal", func() { must(os.Remove(at("c/y"))) }, []string{"-c/y"}},
		{"a new folder", func() { must(os.Mkdir(at("c/d"), 0o755)) }, []string{"+c/d/"}},
		{"a folder moved", func() { must(os.Rename(at("a/b"), at("c/b"))) }, []string{"*", "+c/b/", "-a/b/"}},
		{"a folder removed", func() { must(os.Remove(at("a"))) }, []string{"*", "-a/"}},
	} {
		step.do()
		if diff := cmp.Diff(step.want, read(t, q, root)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
	// After another pass the moved folder is known by its new path, and by that alone.
	pass(t, q, root)
	must(os.WriteFile(at("c/b/z"), []byte("1"), 0o644))
	if diff := cmp.Diff([]string{"+c/b/z", "~c/b/z"}, read(t, q, root)); diff != "" {
		t.Errorf("after a second pass (-want +got):\n%s", diff)
	}
}

// TestOverflow: when more happens than the queue holds, anything may have changed.
func TestOverflow(t *testing.T) {
	q, root := open(t)
	data, err := os.ReadFile("/proc/sys/fs/inotify/max_queued_events")
	if err != nil || len(strings.TrimSpace(string(data))) > 5 {
		t.Skip("the queue of this system is too long to fill")
	}
	one, two := filepath.Join(root, "1"), filepath.Join(root, "2")
	if err := os.WriteFile(one, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for range 50_000 {
		if err := os.Rename(one, two); err != nil {
			t.Fatal(err)
		}
		one, two = two, one
	}
	if got := read(t, q, root); !slices.Contains(got, "*") {
		t.Errorf("%d kinds of events, none of which says that anything may have changed", len(got))
	}
}

// TestTwoWays: a folder that is watched under two paths tells of both.
func TestTwoWays(t *testing.T) {
	q, root := open(t, "a")
	if err := os.Symlink("a", filepath.Join(root, "l")); err != nil {
		t.Fatal(err)
	}
	p := q.Pass()
	for _, dir := range []string{"", "a", "l"} {
		if err := p.Watch(filepath.Join(root, dir)); err != nil {
			t.Fatal(err)
		}
	}
	if old := q.Pass(); !p.Done() || old.Done() {
		t.Fatal("a pass that another has overtaken is done")
	}
	read(t, q, root)
	if err := os.Mkdir(filepath.Join(root, "a/x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"+a/x/", "+l/x/"}, read(t, q, root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClosed(t *testing.T) {
	q, root := open(t)
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	if err := q.Read(func(Event) {}); err == nil {
		t.Error("Read of a closed queue: want an error")
	}
	if err := q.Pass().Watch(root); err == nil {
		t.Error("Watch of a closed queue: want an error")
	}
	if _, err := Open("/proc"); err == nil {
		t.Error("Open on a file system that tells nothing: want an error")
	}
}
