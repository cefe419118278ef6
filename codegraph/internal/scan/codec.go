package scan

import (
	"maps"
	"slices"
	"time"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/internal/walk"
)

// A Writer writes states.
type Writer struct{ codec.Writer }

// A Reader reads what a writer wrote.
type Reader struct{ codec.Reader }

// General writes what a state holds besides its files, against the state before, which may be nil.
func (w *Writer) General(st, old *State) {
	w.Uint(uint64(st.Began.UnixNano()))
	same := old != nil && sameConfigStamps(st, old)
	w.Bool(same)
	if !same {
		w.Uint(uint64(len(st.Configs)))
		for _, p := range slices.Sorted(maps.Keys(st.Configs)) {
			w.Text(p)
			w.Bytes(st.Configs[p])
			w.Stamp(st.configStamps[p])
		}
	}
	same = old != nil && slices.Equal(st.Skips, old.Skips)
	w.Bool(same)
	if !same {
		w.Uint(uint64(len(st.Skips)))
		for _, s := range st.Skips {
			w.Text(s.Path)
			w.Text(s.Reason)
			w.Bool(s.Rule)
		}
	}
	var before *walk.Tree
	if old != nil {
		before = old.Tree
	}
	w.tree(st.Tree, before)
}

// General reads what Writer.General wrote into a state, which holds what the one before does.
func (r *Reader) General(st *State) {
	st.Began = time.Unix(0, int64(r.Uint()))
	if same := r.Bool(); !same {
		st.Configs, st.configStamps = map[string][]byte{}, map[string]walk.Stamp{}
		for range r.Count(6) {
			p := r.Text()
			st.Configs[p] = slices.Clone(r.Bytes())
			st.configStamps[p] = r.stamp()
		}
	} else if st.Configs == nil {
		r.Bad, r.Buf = true, nil
	}
	if same := r.Bool(); !same {
		st.Skips = nil
		for range r.Count(3) {
			st.Skips = append(st.Skips, Skip{r.Text(), r.Text(), r.Bool()})
		}
	}
	if st.Tree = r.tree(st.Tree); st.Tree != nil {
		t := *st.Tree
		t.Began = st.Began
		st.Tree = &t
	}
}

// File writes the state of a file.
func (w *Writer) File(f *File) {
	w.Uint(uint64(f.Size))
	w.Uint(uint64(f.Mtime))
	w.Uint(uint64(f.Ctime))
	f.Key.Write(&w.Writer)
	w.Text(f.Package)
	w.Bool(f.Generated)
}

// File reads what Writer.File wrote.
func (r *Reader) File(f *File) {
	f.Size, f.Mtime, f.Ctime = int64(r.Uint()), int64(r.Uint()), int64(r.Uint())
	f.Key, f.Package, f.Generated = factpool.ReadKey(&r.Reader), r.Text(), r.Bool()
}
