package filetree

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// scanTree is the .fk files and markers below an empty root.
func scanTree(t testing.TB) (*Tree, string) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return scanTreeOf(t, root), root
}

func scanTreeOf(t testing.TB, root string) *Tree {
	life, end := context.WithCancel(context.Background())
	var workers sync.WaitGroup
	c := New(life, root, map[string]bool{".fk": true}, map[string]bool{"fake.mod": true}, slog.New(slog.DiscardHandler),
		func(f func()) bool { workers.Go(f); return true })
	t.Cleanup(func() {
		end()
		workers.Wait()
		c.Close()
	})
	return c
}

// seenFiles lists the files of a snapshot, relative, with what tells one state from another.
func seenFiles(c *Tree, s *Snapshot) map[string]string {
	m := map[string]string{}
	for path, st := range s.Files {
		m[c.Relative(path)] = fmt.Sprint(st.size, st.Mtime, st.ctime, st.inode, s.Linked[path])
	}
	return m
}

// TestWatchSeesAll: after each of many changes of every kind the snapshot is what a look at everything says, and differs
// from the one before if a file's bytes do.
func TestWatchSeesAll(t *testing.T) {
	t.Parallel()
	for _, links := range []bool{false, true} {
		t.Run(fmt.Sprintf("links=%v", links), func(t *testing.T) {
			t.Parallel()
			c, root := scanTree(t)
			if _, err := c.Scan(t.Context()); err != nil {
				t.Fatal(err)
			}
			if c.watch.off {
				t.Skip("no queue of changes here")
			}
			seed := rand.Uint64()
			t.Logf("seed %d", seed)
			r := rand.New(rand.NewPCG(seed, 1))
			dirs := []string{"a", "b", "a/c", "b/d", ".hid", "node_modules", "a/c/e", "venv"}
			names := []string{"x.fk", "y.fk", "fake.mod", "note.txt", "z", "pyvenv.cfg", "\xff.fk"}
			dir := func() string { return filepath.Join(root, dirs[r.IntN(len(dirs))]) }
			file := func() string { return filepath.Join(dir(), names[r.IntN(len(names))]) }
			before := map[string]string{} // bytes by path
			last, _ := c.Scan(t.Context())
			for i := range 1500 {
				what, f, d := "", file(), dir()
				switch n := r.IntN(100); {
				case n < 20:
					what = "mkdir " + d
					os.MkdirAll(d, 0o755)
				case n < 55: // often of the same size, and within the clock's tick
					what = "write " + f
					os.WriteFile(f, fmt.Appendf(nil, "%03d", r.IntN(1000)), 0o644)
				case n < 62:
					what = "remove " + f
					os.Remove(f)
				case n < 72:
					to := file()
					what = "rename " + f + " to " + to
					os.Rename(f, to)
				case n < 82:
					to := dir()
					what = "rename " + d + " to " + to
					os.Rename(d, to)
				case n < 86:
					what = "remove all of " + d
					os.RemoveAll(d)
				case n < 88:
					what = "truncate " + f
					os.Truncate(f, 0)
				case n < 90:
					what = "touch " + f
					old := time.Now().Add(-time.Hour)
					os.Chtimes(f, old, old)
				case n < 92: // a folder that is filled elsewhere and moved in
					tmp := filepath.Join(root, ".hid", "in")
					os.MkdirAll(filepath.Join(tmp, "deep"), 0o755)
					os.WriteFile(filepath.Join(tmp, "deep", "x.fk"), []byte("in"), 0o644)
					what = "move in " + d
					os.RemoveAll(d)
					os.Rename(tmp, d)
				case n < 94:
					what = "replace " + f
					os.WriteFile(filepath.Join(root, "tmp"), fmt.Appendf(nil, "%03d", r.IntN(1000)), 0o644)
					os.Rename(filepath.Join(root, "tmp"), f)
				case n < 96: // in a folder that is watched; of one elsewhere nothing is told
					what = "a second name for " + f
					os.Link(f, filepath.Join(root, []string{"a", "b"}[r.IntN(2)], names[r.IntN(2)]))
				case links && n < 98:
					what = "link to " + d
					os.Symlink(d, filepath.Join(dir(), "l"))
				case links:
					what = "link to " + f
					os.Symlink(f, file())
				}
				now, err := c.Scan(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				all, err := c.look(t.Context(), &Snapshot{}, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(seenFiles(c, all.next), seenFiles(c, now)); diff != "" {
					t.Fatalf("step %d, %s (-a look at all +got):\n%s", i, strings.ReplaceAll(what, root, ""), diff)
				}
				after := map[string]string{}
				for path := range now.Files {
					text, _ := os.ReadFile(path)
					after[path] = string(text)
				}
				for path, text := range after {
					if was, ok := before[path]; ok && was != text && last.Files[path] == now.Files[path] {
						t.Fatalf("step %d, %s: the bytes of %s changed from %q to %q, and its stamp did not", i, what, path, was, text)
					}
				}
				before, last = after, now
			}
			if c.watch.off {
				t.Error("the queue of changes was given up")
			}
		})
	}
}

// TestWatchQuiet: a question after which nothing happened looks at no file, and many at a time do neither.
func TestWatchQuiet(t *testing.T) {
	t.Parallel()
	c, root := scanTree(t)
	writeAll(t, root, map[string]string{"a.fk": "", "b/c.fk": ""})
	first, err := c.Scan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c.watch.off {
		t.Skip("no queue of changes here")
	}
	// Without the right to read the root a look at everything would fail; the queue is asked without it. Root may always,
	// so the look is counted too.
	looked := c.watch.looked
	for range 10 {
		if again, err := c.Scan(t.Context()); err != nil || again != first {
			t.Fatalf("a scan after which nothing changed: another snapshot, %v", err)
		}
	}
	if c.watch.looked != looked {
		t.Error("every file was looked at, though nothing had changed")
	}
	writeAll(t, root, map[string]string{"b/c.fk": "1", "b/d.fk": "2", "b/e.txt": "3"})
	next, err := c.Scan(t.Context())
	if err != nil || c.watch.looked != looked {
		t.Errorf("every file was looked at, though two had changed; %v", err)
	}
	var names []string
	for path := range next.Files {
		names = append(names, c.Relative(path))
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"a.fk", "b/c.fk", "b/d.fk"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestLookBeside: what the queue tells nothing of is found by a look beside the questions.
func TestLookBeside(t *testing.T) {
	t.Parallel()
	c, root := scanTree(t)
	writeAll(t, root, map[string]string{"a.fk": "one"})
	outside := filepath.Join(t.TempDir(), "other name")
	first, err := c.Scan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c.watch.off {
		t.Skip("no queue of changes here")
	}
	if err := os.Link(filepath.Join(root, "a.fk"), outside); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(outside, []byte("longer"), 0o644); err != nil {
		t.Fatal(err)
	}
	c.scanning <- struct{}{}
	c.watch.looked = time.Now().Add(-time.Hour)
	c.scanning.Unlock()
	waitUntil(t, "the change through another name", func() bool {
		now, err := c.Scan(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return now.Files[filepath.Join(root, "a.fk")] != first.Files[filepath.Join(root, "a.fk")]
	})
}

// TestRootReplaced: another folder in the place of the root is seen, though nobody watches the folder above it.
func TestRootReplaced(t *testing.T) {
	t.Parallel()
	c, root := scanTree(t)
	writeAll(t, root, map[string]string{"a.fk": "one"})
	if _, err := c.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	away := root + ".away"
	if err := os.Rename(root, away); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(away)
	if s, err := c.Scan(t.Context()); err == nil {
		t.Errorf("a root that is gone: %v, want an error", s.Files)
	}
	writeAll(t, root, map[string]string{"b.fk": "two"})
	if s, err := c.Scan(t.Context()); err != nil || len(s.Files) != 1 {
		t.Errorf("another root: %v, %v", s, err)
	}
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(away, root); err != nil {
		t.Fatal(err)
	}
	s, err := c.Scan(t.Context())
	if _, ok := s.Files[filepath.Join(root, "a.fk")]; err != nil || !ok {
		t.Errorf("the first root again: %v, %v", s.Files, err)
	}
}

// BenchmarkFreshness: whether anything has changed on disk since the last question, asked of the queue of changes and of
// every file. SOURCE names a repository to ask about besides the made ones.
func BenchmarkFreshness(b *testing.B) {
	roots := map[string]func(b *testing.B) *Tree{}
	for _, n := range []int{5_000, 50_000} {
		roots[fmt.Sprintf("made=%d", n)] = func(b *testing.B) *Tree {
			c, root := scanTree(b)
			for i := range n {
				dir := filepath.Join(root, fmt.Sprintf("d%03d/e%d", i/100, i/10%10))
				if i%10 == 0 {
					if err := os.MkdirAll(dir, 0o755); err != nil {
						b.Fatal(err)
					}
				}
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.fk", i%10)), nil, 0o644); err != nil {
					b.Fatal(err)
				}
			}
			return c
		}
	}
	if source := os.Getenv("SOURCE"); source != "" {
		roots["source"] = func(b *testing.B) *Tree {
			c := scanTreeOf(b, source)
			for _, ext := range []string{".go", ".py", ".pyi", ".js", ".ts", ".rs", ".java", ".c", ".h", ".cc", ".cpp"} {
				c.extensions[ext] = true
			}
			return c
		}
	}
	for name, make := range roots {
		b.Run(name, func(b *testing.B) {
			c := make(b)
			for _, way := range []string{"queue", "every file"} {
				b.Run(way, func(b *testing.B) {
					if _, err := c.Scan(b.Context()); err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						if way == "every file" {
							c.watch.whole = true
						}
						if _, err := c.Scan(b.Context()); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not after 30 s", what)
		}
	}
}

func writeAll(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
