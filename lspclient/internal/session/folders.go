package session

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
	// MaxFolders bounds the workspace folders that a name is looked for in; the ones with the most files come first.
	MaxFolders = 8
	// MaxRead bounds the bytes that are read to see which files hold a word.
	MaxRead = 256 << 20
)

// Folder is a part of the root that one entry of the registry serves.
type Folder struct {
	Sample string // one of its files; the entry is chosen by it
	Dir    string
	Files  []string // absolute, sorted
	Server *Server  // nil when none is installed
	Err    error    // then why
}

// division is how the root is divided into workspace folders, with these files and overlays.
type division struct {
	snap     *filetree.Snapshot
	overlays int64
	folders  []*Folder
}

// Folders lists the workspace folders below the root, the one with the most files first. It does not start servers.
func (p *Pool) Folders(ctx context.Context) ([]*Folder, error) {
	snap, err := p.Tree.Scan(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.sorting.Lock(ctx); err != nil {
		return nil, err
	}
	defer p.sorting.Unlock()
	overlaid, gen := p.Tree.Overlays.All()
	if p.divided.snap == snap && p.divided.overlays == gen {
		return p.divided.folders, nil
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
	set := map[key]*Folder{}
	missing := false
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ext := filepath.Ext(file)
		ch, ok := chosen[ext]
		if !ok {
			ch.spec, ch.in, ch.err = p.Registry.Choose(ctx, file)
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
			k = key{ch.err.Error(), p.Tree.Root()}
		} else {
			at := key{ch.spec.Name, filepath.Dir(file)}
			dir, ok := dirs[at]
			if !ok {
				dir = p.Registry.FolderOf(ch.spec, file)
				dirs[at] = dir
			}
			k = key{ch.spec.Name, dir}
		}
		f := set[k]
		if f == nil {
			f = &Folder{Sample: file, Dir: k.dir, Err: ch.err}
			if ch.err == nil {
				if f.Server, err = p.server(ch.spec, ch.in, k.dir); err != nil {
					return nil, err
				}
			}
			set[k] = f
		}
		f.Files = append(f.Files, file)
	}
	list := slices.Collect(maps.Values(set))
	slices.SortFunc(list, func(a, b *Folder) int {
		return cmp.Or(cmp.Compare(len(b.Files), len(a.Files)), cmp.Compare(a.Sample, b.Sample))
	})
	if !missing { // else a person may install it, and no file changes
		p.divided = division{snap, gen, list}
	}
	return list, nil
}

// Start starts the folder's server and waits until it has read the folder.
func (f *Folder) Start(ctx context.Context) (Answer, error) {
	a, err := Ask(ctx, f.Server, Question[struct{}]{
		Method: "starting",
		Open:   f.Open,
		Ask:    func(context.Context, *Session) (struct{}, error) { return struct{}{}, nil },
		Same:   func(struct{}, struct{}) bool { return true },
	})
	if err != nil {
		return Answer{}, err
	}
	return a.Answer(), nil
}

// Open shows a server that gets ready only then a file of the folder.
func (f *Folder) Open(ctx context.Context, s *Session) error {
	if !s.Server.Spec.Ready.Open {
		return nil
	}
	_, err := s.Documents.Open(ctx, f.Sample)
	return err
}

// Holds reports whether a file of the folder holds the word, as far as budget bytes of reading tell; it takes what it read
// from the budget. With no budget left it says yes.
func (f *Folder) Holds(ctx context.Context, tree *filetree.Tree, word string, budget *int64) bool {
	for _, file := range f.Files {
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

// Owns reports whether a file is one of the server's language in its folder, and not of another folder of the same entry
// below it.
func (v *Server) Owns(path string) bool {
	return source.Below(v.Folder, path) && v.Spec.LanguageOf(path) != "" && v.Pool.Registry.FolderOf(v.Spec, path) == v.Folder
}

// ReadsToo reports whether the server reads another workspace folder, because that lies inside its own.
func (v *Server) ReadsToo(f *Folder) bool {
	return v.Spec.Reach.Nested && f.Server != nil && f.Server.Spec == v.Spec && source.Below(v.Folder, f.Dir)
}

// Files lists the files that the server reads: those of its folder, and of the folders inside it when it reads these too.
func (v *Server) Files(ctx context.Context) ([]string, error) {
	folders, err := v.Pool.Folders(ctx)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, f := range folders {
		if f.Server == v || v.ReadsToo(f) {
			files = append(files, f.Files...)
		}
	}
	return files, nil
}
