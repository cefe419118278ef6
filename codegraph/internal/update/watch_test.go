package update

import (
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/lang"
)

// defaults are the options where nothing else is asked for.
var defaults = Options{Options: scan.Options{MaxFile: 2 << 20, Logger: slog.New(slog.DiscardHandler), Progress: func(string, int, int) {}}}

// listedFS tells what was listed, before the caller knows.
type listedFS struct {
	fs.FS
	listed func(name string)
}

func (f listedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.FS, name)
	f.listed(name)
	return list, err
}

// A folder that comes when its parent was listed and is not watched yet, of which the system tells nobody, is watched all the same; so are those
// that come while it is looked for, as far as that ends.
func TestWatchLateFolders(t *testing.T) {
	for _, tt := range []struct {
		late    []string // each comes when its parent was listed
		settled bool
		watched []string
	}{
		{nil, true, []string{".", "a"}},
		{[]string{"a/b"}, true, []string{".", "a", "a/b"}},
		{[]string{"a/b", "a/b/c", "a/b/c/d"}, true, []string{".", "a", "a/b", "a/b/c", "a/b/c/d"}},
		{nil, false, nil}, // one comes at every listing
	} {
		root := t.TempDir()
		mkdir := func(p string) {
			if err := os.Mkdir(filepath.Join(root, p), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		mkdir("a")
		ix, err := Open(t.Context(), t.TempDir(), root, []lang.Frontend{gosyntax.Frontend()}, defaults)
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		late, n := tt.late, 0
		ix.scan.FS = listedFS{ix.scan.FS, func(name string) {
			switch {
			case len(late) > 0 && name == path.Dir(late[0]):
				mkdir(late[0])
				late = late[1:]
			case !tt.settled && name == ".":
				mkdir(string(rune('b' + n)))
				n++
			}
		}}
		notify, err := fsnotify.NewWatcher()
		if err != nil {
			t.Fatal(err)
		}
		defer notify.Close()
		w := &watcher{ix: ix, notify: notify, watched: map[string]bool{}}
		settled, err := w.folders(t.Context())
		if err != nil || settled != tt.settled || !w.all {
			t.Fatalf("%v: settled %v, all of the repository is looked at %v, %v", tt.late, settled, w.all, err)
		}
		if !tt.settled {
			if n != maxWatchRounds {
				t.Errorf("the folders are listed %d times, want %d", n, maxWatchRounds)
			}
			continue
		}
		if d := cmp.Diff(tt.watched, slices.Sorted(maps.Keys(w.watched))); d != "" {
			t.Errorf("%v: watched (-want +got):\n%s", tt.late, d)
		}
	}
}
