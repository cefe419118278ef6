package codegraph

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/link"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/lang"
)

// Options of [Build] and [Open].
type Options struct {
	MaxFile  int64        // bytes; larger files are skipped; 0 means 2 MB
	Ignore   []string     // more patterns in the syntax of .gitignore, relative to the root
	Workers  int          // files parsed at a time; 0 means the number of processors
	Logger   *slog.Logger // nil discards
	Facts    string       // only [Open]: a folder in which indexes share what they read of equal files, see [Open]; "" shares nothing
	ReadOnly bool         // only [Open]: read what another process keeps up to date, without its lock and without looking at the sources
	// TrustIndex, only [Open]: use folders of the index and of facts that another user owns or everybody may write in. Links are refused all the same.
	TrustIndex bool
	Progress   func(Progress) // called from one goroutine at a time, never after the call returns; must not block
}

// Progress is how far a pass has come.
type Progress struct {
	Path  string `json:"path"`  // the file just read
	Done  int    `json:"done"`  // files read
	Total int    `json:"total"` // files to read; 0 when unknown
	Stage string `json:"stage"` // "scan", "parse", "link"
}

func (o *Options) withDefaults() (Options, error) {
	var v Options
	if o != nil {
		v = *o
	}
	var bad []error
	if v.MaxFile < 0 {
		bad = append(bad, errors.New("codegraph: MaxFile is negative"))
	}
	if v.Workers < 0 {
		bad = append(bad, errors.New("codegraph: Workers is negative"))
	}
	if v.MaxFile == 0 {
		v.MaxFile = 2 << 20
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	if v.Progress == nil {
		v.Progress = func(Progress) {}
	}
	return v, errors.Join(bad...)
}

// Build reads a whole repository and links its graph in memory. A file that cannot be read is skipped and listed by
// [Graph.Skipped]; an error means that ctx ended or that the root could not be read.
func Build(ctx context.Context, fsys fs.FS, langs []lang.Frontend, o *Options) (*Graph, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s, err := newBuilder(fsys, langs, opt)
	if err != nil {
		return nil, err
	}
	st, _, err := s.Pass(ctx, nil)
	if err != nil {
		return nil, err
	}
	return relink(ctx, s, nil, st, &Graph{fsys: fsys})
}

// A builder makes the graphs of the states of a repository, one after another.
type builder struct {
	*scan.Scanner
	opt     Options
	linker  *link.Linker                     // of the last update
	shuffle func(n int, swap func(i, j int)) // for tests, see link.Options
}

func newBuilder(fsys fs.FS, langs []lang.Frontend, opt Options) (*builder, error) {
	s, err := scan.New(fsys, langs, scan.Options{MaxFile: opt.MaxFile, Ignore: opt.Ignore, Workers: opt.Workers, Logger: opt.Logger,
		Progress: func(path string, done, total int) {
			opt.Progress(Progress{Path: path, Done: done, Total: total, Stage: "parse"})
		}})
	if err != nil {
		return nil, err
	}
	return &builder{Scanner: s, opt: opt}, nil
}

// link gives the files whose linkage is to be put into the graph. From the second state on the linker is kept: it then does
// over only what the changes touch.
func (s *builder) link(ctx context.Context, prev, st *scan.State) ([]*link.Linked, error) {
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
	s.opt.Progress(Progress{Done: len(st.Files), Total: len(st.Files), Stage: "link"})
	l, err := link.New(ctx, s.Langs, linkState{s, st}, link.Options{Track: prev != nil, Shuffle: s.shuffle})
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
	s  *builder
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

func (l linkState) Facts(p string, r *lang.Reader) (*lang.Facts, *lang.Table, error) {
	return l.s.Facts(l.st.Files[p], r)
}

func (l linkState) Configs() map[string][]byte { return l.st.Configs }

// changes compares two states. A file that another front end reads now is removed and added.
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

// relink makes the graph of a state, which follows that of the state before.
func relink(ctx context.Context, s *builder, prev, st *scan.State, g *Graph) (*Graph, error) {
	files, err := s.link(ctx, prev, st)
	if err != nil {
		return nil, err
	}
	parts := make([]*part, 0, len(files))
	for _, f := range files {
		p := &part{Linked: f, hash: st.Files[f.Path].Key.Hash, made: st.Files[f.Path].Generated}
		if r := st.Files[f.Path].Record; r != nil {
			p.words = r.Words
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
	return g.next(parts, removed, skipsOf(st.Skips))
}

func skipsOf(list []scan.Skip) []Skip {
	if list == nil {
		return nil
	}
	out := make([]Skip, len(list))
	for i, s := range list {
		out[i] = Skip(s)
	}
	return out
}
