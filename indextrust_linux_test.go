package findspot_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch/blevestore"
)

// nobody is a user who owns nothing.
const nobody = 65534

// useIndex opens a workspace and uses both rooms.
func useIndex(t *testing.T, dir string, o *findspot.Options) error {
	t.Helper()
	done := make(chan error, 1)
	go func() {
		w, err := findspot.Open(t.Context(), dir, o)
		if err != nil {
			done <- err
			return
		}
		_, docs := w.SearchDocs(t.Context(), "common", nil)
		_, code := w.Graphs(t.Context())
		done <- errors.Join(docs, code, w.Close())
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		t.Fatal("opening an index hangs")
		return nil
	}
}

// madeIndex makes an index with a document and a repository.
func madeIndex(t *testing.T) string {
	t.Helper()
	dir, repo := filepath.Join(t.TempDir(), "index"), t.TempDir()
	if err := os.WriteFile(filepath.Join(repo, "a.py"), []byte("def f(): pass\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := findspot.Open(t.Context(), dir, &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddDocument(t.Context(), "a.txt", []byte("common words\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddRepo(t.Context(), repo, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What is made is for this user alone, whatever the mask, and nobody commits it.
func TestIndexModes(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := madeIndex(t)
	engine := filepath.Join(dir, "docs", "index") // whose files are the engine's, in a folder that others cannot enter
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 && !strings.HasPrefix(p, engine) {
			t.Errorf("%s has mode %v", p, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, ".gitignore")); string(b) != "*\n" {
		t.Errorf(".gitignore: %q, %v", b, err)
	}
	syscall.Umask(0o777)
	masked := filepath.Join(t.TempDir(), "index")
	syscall.Umask(0o277)
	w, err := findspot.Open(t.Context(), masked, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(masked); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("made under a mask of 0277: %v, %v", info.Mode(), err)
	}
}

// An index that a hostile hand prepared is refused, says the way out, and does not hang.
func TestForeignIndex(t *testing.T) {
	one := func(pattern string) func(*testing.T, string) string {
		return func(t *testing.T, dir string) string {
			found, err := filepath.Glob(filepath.Join(dir, pattern))
			if pattern == "facts" {
				return filepath.Join(dir, pattern)
			}
			if err != nil || len(found) == 0 {
				t.Fatalf("%s: %v, %v", pattern, found, err)
			}
			return found[0]
		}
	}
	link := func(t *testing.T, p string) {
		if _, err := os.Lstat(p); errors.Is(err, fs.ErrNotExist) { // an index may have no such folder yet
			if err := os.Symlink(t.TempDir(), p); err != nil {
				t.Fatal(err)
			}
			return
		}
		away := p + ".away"
		if strings.HasSuffix(p, "LOCK") || strings.HasSuffix(p, ".zap") || strings.HasSuffix(p, ".bolt") {
			away = filepath.Join(t.TempDir(), "away")
		}
		if err := os.Rename(p, away); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(away, p); err != nil {
			t.Fatal(err)
		}
	}
	pipe := func(t *testing.T, p string) {
		if err := os.RemoveAll(p); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(p, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	chown := func(t *testing.T, p string) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give files to another user")
		}
		if err := syscall.Chown(p, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	open := func(t *testing.T, p string) {
		if err := os.Chmod(p, 0o707); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(t *testing.T, p string) {
		if err := os.Remove(p); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name, at string
		do       func(*testing.T, string)
		trusted  bool // Options.TrustIndex lets it pass
	}{
		{"the folder is a link", ".", link, false},
		{"docs is a link", "docs", link, false},
		{"code is a link", "code", link, false},
		{"facts is a link", "facts", link, false},
		{"a repository's index is a link", "code/*", link, false},
		{"VERSION is a link", "VERSION", link, false},
		{"OWNER is a link", "OWNER", link, false},
		{"the lock of the documents is a link", "docs/LOCK", link, false},
		{"the version of the documents is a link", "docs/VERSION", link, false},
		{"the engine's folder is a link", "docs/index", link, false},
		{"a segment is a link", "docs/index/*.zap", link, false},
		{"the list of segments is a link", "docs/index/root.bolt", link, false},
		{"a graph's segment is a link", "code/*/base.seg", link, false},
		{"a graph's log is a link", "code/*/delta.log", link, false},
		{"a graph's lock is a link", "code/*/LOCK", link, false},
		{"VERSION is a pipe", "VERSION", pipe, false},
		{"OWNER is a pipe", "OWNER", pipe, false},
		{"the lock of the documents is a pipe", "docs/LOCK", pipe, false},
		{"GENERATION is a pipe", "docs/GENERATION", pipe, false},
		{"the list of segments is a pipe", "docs/index/root.bolt", pipe, false},
		{"a segment is a pipe", "docs/index/*.zap", pipe, false},
		{"a graph's segment is a pipe", "code/*/base.seg", pipe, false},
		{"a graph's lock is a pipe", "code/*/LOCK", pipe, false},
		{"the folder is another user's", ".", chown, true},
		{"docs is another user's", "docs", chown, true},
		{"a segment is another user's", "docs/index/*.zap", chown, true},
		{"a graph is another user's", "code/*/base.seg", chown, true},
		{"everybody may write in the folder", ".", open, true},
		{"everybody may write in code", "code", open, true},
		{"everybody may write a segment", "code/*/base.seg", open, true},
		{"there is no marker", "OWNER", remove, true},
		{"the marker is of another key", "OWNER", func(t *testing.T, p string) {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			b[0] ^= 1 // another number than the one that was signed
			if err := os.WriteFile(p, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"the marker is a gigabyte", "OWNER", func(t *testing.T, p string) {
			if err := os.Truncate(p, 1<<30); err != nil {
				t.Fatal(err)
			}
		}, true},
		{"there is neither marker nor version", "OWNER", func(t *testing.T, p string) {
			remove(t, p)
			remove(t, filepath.Join(filepath.Dir(p), "VERSION"))
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := madeIndex(t)
			tt.do(t, one(tt.at)(t, dir))
			err := useIndex(t, dir, &findspot.Options{NoServers: true})
			var foreign *findspot.UntrustedError
			if !errors.As(err, &foreign) || foreign.Reason == "" || foreign.Way == "" {
				t.Errorf("Open = %v, want an UntrustedError", err)
			}
			err = useIndex(t, dir, &findspot.Options{NoServers: true, TrustIndex: true})
			if tt.name == "OWNER is a link" || tt.name == "OWNER is a pipe" {
				return // it is not looked at
			}
			if tt.trusted != (err == nil) || !tt.trusted && !errors.As(err, &foreign) {
				t.Errorf("with TrustIndex = %v", err)
			}
		})
	}
}

// The rooms refuse links, other owners and open modes by themselves.
func TestForeignRoom(t *testing.T) {
	repo := t.TempDir()
	at := func(p string, what func(string) error) string {
		if err := what(p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	base := t.TempDir()
	real := at(filepath.Join(base, "real"), func(p string) error { return os.Mkdir(p, 0o700) })
	link := at(filepath.Join(base, "link"), func(p string) error { return os.Symlink(real, p) })
	loose := at(filepath.Join(base, "loose"), func(p string) error { return errors.Join(os.Mkdir(p, 0o700), os.Chmod(p, 0o777)) })
	bad := []string{link, loose}
	if os.Geteuid() == 0 {
		bad = append(bad, at(filepath.Join(base, "other"), func(p string) error { return errors.Join(os.Mkdir(p, 0o700), syscall.Chown(p, nobody, nobody)) }))
	}
	for _, dir := range bad {
		for _, ro := range []bool{false, true} {
			_, docs := blevestore.Open(t.Context(), dir, &blevestore.Options{ReadOnly: ro})
			_, code := codegraph.Open(t.Context(), dir, repo, nil, &codegraph.Options{ReadOnly: ro})
			for _, err := range []error{docs, code} {
				if _, ok := errors.AsType[*findspot.UntrustedError](err); !ok || !strings.Contains(err.Error(), dir) {
					t.Errorf("read-only %v, %s: %v, want an UntrustedError", ro, dir, err)
				}
			}
		}
		if _, err := codegraph.Open(t.Context(), filepath.Join(t.TempDir(), "x"), repo, nil, &codegraph.Options{Facts: dir}); !errors.As(err, new(*codegraph.UntrustedError)) {
			t.Errorf("facts in %s: %v, want an UntrustedError", dir, err)
		}
	}
	if list, err := os.ReadDir(real); err != nil || len(list) > 0 {
		t.Errorf("behind the link: %v, %v", list, err)
	}
}

// Two processes that need the first key at once agree on one, and it is for this user alone.
func TestIndexKey(t *testing.T) {
	config := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	dirs := make([]string, 8)
	var all sync.WaitGroup
	for i := range dirs {
		dirs[i] = filepath.Join(t.TempDir(), "index")
		all.Go(func() {
			if err := useIndex(t, dirs[i], nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	key := filepath.Join(config, "findspot", "index.key")
	if info, err := os.Stat(key); err != nil || info.Size() != 32 || info.Mode().Perm() != 0o600 {
		t.Fatalf("key: %v, %v", info, err)
	}
	for _, d := range dirs {
		if err := useIndex(t, d, nil); err != nil {
			t.Error(err)
		}
	}
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := useIndex(t, dirs[0], nil); err == nil || !strings.Contains(err.Error(), "may be read by other users") {
		t.Errorf("with a key that others may read: %v", err)
	}
	if err := errors.Join(os.Chmod(key, 0o600), os.WriteFile(key, make([]byte, 32), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := useIndex(t, dirs[0], nil); err == nil || !strings.Contains(err.Error(), "--trust-index") {
		t.Errorf("with another key: %v", err)
	}
}

// Where there is no place for a key, owner and mode alone count, and the log says so.
func TestNoIndexKey(t *testing.T) {
	dir := madeIndex(t)
	if err := os.Remove(filepath.Join(dir, "OWNER")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("HOME", "")
	var said bytes.Buffer
	w, err := findspot.Open(t.Context(), dir, &findspot.Options{Logger: slog.New(slog.NewTextHandler(&said, nil))})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(said.String(), "level=WARN") || !strings.Contains(said.String(), "owner and mode alone count") {
		t.Errorf("log: %s", said.String())
	}
	if _, err := os.Stat(filepath.Join(dir, "OWNER")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a marker without a key: %v", err)
	}
}

// A backup is opened by the user who made it.
func TestBackupIsMarked(t *testing.T) {
	w, err := findspot.Open(t.Context(), madeIndex(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	to := filepath.Join(t.TempDir(), "backup")
	if err := w.BackupDocs(t.Context(), to, nil); err != nil {
		t.Fatal(err)
	}
	if err := useIndex(t, to, nil); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode of the backup: %v, %v", info, err)
	}
}

// A folder that is replaced by a link while it is open gets nothing of what is written afterwards.
func TestSwappedIndex(t *testing.T) {
	for _, what := range []string{".", "docs", "code"} {
		t.Run(what, func(t *testing.T) {
			dir, repo, bait := filepath.Join(t.TempDir(), "index"), t.TempDir(), t.TempDir()
			w, err := findspot.Open(t.Context(), dir, &findspot.Options{NoServers: true})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			write := func(text string) error {
				if err := os.WriteFile(filepath.Join(repo, "a.py"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				_, docs := w.AddDocument(t.Context(), "a.txt", []byte(text))
				_, code := w.AddRepo(t.Context(), repo, nil)
				return errors.Join(docs, code)
			}
			if err := write("def f(): pass\n"); err != nil {
				t.Fatal(err)
			}
			at := filepath.Join(dir, what)
			for _, room := range []string{"docs/index", "code"} { // so that nothing fails for want of a folder
				if err := os.MkdirAll(filepath.Join(bait, room), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(os.Rename(at, at+".away"), os.Symlink(bait, at)); err != nil {
				t.Fatal(err)
			}
			err = write("def g(): f()\n")
			if what != "code" && !errors.As(err, new(*findspot.UntrustedError)) {
				t.Errorf("written after the folder was replaced: %v, want an UntrustedError", err)
			}
			err = filepath.WalkDir(bait, func(p string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					t.Errorf("written behind the link: %s", p)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// Records of repositories that nobody wrote here are left out.
func TestHostileRecords(t *testing.T) {
	for name, record := range map[string]string{
		"relative":        `{"root":"../../x"}`,
		"not clean":       `{"root":"/tmp/../etc"}`,
		"with a zero":     `{"root":"/tmp/a\u0000b"}`,
		"name of letters": `{"name":"a\u001b[31m","root":"/"}`,
		"long name":       `{"name":"` + strings.Repeat("a", 200) + `","root":"/"}`,
		"long":            `{"name":"a","root":"/` + strings.Repeat("a/", 1<<20) + `a"}`,
		"no JSON":         `{`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := madeIndex(t)
			found, err := filepath.Glob(filepath.Join(dir, "code", "*", "repo.json"))
			if err != nil || len(found) != 1 {
				t.Fatal(found, err)
			}
			if err := os.WriteFile(found[0], []byte(record), 0o600); err != nil {
				t.Fatal(err)
			}
			var said bytes.Buffer
			w, err := findspot.Open(t.Context(), dir, &findspot.Options{Logger: slog.New(slog.NewTextHandler(&said, nil))})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			if repos, err := w.Repos(); err != nil || len(repos) > 0 || !strings.Contains(said.String(), "record left out") {
				t.Errorf("Repos = %v, %v; log: %s", repos, err, said.String())
			}
		})
	}
}
