package textfiles

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/lru"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/walk"
)

// tree returns a tree, and counts what it reads.
func tree(root string, all bool, most int) (t *Tree, reads *int) {
	dir := rootfs.New(root)
	reads = new(int)
	return New(root, all, lru.New[*File, *Kept](most), func(p string) ([]byte, error) {
		*reads++
		return dir.Read(context.Background(), p, 1000)
	}), reads
}

func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for p, text := range files {
		p = filepath.Join(root, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// holding lists the files that hold a text, by what a tree gives.
func holding(t *testing.T, tr *Tree, text string, fold bool) []string {
	t.Helper()
	l, err := tr.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, sought := []string{}, Seek([]string{text}, fold)
	for _, f := range l.Files {
		look, err := f.Look(sought)
		if err != nil {
			out = append(out, f.Path+": "+walk.Reason(err))
		} else if !look.Lacks && contains(look.Text, text, fold) {
			out = append(out, f.Path)
		}
	}
	return out
}

func contains(data []byte, text string, fold bool) bool {
	if fold {
		return strings.Contains(strings.ToUpper(string(data)), strings.ToUpper(text))
	}
	return bytes.Contains(data, []byte(text))
}

// onDisk is holding by a walk that remembers nothing.
func onDisk(t *testing.T, root, text string, all, fold bool) []string {
	t.Helper()
	dir, out := rootfs.New(root), []string{}
	err := walk.Files(t.Context(), dir, walk.Options{All: all}, func(p string, _ fs.DirEntry) error {
		data, err := dir.Read(t.Context(), p, 1000)
		if err != nil {
			out = append(out, p+": "+walk.Reason(err))
		} else if contains(data, text, fold) {
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A tree that keeps its files says what a walk says, whatever happens between questions.
func TestChanges(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	write(t, root, map[string]string{"a.txt": "one", "b/c.txt": "two three", "b/d/e.txt": "Three", ".gitignore": "*.log\n", "x.log": "three", "b-.txt": "three"})
	keep, reads := tree(root, false, 1<<20)
	keep.Keep()
	defer keep.Forget()
	every, _ := tree(root, true, 100) // too little for all
	every.Keep()
	defer every.Forget()
	check := func(what string) {
		t.Helper()
		for _, text := range []string{"three", "two", "new", "ne"} {
			for _, fold := range []bool{false, true} {
				if diff := cmp.Diff(onDisk(t, root, text, false, fold), holding(t, keep, text, fold)); diff != "" {
					t.Fatalf("%s: %q (fold %v) is in (-want +got):\n%s", what, text, fold, diff)
				}
				if diff := cmp.Diff(onDisk(t, root, text, true, fold), holding(t, every, text, fold)); diff != "" {
					t.Fatalf("%s: with ignored files %q (fold %v) is in (-want +got):\n%s", what, text, fold, diff)
				}
			}
		}
	}
	check("at first")
	before := *reads
	check("unchanged")
	if *reads != before {
		t.Errorf("%d files were read again", *reads-before)
	}
	file := func(p string) string { return filepath.Join(root, filepath.FromSlash(p)) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		what string
		do   func()
	}{
		{"written again", func() { write(t, root, map[string]string{"a.txt": "new"}) }},
		{"same size and time", func() {
			info, err := os.Stat(file("a.txt"))
			must(err)
			write(t, root, map[string]string{"a.txt": "two"})
			must(os.Chtimes(file("a.txt"), info.ModTime(), info.ModTime()))
		}},
		{"new file", func() { write(t, root, map[string]string{"b/n.txt": "new"}) }},
		{"new folders", func() { write(t, root, map[string]string{"p/q/r.txt": "three"}) }},
		{"renamed", func() { must(os.Rename(file("b/n.txt"), file("b/m.txt"))) }},
		{"replaced", func() {
			write(t, other, map[string]string{"t": "three two"})
			must(os.Rename(filepath.Join(other, "t"), file("a.txt")))
		}},
		{"folder renamed", func() { must(os.Rename(file("p"), file("b/d/p"))) }},
		{"folder moved out", func() { must(os.Rename(file("b/d/p"), filepath.Join(other, "p"))) }},
		{"removed", func() { must(os.Remove(file("b/c.txt"))) }},
		{"too large", func() { write(t, root, map[string]string{"b/c.txt": strings.Repeat("two ", 300)}) }},
		{"small again", func() { write(t, root, map[string]string{"b/c.txt": "two"}) }},
		{"ignored", func() { write(t, root, map[string]string{".gitignore": "*.txt\n"}) }},
		{"ignored no more", func() { must(os.Remove(file(".gitignore"))) }},
		{"ignored below", func() { write(t, root, map[string]string{"b/.gitignore": "d/\n"}) }},
		{"no file any more", func() { must(os.Remove(file("a.txt"))); must(os.Mkdir(file("a.txt"), 0o777)) }},
		{"a tree of its own", func() { must(os.RemoveAll(file("b"))); write(t, root, map[string]string{"b/x/y": "new"}) }},
	} {
		step.do()
		check(step.what)
	}
}

// The same for changes by chance.
func TestRandomChanges(t *testing.T) {
	root := t.TempDir()
	keep, _ := tree(root, false, 300)
	keep.Keep()
	defer keep.Forget()
	const seed = 7
	r := rand.New(rand.NewPCG(seed, 0))
	name := func() string {
		p := root
		for range 1 + r.IntN(3) {
			p = filepath.Join(p, string(rune('a'+r.IntN(4))))
		}
		return p
	}
	for i := range 400 {
		for range 1 + r.IntN(3) { // what fails changes nothing
			switch p := name(); r.IntN(5) {
			case 0:
				_ = os.MkdirAll(p, 0o777)
			case 1:
				_ = os.RemoveAll(p)
			case 2:
				_ = os.Rename(p, name())
			default:
				_ = os.WriteFile(p, []byte(fmt.Sprintf("text %d", r.IntN(6))), 0o666)
			}
		}
		text := fmt.Sprintf("text %d", r.IntN(6))
		if diff := cmp.Diff(onDisk(t, root, text, false, false), holding(t, keep, text, false)); diff != "" {
			t.Fatalf("seed %d, round %d: %q is in (-want +got):\n%s", seed, i, text, diff)
		}
	}
}

// Without the system's word the times of files tell.
func TestNoQueue(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.txt": "one", "b.txt": "one"})
	tr, _ := tree(root, false, 1<<20)
	tr.Keep()
	defer tr.Forget()
	tr.stop()
	for i, text := range []string{"one", "two", "one"} {
		write(t, root, map[string]string{"a.txt": text})
		if diff := cmp.Diff(onDisk(t, root, "one", false, false), holding(t, tr, "one", false)); diff != "" {
			t.Errorf("round %d: (-want +got):\n%s", i, diff)
		}
	}
}

// A tree that keeps nothing reads a file once for a question, and a canceled one ends.
func TestOnce(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.txt": "one", "b/c.txt": "two"})
	tr, reads := tree(root, false, 1<<20)
	if got := holding(t, tr, "two", false); len(got) != 1 || *reads != 2 {
		t.Errorf("%v after %d reads", got, *reads)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tr.List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("List = %v", err)
	}
	l, err := tr.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if l.File("b/c.txt") == nil || l.File("b") != nil || l.File("b/d") != nil {
		t.Error("File finds something else")
	}
}

// A text that is read after it has changed is masked as what it is.
func TestMasked(t *testing.T) {
	root := t.TempDir()
	const secret = "key = \"ghp_abcdefghijklmnopqrstuvwxyz0123456789\"\n"
	write(t, root, map[string]string{"a.txt": "none"})
	tr, _ := tree(root, false, 0) // keeps no text
	tr.Keep()
	defer tr.Forget()
	l, err := tr.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"none", secret, "none"} { // the list is that of before
		write(t, root, map[string]string{"a.txt": text})
		look, err := l.Files[0].Look(nil)
		if err != nil {
			t.Fatal(err)
		}
		masked, none := look.Masked()
		if none != (text == "none") || bytes.Contains(masked, []byte("ghp_abc")) {
			t.Errorf("%q is masked as %q, %v", text, masked, none)
		}
	}
}

// FuzzFilter looks for texts in a file that holds them.
func FuzzFilter(f *testing.F) {
	f.Add([]byte("The Kelvin sign \u212a and the long \u017f"), 4, 12, true)
	f.Fuzz(func(t *testing.T, data []byte, from, to int, fold bool) {
		if from < 0 || to > len(data) || from > to {
			return
		}
		filter := newFilter(data)
		texts := []string{string(data[from:to])}
		if fold && strings.EqualFold(strings.ToUpper(texts[0]), texts[0]) {
			texts = append(texts, strings.ToUpper(texts[0]), strings.ToLower(texts[0]))
		}
		for _, text := range texts {
			if !filter.has(grams(text, fold)) {
				t.Errorf("%q is not in %q", text, data)
			}
		}
	})
}

func TestEach(t *testing.T) {
	t.Parallel()
	files := make([]*File, 3*atOnce+1)
	for i := range files {
		files[i] = &File{Path: strconv.Itoa(i)}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for p, err := range Each(ctx, files, func(f *File) string { return f.Path }) {
		if n > 2*atOnce {
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("error %v, result %s after the end of the context", err, p)
			}
			break
		}
		if err != nil || p != strconv.Itoa(n) {
			t.Fatalf("result %d is %q, %v", n, p, err)
		}
		if n++; n == 2*atOnce {
			cancel()
			n++
		}
	}
	if n <= 2*atOnce {
		t.Errorf("ended after %d", n)
	}
}
