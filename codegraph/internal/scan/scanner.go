package scan

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factcodec"
	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/walk"
)

const maxConfig = 1 << 20 // bytes of a configuration file such as go.mod

// A State is the result of a pass over a repository.
type State struct {
	Began        time.Time
	Files        map[string]*File
	Mark         *byte // states with the same map of files, and no others, have the same one
	Configs      map[string][]byte
	configStamps map[string]walk.Stamp // of the configuration files
	Skips        []Skip
	Tree         *walk.Tree // the folders; nil when they are not known
}

// A File is the state of a file.
type File struct {
	Size      int64
	Mtime     int64 // nanoseconds
	Ctime     int64 // nanoseconds; 0 where the system gives none
	Key       factpool.Key
	Package   string           // Facts.Package
	Generated bool             // a program wrote it, see isGenerated
	Record    *factpool.Record // nil when it is not at hand: scanner.saved has it
}

// Stamp gives what tells this state of the file from others, but for the content.
func (f *File) Stamp() walk.Stamp {
	return walk.Stamp{Size: f.Size, Mtime: f.Mtime, Ctime: f.Ctime}
}

// Facts decodes the facts of a file.
func (s *Scanner) Facts(f *File, r *factcodec.Reader) (*lang.Facts, *factcodec.Table, error) {
	var raw []byte
	var err error
	switch {
	case f.Record == nil:
		if raw, err = s.Saved(f.Key, f.Size); err != nil {
			return nil, nil, fmt.Errorf("%w: saved facts: %w", errs.Format, err)
		}
	case f.Record.Facts != nil:
		raw = f.Record.Facts
	default:
		if raw, err = codec.Unpack(f.Record.Packed, f.Size); err != nil {
			return nil, nil, err
		}
	}
	facts, table, err := r.Decode(raw)
	if err != nil {
		err = fmt.Errorf("%w: %w", errs.Format, err)
	}
	return facts, table, err
}

// Paths lists the files, sorted.
func (st *State) Paths() []string { return slices.Sorted(maps.Keys(st.Files)) }

// Options are those of codegraph.Options that a scanner minds; none has a default.
type Options struct {
	MaxFile  int64
	Ignore   []string
	Workers  int
	Logger   *slog.Logger
	Progress func(path string, done, total int) // after a file was read
}

// A Scanner reads a repository, pass by pass.
type Scanner struct {
	FS      fs.FS
	Root    string       // the folder that fsys is; "" when it is none
	Early   *Early       // a look that began before the pass; nil when there is none
	known   factpool.Key // the last one that current told to be so, without its hash
	Langs   []lang.Frontend
	byExt   map[string]lang.Frontend
	configs map[string]bool
	opt     Options
	Cache   map[factpool.Key]*factpool.Record
	Now     func() time.Time
	Pool    *factpool.Pool  // nil when facts are not kept
	visit   *factpool.Visit // of the pass

	// saved gives the facts saved under a key of a source of a size; the error wraps errs.NotFound when there are none.
	Saved func(k factpool.Key, size int64) ([]byte, error)

	words *sourcetext.WordCounter // of the pass
}

// New returns a scanner for a repository, that has read nothing.
func New(fsys fs.FS, langs []lang.Frontend, opt Options) (*Scanner, error) {
	s := &Scanner{FS: fsys, Langs: langs, byExt: map[string]lang.Frontend{}, configs: map[string]bool{}, opt: opt,
		known: factpool.Key{Version: -1}, Cache: map[factpool.Key]*factpool.Record{}, Now: time.Now, Saved: func(factpool.Key, int64) ([]byte, error) { return nil, errs.NotFound }}
	names := map[string]bool{}
	for _, f := range langs {
		if names[f.Name()] {
			return nil, fmt.Errorf("codegraph: two front ends for %s", f.Name())
		}
		names[f.Name()] = true
		for _, e := range f.Extensions() {
			if other := s.byExt[e]; other != nil {
				return nil, fmt.Errorf("codegraph: front ends %s and %s both read %s", other.Name(), f.Name(), e)
			}
			s.byExt[e] = f
		}
		for _, c := range f.Rules().Config {
			s.configs[c] = true
		}
	}
	return s, nil
}

type job struct {
	path  string
	stamp walk.Stamp
	fe    lang.Frontend
	prev  *File
	out   *File
	skip  string

	parsed, reused bool // by a front end; from the pool
}

// Pass reads what changed since prev, which is nil for the first.
func (s *Scanner) Pass(ctx context.Context, prev *State) (*State, *Counts, error) {
	st := &State{Began: s.Now(), Mark: new(byte), Configs: map[string][]byte{}, configStamps: map[string]walk.Stamp{}}
	if s.Early != nil {
		st.Began = s.Early.began
	}
	l, err := s.list(ctx, prev, st)
	if err != nil {
		return nil, nil, err
	}
	return s.readAll(ctx, prev, st, l)
}

// readAll reads what a look found to be new or changed.
func (s *Scanner) readAll(ctx context.Context, prev, st *State, l *listing) (*State, *Counts, error) {
	s.words = sourcetext.NewWordCounter()
	read := l.jobs
	workers := s.opt.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s.visit = s.Pool.Visit(len(read))
	done := make(chan *job, workers)
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(workers + 1)
	g.Go(func() error { // feeds; runs beside the workers, hence the limit of one more
		defer close(done)
		var w errgroup.Group
		w.SetLimit(workers)
		for _, j := range read {
			if gctx.Err() != nil {
				break
			}
			w.Go(func() error {
				err := s.read(gctx, j)
				if err == nil {
					done <- j
				}
				return err
			})
		}
		return errors.Join(w.Wait(), gctx.Err())
	})
	n := len(l.same)
	for j := range done {
		n++
		s.opt.Progress(j.path, n, len(l.same)+len(read))
	}
	err := g.Wait()
	s.visit.End()
	s.visit = nil
	for _, j := range read {
		if j.out != nil && j.out.Record != nil {
			s.Cache[j.out.Key] = j.out.Record // kept even when the pass was interrupted
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if prev != nil && len(read) == 0 && len(l.same) == len(prev.Files) {
		st.Files, st.Mark = prev.Files, prev.Mark
	} else {
		st.Files = make(map[string]*File, len(l.same)+len(read))
		for _, f := range l.same {
			st.Files[f.path] = f.file
		}
	}
	for _, j := range read {
		if j.skip != "" {
			st.Skips = append(st.Skips, Skip{Path: j.path, Reason: j.skip, Rule: j.byRule()})
			s.opt.Logger.Info("codegraph: file skipped", "path", j.path, "reason", j.skip)
			continue
		}
		st.Files[j.path] = j.out
	}
	ch := CountsOf(prev, st)
	ch.made(read)
	s.words = nil // what they remember takes memory
	slices.SortFunc(st.Skips, func(a, b Skip) int { return strings.Compare(a.Path, b.Path) })
	return st, ch, nil
}

// Frontend gives what reads a file and the most bytes it may have; nil for one that nothing reads.
func (s *Scanner) Frontend(p string) (lang.Frontend, int64) {
	if fe := s.byExt[strings.ToLower(path.Ext(p))]; fe != nil {
		return fe, s.opt.MaxFile
	}
	if n := min(sourcetext.TextLimit(p), s.opt.MaxFile); n > 0 && !s.IsConfig(path.Base(p)) {
		return sourcetext.PlainText{}, n
	}
	return nil, 0
}

// IsConfig tells whether a base name is one that a resolver reads. Names with a star are patterns.
func (s *Scanner) IsConfig(name string) bool {
	if s.configs[name] {
		return true
	}
	for c := range s.configs {
		if strings.Contains(c, "*") {
			if ok, err := path.Match(c, name); err == nil && ok {
				return true
			}
		}
	}
	return false
}

// PassFiles looks at some files of the state before, which must be there, and at no others.
func (s *Scanner) PassFiles(ctx context.Context, prev *State, paths []string) (*State, *Counts, error) {
	s.words = sourcetext.NewWordCounter()
	// The pass began when the last one did: that one looked at the other files.
	st := &State{Began: prev.Began, Mark: new(byte), Files: maps.Clone(prev.Files), Configs: prev.Configs, configStamps: prev.configStamps, Tree: prev.Tree}
	for _, k := range prev.Skips {
		if !slices.Contains(paths, k.Path) {
			st.Skips = append(st.Skips, k)
		}
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	var jobs []*job
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		delete(st.Files, p)
		leave := func(reason string, rule bool) { st.Skips = append(st.Skips, Skip{p, reason, rule}) }
		info, err := s.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			leave(walk.Reason(err), false)
			continue
		case !info.Mode().IsRegular():
			if !info.IsDir() {
				leave("not a regular file", true)
			}
			continue
		}
		fe, most := s.Frontend(p)
		if fe == nil {
			continue
		}
		if info.Size() > most {
			leave(tooLarge(info.Size(), most), true)
			continue
		}
		j := &job{path: p, stamp: walk.StampOf(info), fe: fe, prev: prev.Files[p]}
		if err := s.read(ctx, j); err != nil {
			return nil, nil, err
		}
		jobs = append(jobs, j)
		if j.skip != "" {
			leave(j.skip, j.byRule())
			continue
		}
		st.Files[p] = j.out
	}
	s.words = nil
	slices.SortFunc(st.Skips, func(a, b Skip) int { return strings.Compare(a.Path, b.Path) })
	ch := CountsOf(prev, st)
	ch.made(jobs)
	return st, ch, nil
}

// Stat describes a file without following a link.
func (s *Scanner) Stat(p string) (fs.FileInfo, error) { return fs.Lstat(s.FS, p) }

func tooLarge(size, most int64) string {
	return fmt.Sprintf("%d bytes, over the limit of %d", size, most)
}

// byRule tells whether a file that was skipped was not one to read at all: text is only guessed by name.
func (j *job) byRule() bool { return j.fe.Name() == "" }

// key gives the key of a job's facts, without the hash.
func (j *job) key() factpool.Key {
	return factpool.Key{Lang: j.fe.Name(), Ext: strings.ToLower(path.Ext(j.path)), Version: keyVersion(j.fe)}
}

// keyVersion gives the version in the keys of a front end's facts. How bytes became text is a part of it.
func keyVersion(fe lang.Frontend) int { return fe.FeatureVersion()<<8 | charset.Version }

// read makes j.out, or sets j.skip. The error is the context's.
func (s *Scanner) read(ctx context.Context, j *job) error {
	k := j.key()
	out := &File{Size: j.stamp.Size, Mtime: j.stamp.Mtime, Ctime: j.stamp.Ctime}
	raw, err := s.source(j.path, s.opt.MaxFile)
	if err != nil {
		j.skip = walk.Reason(err)
		return nil
	}
	src := charset.UTF8(j.path, raw)
	k.Hash = sha256.Sum256(raw)
	out.Key, out.Size, out.Generated = k, int64(len(raw)), sourcetext.IsGenerated(j.path, src)
	j.out = out
	if p := j.prev; p != nil && p.Key == k {
		out.Package, out.Record = p.Package, p.Record
		return nil
	}
	if out.Record = s.Cache[k]; out.Record != nil {
		out.Package = out.Record.Pkg
		return nil
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		j.skip = fmt.Sprintf("binary: a zero byte at offset %d", i)
		return nil
	}
	if !utf8.Valid(src) {
		j.skip = "binary: not UTF-8, and many control characters"
		return nil
	}
	if raw, err := s.Saved(k, int64(len(src))); err == nil {
		if facts, err := factcodec.Decode(raw); err == nil {
			out.Record, out.Package = &factpool.Record{Facts: raw, Pkg: facts.Package, Words: s.words.Count(facts, src)}, facts.Package
			return nil
		}
	}
	if facts, rec := s.visit.Get(k, int64(len(src))); facts != nil {
		rec.Words = s.words.Count(facts, src)
		out.Record, out.Package, j.reused = rec, rec.Pkg, true
		rec.Slim()
		return nil
	}
	facts, err := j.fe.Parse(ctx, j.path, src)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		j.skip = err.Error()
		return nil
	}
	out.Record, out.Package, j.parsed = factpool.NewRecord(facts, s.words.Count(facts, src)), facts.Package, k.Lang != ""
	s.visit.Put(k, out.Record)
	out.Record.Slim()
	return nil
}

// source reads the bytes of a file of at most a size.
func (s *Scanner) source(p string, most int64) ([]byte, error) {
	f, err := s.FS.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("over the limit of %d bytes", most)
	}
	return b, err
}
