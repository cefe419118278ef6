package codegraph

import (
	"maps"
	"slices"
	"time"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/internal/walk"
)

// A writer writes states.
type writer struct{ codec.Writer }

// A reader reads what a writer wrote.
type reader struct{ codec.Reader }

// general writes what a state holds besides its files, against the state before, which may be nil.
func (w *writer) general(st, old *state) {
	w.Uint(uint64(st.began.UnixNano()))
	same := old != nil && sameLooks(st, old)
	w.Bool(same)
	if !same {
		w.Uint(uint64(len(st.configs)))
		for _, p := range slices.Sorted(maps.Keys(st.configs)) {
			w.Text(p)
			w.Bytes(st.configs[p])
			w.stamp(st.looks[p])
		}
	}
	same = old != nil && slices.Equal(st.skips, old.skips)
	w.Bool(same)
	if !same {
		w.Uint(uint64(len(st.skips)))
		for _, s := range st.skips {
			w.Text(s.Path)
			w.Text(s.Reason)
			w.Bool(s.Rule)
		}
	}
	var before *walk.Tree
	if old != nil {
		before = old.tree
	}
	w.tree(st.tree, before)
}

func (r *reader) general(st *state) {
	st.began = time.Unix(0, int64(r.Uint()))
	if same := r.Bool(); !same {
		st.configs, st.looks = map[string][]byte{}, map[string]walk.Stamp{}
		for range r.Count(6) {
			p := r.Text()
			st.configs[p] = slices.Clone(r.Bytes())
			st.looks[p] = r.stamp()
		}
	} else if st.configs == nil {
		r.Bad, r.Buf = true, nil
	}
	if same := r.Bool(); !same {
		st.skips = nil
		for range r.Count(3) {
			st.skips = append(st.skips, skip{r.Text(), r.Text(), r.Bool()})
		}
	}
	if st.tree = r.tree(st.tree); st.tree != nil {
		t := *st.tree
		t.Began = st.began
		st.tree = &t
	}
}

func (w *writer) file(f *fileState) {
	w.Uint(uint64(f.size))
	w.Uint(uint64(f.mtime))
	w.Uint(uint64(f.ctime))
	f.key.Write(&w.Writer)
	w.Text(f.pkg)
	w.Bool(f.made)
}

func (r *reader) file(f *fileState) {
	f.size, f.mtime, f.ctime = int64(r.Uint()), int64(r.Uint()), int64(r.Uint())
	f.key, f.pkg, f.made = factpool.ReadKey(&r.Reader), r.Text(), r.Bool()
}
