package scan

import (
	"encoding/binary"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/walk"
)

// The folders of a repository are written against those of the state before, as a tree:
//
//	tree     0 none; 1 that of before; 2 the recipe (8 bytes), then the folder of the root
//	folder   0 that of before; 1 that of before but for some folders in it: how many, and for each its place among them and
//	         itself; 2 what it holds, then the folders in it

const (
	treeNone = iota
	treeSame
	TreeNew
)

const (
	folderSame = iota
	folderBelow
	FolderNew
)

// maxDepth bounds how deep folders are nested in a saved tree; no system opens paths of more names.
const maxDepth = 4096

func (w *Writer) tree(t, old *walk.Tree) {
	switch {
	case t == nil:
		w.Uint(treeNone)
	case old != nil && t.Root == old.Root && t.Recipe == old.Recipe:
		w.Uint(treeSame)
	default:
		w.Uint(TreeNew)
		w.Buf = binary.LittleEndian.AppendUint64(w.Buf, t.Recipe)
		var before *walk.Folder
		if old != nil {
			before = old.Root
		}
		w.folder(t.Root, before)
	}
}

// Stamp writes size and times.
func (w *Writer) Stamp(s walk.Stamp) {
	w.Uint(uint64(s.Size))
	w.Uint(uint64(s.Mtime))
	w.Uint(uint64(s.Ctime-s.Mtime)<<1 ^ uint64((s.Ctime-s.Mtime)>>63))
	w.Uint(s.Ino)
}

func (r *Reader) stamp() (s walk.Stamp) {
	s.Size, s.Mtime = int64(r.Uint()), int64(r.Uint())
	d := r.Uint()
	s.Ctime = s.Mtime + (int64(d>>1) ^ -int64(d&1))
	s.Ino = r.Uint()
	return s
}

func (w *Writer) folder(f, old *walk.Folder) {
	if f == old {
		w.Uint(folderSame)
		return
	}
	if old != nil && sameFolder(f, old) {
		w.Uint(folderBelow)
		n := 0
		for i, d := range f.Dirs {
			if d != old.Dirs[i] {
				n++
			}
		}
		w.Uint(uint64(n))
		for i, d := range f.Dirs {
			if d != old.Dirs[i] {
				w.Uint(uint64(i))
				w.folder(d, old.Dirs[i])
			}
		}
		return
	}
	w.Uint(FolderNew)
	w.Stamp(f.Stamp)
	w.Uint(f.Rules)
	w.Bool(f.Ignore != (walk.Stamp{}))
	if f.Ignore != (walk.Stamp{}) {
		w.Stamp(f.Ignore)
		w.Uint(f.IgnoreSum)
	}
	w.Bool(f.Venv)
	w.Uint(uint64(len(f.Files)))
	for _, n := range f.Files {
		w.Text(n.Name)
		w.Uint(uint64(n.Kind))
	}
	w.Uint(uint64(len(f.Odd)))
	for _, n := range f.Odd {
		w.Text(n)
	}
	w.Uint(uint64(len(f.Dirs)))
	for _, d := range f.Dirs {
		w.Text(d.Name)
		w.folder(d, old.Dir(d.Name))
	}
}

// sameFolder tells whether two folders differ at most in what is in the folders in them.
func sameFolder(a, b *walk.Folder) bool {
	return a.Stamp == b.Stamp && a.Rules == b.Rules && a.Ignore == b.Ignore && a.IgnoreSum == b.IgnoreSum && a.Venv == b.Venv &&
		slices.Equal(a.Files, b.Files) && slices.Equal(a.Odd, b.Odd) &&
		slices.EqualFunc(a.Dirs, b.Dirs, func(a, b *walk.Folder) bool { return a.Name == b.Name })
}

// tree reads what writer.tree wrote.
func (r *Reader) tree(old *walk.Tree) *walk.Tree {
	switch r.Uint() {
	case treeNone:
		return nil
	case treeSame:
		r.Bad = r.Bad || old == nil
		return old
	case TreeNew:
		if len(r.Buf) < 8 {
			break
		}
		t := &walk.Tree{Recipe: binary.LittleEndian.Uint64(r.Buf)}
		r.Buf = r.Buf[8:]
		var before *walk.Folder
		if old != nil {
			before = old.Root
		}
		if t.Root = r.folder("", before, 0); r.Bad {
			return nil
		}
		return t
	}
	r.Bad, r.Buf = true, nil
	return nil
}

func (r *Reader) folder(name string, old *walk.Folder, depth int) *walk.Folder {
	fail := func() *walk.Folder {
		r.Bad, r.Buf = true, nil
		return &walk.Folder{Name: name}
	}
	if depth > maxDepth {
		return fail()
	}
	switch r.Uint() {
	case folderSame:
		if old == nil {
			return fail()
		}
		return old
	case folderBelow:
		if old == nil {
			return fail()
		}
		f := *old
		f.Dirs = slices.Clone(old.Dirs)
		next := uint64(0) // they come in order, so that each is written once
		for range r.Count(2) {
			i := r.Uint()
			if i < next || i >= uint64(len(f.Dirs)) {
				return fail()
			}
			next = i + 1
			f.Dirs[i] = r.folder(f.Dirs[i].Name, old.Dirs[i], depth+1)
		}
		return &f
	case FolderNew:
	default:
		return fail()
	}
	f := &walk.Folder{Name: name, Stamp: r.stamp(), Rules: r.Uint()}
	if r.Bool() {
		f.Ignore, f.IgnoreSum = r.stamp(), r.Uint()
	}
	f.Venv = r.Bool()
	if n := r.Count(3); n > 0 {
		f.Files = make([]walk.NamedFile, n)
	}
	last := ""
	for i := range f.Files {
		f.Files[i] = walk.NamedFile{Name: r.entry(&last), Kind: walk.Kind(r.Uint())}
	}
	if n := r.Count(2); n > 0 {
		f.Odd = make([]string, n)
	}
	last = ""
	for i := range f.Odd {
		f.Odd[i] = r.entry(&last)
	}
	last = ""
	for range r.Count(3) {
		if r.Bad {
			return fail()
		}
		name := r.entry(&last)
		f.Dirs = append(f.Dirs, r.folder(name, old.Dir(name), depth+1)) // as they come: a folder in a folder may count the same bytes
	}
	return f
}

// entry reads the name of a file or folder, which come in order.
func (r *Reader) entry(last *string) string {
	s := r.Text()
	if s <= *last || s == "." || strings.Contains(s, "/") || !fs.ValidPath(s) {
		r.Bad, r.Buf = true, nil
	}
	*last = s
	return s
}

// sameConfigStamps tells whether the configuration files of two states are the same and were looked at in the same state.
func sameConfigStamps(a, b *State) bool {
	return SameConfigs(a, b) && maps.Equal(a.configStamps, b.configStamps)
}
