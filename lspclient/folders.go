package lspclient

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
)

const (
	// maxFolders bounds the workspace folders that a name is looked for in; the ones with the most files come first.
	maxFolders = 8
	// maxRead bounds the bytes that are read to see which files hold a word.
	maxRead = 256 << 20
)

// folder is a part of the root that one entry of the registry serves.
type folder struct {
	sample string // one of its files; the entry is chosen by it
	dir    string
	files  []string // absolute, sorted
	server *server  // nil when none is installed
	err    error    // then why
}

// division is how the root is divided into workspace folders, with these files and overlays.
type division struct {
	snap     *filetree.Snapshot
	overlays int64
	folders  []*folder
}

// folders lists the workspace folders below the root, the one with the most files first. It does not start servers.
func (c *pool) folders(ctx context.Context) ([]*folder, error) {
	snap, err := c.tree.Scan(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.sorting.Lock(ctx); err != nil {
		return nil, err
	}
	defer c.sorting.Unlock()
	overlaid, gen := c.tree.Overlays.All()
	if c.divided.snap == snap && c.divided.overlays == gen {
		return c.divided.folders, nil
	}
	var files []string
	for file := range snap.Files {
		if !snap.Linked[file] {
			files = append(files, file)
		}
	}
	for file := range overlaid {
		if _, ok := snap.Files[file]; !ok {
			files = append(files, file)
		}
	}
	slices.Sort(files)
	type key struct{ name, dir string }
	type choice struct {
		spec *registry.Spec
		in   *registry.Install
		err  error
	}
	chosen := map[string]choice{} // by extension
	dirs := map[key]string{}      // by entry and folder of the file
	set := map[key]*folder{}
	missing := false
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ext := filepath.Ext(file)
		ch, ok := chosen[ext]
		if !ok {
			ch.spec, ch.in, ch.err = c.registry.Choose(ctx, file)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			chosen[ext] = ch
		}
		var k key
		if ch.err != nil {
			if !errors.As(ch.err, new(*registry.NotInstalledError)) {
				continue
			}
			missing = true
			k = key{ch.err.Error(), c.tree.Root()}
		} else {
			at := key{ch.spec.Name, filepath.Dir(file)}
			dir, ok := dirs[at]
			if !ok {
				dir = c.registry.FolderOf(ch.spec, file)
				dirs[at] = dir
			}
			k = key{ch.spec.Name, dir}
		}
		f := set[k]
		if f == nil {
			f = &folder{sample: file, dir: k.dir, err: ch.err}
			if ch.err == nil {
				if f.server, err = c.server(ch.spec, ch.in, k.dir); err != nil {
					return nil, err
				}
			}
			set[k] = f
		}
		f.files = append(f.files, file)
	}
	list := slices.Collect(maps.Values(set))
	slices.SortFunc(list, func(a, b *folder) int {
		return cmp.Or(cmp.Compare(len(b.files), len(a.files)), cmp.Compare(a.sample, b.sample))
	})
	if !missing { // else a person may install it, and no file changes
		c.divided = division{snap, gen, list}
	}
	return list, nil
}

// holds reports whether a file of the folder holds the word, as far as budget bytes of reading tell; it takes what it read
// from the budget. With no budget left it says yes.
func (f *folder) holds(ctx context.Context, tree *filetree.Tree, word string, budget *int64) bool {
	for _, file := range f.files {
		if *budget <= 0 || ctx.Err() != nil {
			return true
		}
		text, _, err := tree.Read(file)
		if err != nil {
			continue
		}
		*budget -= int64(len(text.Bytes))
		if source.HoldsWord(text.Bytes, word) {
			return true
		}
	}
	return false
}

// owns reports whether a file is one of the server's language in its folder, and not of another folder of the same entry
// below it.
func (v *server) owns(path string) bool {
	return source.Below(v.folder, path) && v.spec.LanguageOf(path) != "" && v.client.registry.FolderOf(v.spec, path) == v.folder
}

// readsToo reports whether the server reads another workspace folder, because that lies inside its own.
func (v *server) readsToo(f *folder) bool {
	return v.spec.Reach.Nested && f.server != nil && f.server.spec == v.spec && source.Below(v.folder, f.dir)
}

// filesIn lists the files of the folders that the server reads.
func (v *server) filesIn(folders []*folder) []string {
	var files []string
	for _, f := range folders {
		if f.server == v || v.readsToo(f) {
			files = append(files, f.files...)
		}
	}
	return files
}
