package update

import (
	"context"
	"io/fs"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/assemble"
	"github.com/findspot/findspot/codegraph/internal/factcodec"
	"github.com/findspot/findspot/codegraph/internal/link"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/lang"
)

// Options of [Open] and [NewBuilder]. Progress is called without a path when files are linked.
type Options struct {
	scan.Options
	Facts      string // a folder that indexes share; "" for none
	ReadOnly   bool
	TrustIndex bool
	MinLog     int64 // see storage.Storage
}

// A Builder makes the graphs of the states of a repository, one after another.
type Builder struct {
	*scan.Scanner
	opt     Options
	linker  *link.Linker                     // of the last update
	Shuffle func(n int, swap func(i, j int)) // for tests, see link.Options
}

// NewBuilder makes the graphs of a repository.
func NewBuilder(fsys fs.FS, langs []lang.Frontend, o Options) (*Builder, error) {
	s, err := scan.New(fsys, langs, o.Options)
	if err != nil {
		return nil, err
	}
	return &Builder{Scanner: s, opt: o}, nil
}

// Build reads a whole repository and links its graph.
func (s *Builder) Build(ctx context.Context) (*snapshot.Graph, error) {
	st, _, err := s.Pass(ctx, nil)
	if err != nil {
		return nil, err
	}
	return s.Next(ctx, nil, st, &snapshot.Graph{FS: s.FS})
}

// link gives the files whose linkage changed. From the second state on it keeps the linker, which then links only what the changes touch.
func (s *Builder) link(ctx context.Context, prev, st *scan.State) ([]*link.Linked, error) {
	l := s.linker
	s.linker = nil
	if l != nil && prev != nil {
		files, why, err := l.Update(ctx, linkState{s, st}, changes(prev, st))
		if err != nil {
			return nil, err
		}
		if why == "" {
			s.linker = l
			return files, nil
		}
		s.opt.Logger.Debug("codegraph: everything is linked anew", "reason", why)
	}
	s.opt.Progress("", len(st.Files), len(st.Files))
	l, err := link.New(ctx, s.Langs, linkState{s, st}, link.Options{Track: prev != nil, Shuffle: s.Shuffle})
	if err != nil {
		return nil, err
	}
	if prev != nil {
		s.linker = l
	}
	return l.Files(), nil
}

// linkState shows a state to the linker.
type linkState struct {
	s  *Builder
	st *scan.State
}

func (l linkState) Paths() []string { return l.st.Paths() }

func (l linkState) Lang(p string) string {
	if f := l.st.Files[p]; f != nil {
		return f.Key.Lang
	}
	return ""
}

func (l linkState) Package(p string) string {
	if f := l.st.Files[p]; f != nil {
		return f.Package
	}
	return ""
}

func (l linkState) Facts(p string, r *factcodec.Reader) (*lang.Facts, *factcodec.Table, error) {
	return l.s.Facts(l.st.Files[p], r)
}

func (l linkState) Configs() map[string][]byte { return l.st.Configs }

// changes compares two states. A file that another front end reads counts as removed and added.
func changes(prev, st *scan.State) *link.Changes {
	d := &link.Changes{Configs: !scan.SameConfigs(prev, st)}
	for p, f := range st.Files {
		switch o := prev.Files[p]; {
		case o == nil:
			d.Added = append(d.Added, p)
		case o.Key.Lang != f.Key.Lang:
			d.Added = append(d.Added, p)
			d.Removed = append(d.Removed, p)
		case o.Key != f.Key:
			d.Changed = append(d.Changed, p)
		}
	}
	for p := range prev.Files {
		if st.Files[p] == nil {
			d.Removed = append(d.Removed, p)
		}
	}
	slices.Sort(d.Changed)
	slices.Sort(d.Added)
	slices.Sort(d.Removed)
	return d
}

// Next makes the graph of a state, which follows that of the state before.
func (s *Builder) Next(ctx context.Context, prev, st *scan.State, g *snapshot.Graph) (*snapshot.Graph, error) {
	files, err := s.link(ctx, prev, st)
	if err != nil {
		return nil, err
	}
	parts := make([]*assemble.Part, 0, len(files))
	for _, f := range files {
		p := &assemble.Part{Linked: f, Hash: st.Files[f.Path].Key.Hash, Generated: st.Files[f.Path].Generated}
		if r := st.Files[f.Path].Record; r != nil {
			p.Words = r.Words
		}
		parts = append(parts, p)
	}
	var removed []string
	if prev != nil {
		for p := range prev.Files {
			if st.Files[p] == nil {
				removed = append(removed, p)
			}
		}
	}
	return assemble.Next(g, parts, removed, st.Skips)
}
