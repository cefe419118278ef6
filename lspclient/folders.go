package lspclient

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
)

const (
	// maxFolders bounds the workspace folders that a name is looked for in; the ones with the most files come first.
	maxFolders = 8
	// maxMention bounds the bytes that are read to see which folders hold a word.
	maxMention = 256 << 20
)

// folder is a part of the root that one entry of the registry serves.
type folder struct {
	sample string // one of its files; the entry is chosen by it
	dir    string
	files  []string // absolute, sorted
	server *server  // nil when none is installed
	err    error    // then why
}

// folders lists the workspace folders below the root, the one with the most files first. It does not start servers.
func (c folderTable) folders(ctx context.Context) ([]*folder, error) {
	snap, err := c.tree.Scan(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.sorting.Lock(ctx); err != nil {
		return nil, err
	}
	defer c.sorting.Unlock()
	overlaid, gen := c.tree.Overlays.All()
	if c.folderOf == snap && c.folderGen == gen {
		return c.folderSet, nil
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
			ch.spec, ch.in, ch.err = c.choose(ctx, file)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			chosen[ext] = ch
		}
		var k key
		if ch.err != nil {
			if !isNotInstalled(ch.err) {
				continue
			}
			missing = true
			k = key{ch.err.Error(), c.root}
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
		c.folderOf, c.folderGen, c.folderSet = snap, gen, list
	}
	return list, nil
}

// mentions reports whether a file of the folder holds the word, as far as budget bytes of reading tell; it takes what it
// read from the budget. With no budget left it says yes.
func (c folderTable) mentions(ctx context.Context, f *folder, word string, budget *int64) bool {
	for _, file := range f.files {
		if *budget <= 0 || ctx.Err() != nil {
			return true
		}
		text, _, err := c.tree.Read(file)
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

// mentionedElsewhere lists the other workspace folders of the server's entry whose files may refer to the identifier at
// the spot, relative to the root and sorted, five at most. These are the folders that hold the word and, if the spot is
// its declaration, also the name of the file or folder it is declared in, without which nobody imports it.
func (c folderTable) mentionedElsewhere(ctx context.Context, at *spot, word string) []string {
	list, err := c.folders(ctx)
	if err != nil {
		return nil
	}
	budget := int64(maxMention)
	var dirs []string
	for _, f := range list {
		if f.server == nil || f.server == at.server || f.server.spec != at.server.spec || at.server.readsToo(f) || len(dirs) == 5 || !c.mentions(ctx, f, word, &budget) {
			continue
		}
		stem := strings.TrimSuffix(filepath.Base(at.abs), filepath.Ext(at.abs))
		if at.declared && !c.mentions(ctx, f, stem, &budget) && !c.mentions(ctx, f, filepath.Base(filepath.Dir(at.abs)), &budget) {
			continue
		}
		dirs = append(dirs, c.tree.Relative(f.dir))
	}
	slices.Sort(dirs)
	return dirs
}
