package walk

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func testKind(name string) Kind {
	switch {
	case name == "go.mod":
		return 2 | Forced
	case strings.HasSuffix(name, ".py"), name == "Makefile":
		return 1
	}
	return 0
}

// scanAt gives what Scan finds, with the size of each file, and what it leaves out.
func scanAt(t *testing.T, root string, prev *Tree, began time.Time) (found map[string]int64, skips []string, tree *Tree) {
	t.Helper()
	list, tree, err := Scan(t.Context(), root, prev, ScanOptions{Ignore: []string{"never.py"}, Recipe: 7, Kind: testKind, Began: began,
		Skip: func(p, reason string, _ bool) { skips = append(skips, p+": "+reason) }})
	if err != nil {
		t.Fatal(err)
	}
	found = map[string]int64{}
	for _, f := range list {
		found[f.Path] = f.Stamp.Size
	}
	if len(found) != len(list) {
		t.Fatalf("%d files are found twice", len(list)-len(found))
	}
	slices.Sort(skips)
	return found, skips, tree
}

// filesAt gives the same by Files.
func filesAt(t *testing.T, root string) (found map[string]int64, skips []string) {
	t.Helper()
	found = map[string]int64{}
	err := Files(t.Context(), os.DirFS(root), Options{Ignore: []string{"never.py"}, Skip: func(p, reason string, _ bool) { skips = append(skips, p+": "+reason) },
		Keep: func(_ string, d fs.DirEntry) bool { return testKind(d.Name()) != 0 }, Force: func(d fs.DirEntry) bool { return testKind(d.Name())&Forced != 0 }},
		func(p string, d fs.DirEntry) error {
			info, err := d.Info()
			if err == nil {
				found[p] = info.Size()
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(skips)
	return found, skips
}

// Looks that start from those before find what a walk finds, whatever happened in between.
func TestLooksFindWhatChanged(t *testing.T) {
	root := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	var tree *Tree
	listed := 0
	for round := range 100 {
		for range r.IntN(3) {
			dir := filepath.Join(root, one(".", "a", "a/b", "a/b/c", "d", "d/e"))
			name := filepath.Join(dir, one("x.py", "y.py", "never.py", "Makefile", "go.mod", "z.bin", "node_modules", "a", "pyvenv.cfg", ".gitignore"))
			var err error
			switch r.IntN(6) {
			case 0:
				err = os.RemoveAll(name)
			case 1:
				err = os.Rename(name, filepath.Join(dir, one("x.py", "n.py", "moved")))
			case 2:
				err = os.Symlink("x.py", name)
			case 3:
				err = os.MkdirAll(dir, 0o777)
			case 4:
				err = os.RemoveAll(filepath.Join(dir, "pyvenv.cfg"))
			default:
				if os.MkdirAll(dir, 0o777) == nil {
					text := one("x.py\n", "b/\n", "go.mod\n!x.py\n", "/Makefile\n*.py\n", "")
					err = os.WriteFile(name, []byte(text), 0o666)
				}
			}
			_ = err // what could not be done changes nothing
		}
		time.Sleep(12 * time.Millisecond) // longer than the clocks of file systems stand still
		began := time.Now().Add(time.Minute)
		want, left := filesAt(t, root)
		got, skips, next := scanAt(t, root, tree, began)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round %d: files (-walk +look):\n%s", round, diff)
		}
		if diff := cmp.Diff(left, skips); diff != "" {
			t.Fatalf("round %d: skipped (-walk +look):\n%s", round, diff)
		}
		fresh, _, whole := scanAt(t, root, nil, began)
		if diff := cmp.Diff(fresh, got); diff != "" {
			t.Fatalf("round %d: files (-first look +next):\n%s", round, diff)
		}
		if diff := cmp.Diff(whole.Root, next.Root); diff != "" {
			t.Fatalf("round %d: folders (-first look +next):\n%s", round, diff)
		}
		listed += whole.Listed - next.Listed
		again, _, same := scanAt(t, root, next, began)
		if diff := cmp.Diff(got, again); diff != "" {
			t.Fatalf("round %d: files (-look +the same once more):\n%s", round, diff)
		}
		if _, ok := reliable(root); ok && same.Listed > doubtful(next.Root) {
			t.Fatalf("round %d: nothing changed, and %d folders were listed", round, same.Listed)
		}
		tree = next
	}
	if _, ok := reliable(root); ok && listed == 0 {
		t.Error("every folder was listed at every look")
	}
}

// doubtful counts the folders whose stamps say nothing, such as those whose .gitignore is a link.
func doubtful(f *Folder) int {
	n := 0
	if f.Stamp == (Stamp{}) {
		n++
	}
	for _, d := range f.Dirs {
		n += doubtful(d)
	}
	return n
}

// A folder that changed shortly before the last look is listed, whatever its times say.
func TestLookDoubtsWhatIsNew(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "x.py"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, tree := scanAt(t, root, nil, time.Now())
	if _, _, next := scanAt(t, root, tree, time.Now()); next.Listed != 1 {
		t.Errorf("%d folders listed, want 1", next.Listed)
	}
}

// Other rules and options do not believe what was found under the old ones.
func TestLookUnderOtherOptions(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "x.py"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	began := time.Now().Add(time.Minute)
	_, _, tree := scanAt(t, root, nil, began)
	for _, o := range []ScanOptions{
		{Recipe: 8, Kind: func(string) Kind { return 0 }},
		{Recipe: 7, Ignore: []string{"x.py"}, Kind: testKind},
	} {
		o.Began = began
		found, _, err := Scan(t.Context(), root, tree, o)
		if err != nil || len(found) != 0 {
			t.Errorf("found %v, %v; want nothing", found, err)
		}
	}
}

func BenchmarkLook(b *testing.B) {
	root := b.TempDir()
	for i := range 100 {
		dir := filepath.Join(root, string(rune('a'+i%26)), string(rune('a'+i/26)))
		if err := os.MkdirAll(dir, 0o777); err != nil {
			b.Fatal(err)
		}
		for _, name := range []string{"a.py", "b.py", "c.py", "d.txt"} {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
				b.Fatal(err)
			}
		}
	}
	o := ScanOptions{Kind: testKind, Began: time.Now().Add(time.Minute)}
	_, tree, err := Scan(b.Context(), root, nil, o)
	if err != nil {
		b.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		prev *Tree
	}{{"first", nil}, {"next", tree}} {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Scan(b.Context(), root, tt.prev, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
