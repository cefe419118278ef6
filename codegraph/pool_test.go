package codegraph_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

// A countingFrontend reads Go and counts what it parses.
type countingFrontend struct {
	lang.Frontend
	n    atomic.Int64
	each func(n int64)
}

func counting(each func(int64)) *countingFrontend {
	return &countingFrontend{Frontend: gosyntax.Frontend(), each: each}
}

func (c *countingFrontend) Parse(ctx context.Context, path string, src []byte) (*lang.Facts, error) {
	n := c.n.Add(1)
	if c.each != nil {
		c.each(n)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.Frontend.Parse(ctx, path, src)
}

// worktree has n files of Go, the names of whose functions depend on the branch in every step-th one.
func worktree(n, step int, branch string) fstest.MapFS {
	files := fstest.MapFS{"go.mod": {Data: []byte("module example.com/m\n")}}
	for i := range n {
		name := fmt.Sprintf("F%d", i)
		if i%step == 0 {
			name = fmt.Sprintf("F%d%s", i, branch)
		}
		files[fmt.Sprintf("p%d/f%d.go", i%7, i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "package p%d\n\nfunc %s() { F%d(); F%d() }\n", i%7, name, i+7, i+14)}
	}
	return files
}

func checkGraph(t *testing.T, ix *codegraph.Index, root string) {
	t.Helper()
	if d := cmp.Diff(dump(build(t, os.DirFS(root))), dump(ix.Graph())); d != "" {
		t.Errorf("graph of %s (-fresh +index):\n%s", filepath.Base(root), d)
	}
}

// Two worktrees of a repository parse what they have in common once, and each has its own answers.
func TestFactsAreShared(t *testing.T) {
	const n, step = 120, 30
	roots := map[string]string{"Main": t.TempDir(), "Side": t.TempDir()}
	pool := filepath.Join(t.TempDir(), "facts")
	fe := counting(nil)
	open := func(dir, branch string) *codegraph.Index {
		ix, err := codegraph.Open(t.Context(), dir, roots[branch], []lang.Frontend{fe}, &codegraph.Options{Facts: pool})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ix.Close() })
		return ix
	}
	write(t, roots["Main"], worktree(n, step, "Main"))
	write(t, roots["Side"], worktree(n, step, "Side"))
	main := open(t.TempDir(), "Main")
	if c := main.Changes(); fe.n.Load() != n || c.Parsed != n || c.Reused != 0 {
		t.Fatalf("first worktree: %d parsed, %+v", fe.n.Load(), c)
	}
	fe.n.Store(0)
	side := open(t.TempDir(), "Side")
	if c := side.Changes(); fe.n.Load() != n/step || c.Parsed != n/step || c.Reused != n-n/step || c.Added != n {
		t.Fatalf("second worktree: %d parsed, %+v, want %d", fe.n.Load(), c, n/step)
	}
	for branch, ix := range map[string]*codegraph.Index{"Main": main, "Side": side} {
		checkGraph(t, ix, roots[branch])
		if found := ix.Graph().Named("F0" + branch); len(found) != 1 {
			t.Errorf("%s does not know its own function", branch)
		}
	}
	// The first goes to the branch of the second, where everything is known already.
	fe.n.Store(0)
	extra := worktree(n+poolLeast, step, "Side")
	write(t, roots["Side"], extra)
	if c, err := side.Update(t.Context()); err != nil || c.Parsed != poolLeast || c.Reused != 0 {
		t.Fatalf("more files: %+v, %v", c, err)
	}
	fe.n.Store(0)
	write(t, roots["Main"], extra)
	c, err := main.Update(t.Context())
	if err != nil || fe.n.Load() != 0 || c.Reused != n/step+poolLeast {
		t.Errorf("switch of a branch: %d parsed, %+v, %v", fe.n.Load(), c, err)
	}
	checkGraph(t, main, roots["Main"])
	// Nothing of it is in the folders of the indexes, and a third one of the same content parses nothing.
	fe.n.Store(0)
	third := open(t.TempDir(), "Main")
	if c := third.Changes(); fe.n.Load() != 0 || c.Parsed != 0 || c.Reused != n+poolLeast {
		t.Errorf("third index: %d parsed, %+v", fe.n.Load(), c)
	}
}

const poolLeast = 16

// A first build that is interrupted goes on where it was, with a folder of facts and without.
func TestInterruptedBuildGoesOn(t *testing.T) {
	const n = 200
	root := t.TempDir()
	write(t, root, worktree(n, 1000, "Main"))
	for _, shared := range []bool{false, true} {
		dir, o := t.TempDir(), &codegraph.Options{Workers: 1}
		if shared {
			o.Facts = t.TempDir()
		}
		done := 0
		for _, stop := range []int64{70, 50, 0} {
			ctx, cancel := context.WithCancel(t.Context())
			fe := counting(func(i int64) {
				if i == stop {
					cancel()
				}
			})
			ix, err := codegraph.Open(ctx, dir, root, []lang.Frontend{fe}, o)
			cancel()
			if stop > 0 {
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("shared %v: Open = %v", shared, err)
				}
				done += int(stop) - 1 // the last one was cut off
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if c := ix.Changes(); done < 100 || int(fe.n.Load()) != n-done || c.Parsed != n-done || c.Reused != done {
				t.Errorf("shared %v: %d parsed after %d: %+v", shared, fe.n.Load(), done, c)
			}
			checkGraph(t, ix, root)
			ix.Close()
		}
		left, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(left) != 3 { // LOCK, base.seg, delta.log
			t.Errorf("shared %v: in the folder: %v, %v", shared, left, err)
		}
	}
}

// Whatever became of the shared facts, the graph is right.
func TestDamagedFacts(t *testing.T) {
	const n = 40
	root, good := t.TempDir(), t.TempDir()
	write(t, root, worktree(n, 1000, "Main"))
	openWith := func(pool string, said *bytes.Buffer) *codegraph.Changes {
		t.Helper()
		o := &codegraph.Options{Facts: pool, Logger: slog.New(slog.NewTextHandler(said, nil))}
		ix, err := codegraph.Open(t.Context(), t.TempDir(), root, langs(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		checkGraph(t, ix, root)
		c := ix.Changes()
		if c.Parsed+c.Reused != n {
			t.Errorf("Changes = %+v", c)
		}
		return c
	}
	var said bytes.Buffer
	openWith(good, &said)
	batches, err := filepath.Glob(filepath.Join(good, "*.facts"))
	if err != nil || len(batches) != 1 {
		t.Fatal(batches, err)
	}
	whole, err := os.ReadFile(batches[0])
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	damage := map[string][]byte{"nothing": nil, "rubbish": []byte("rubbish"), "one byte more": append(bytes.Clone(whole), 0)}
	for i := range 12 {
		cut := rnd.IntN(len(whole))
		damage[fmt.Sprintf("cut at %d of %d", cut, len(whole))] = whole[:cut]
		at, bit := rnd.IntN(len(whole)), byte(1)<<rnd.IntN(8)
		if i < 4 {
			at = 20 + 40*i + rnd.IntN(40) // in the table
		}
		flipped := bytes.Clone(whole)
		flipped[at] ^= bit
		damage[fmt.Sprintf("bit %d of byte %d", bit, at)] = flipped
	}
	for what, b := range damage {
		pool := t.TempDir()
		write(t, pool, fstest.MapFS{filepath.Base(batches[0]): {Data: b}, "notes.txt": {Data: []byte("not ours")}, "x.facts/y": {Data: []byte("nor this")}})
		said.Reset()
		c := openWith(pool, &said)
		if bit := strings.HasPrefix(what, "bit"); c.Parsed == 0 || bit && c.Parsed != 1 && c.Parsed != n {
			t.Errorf("%s: %d were parsed", what, c.Parsed)
		}
		if _, err := os.Stat(filepath.Join(pool, filepath.Base(batches[0]))); !os.IsNotExist(err) && !strings.HasPrefix(what, "bit") {
			t.Errorf("%s: it is still there: %v", what, err)
		}
		if !strings.Contains(said.String(), "damaged") && !strings.HasPrefix(what, "bit") { // a bit of the version makes it another program's
			t.Errorf("%s: not said: %s", what, said.String())
		}
		if c := openWith(pool, &said); c.Reused != n {
			t.Errorf("%s: not repaired: %+v", what, c)
		}
	}
	// A folder that is none is no reason not to build.
	file := filepath.Join(t.TempDir(), "file")
	write(t, filepath.Dir(file), fstest.MapFS{"file": {}})
	said.Reset()
	if c := openWith(file, &said); c.Parsed != n || !strings.Contains(said.String(), "not kept") {
		t.Errorf("a file as folder: %+v, %s", c, said.String())
	}
}

// Several indexes share a folder at the same time.
func TestFactsOfManyAtOnce(t *testing.T) {
	const n = 60
	pool := t.TempDir()
	var wg sync.WaitGroup
	for i := range 4 {
		root, dir := t.TempDir(), t.TempDir()
		write(t, root, worktree(n, 5, fmt.Sprint("Branch", i)))
		wg.Go(func() {
			for range 3 {
				if err := os.RemoveAll(dir); err != nil {
					t.Error(err)
					return
				}
				ix, err := codegraph.Open(t.Context(), dir, root, langs(), &codegraph.Options{Facts: pool, Workers: 2})
				if err != nil {
					t.Error(err)
					return
				}
				checkGraph(t, ix, root)
				ix.Close()
			}
		})
	}
	wg.Wait()
}
