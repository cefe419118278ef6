package codegraph

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
	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/walk"
)

const maxConfig = 1 << 20 // bytes of a configuration file such as go.mod

// A state is the result of a pass over a repository.
type state struct {
	began   time.Time
	files   map[string]*fileState
	mark    *byte // states with the same map of files, and no others, have the same one
	configs map[string][]byte
	looks   map[string]walk.Stamp // of the configuration files
	skips   []skip
	tree    *walk.Tree // the folders; nil when they are not known
}

type fileState struct {
	size  int64
	mtime int64 // nanoseconds
	ctime int64 // nanoseconds; 0 where the system gives none
	key   factpool.Key
	pkg   string           // Facts.Package
	made  bool             // a program wrote it, see isGenerated
	rec   *factpool.Record // nil when it is not at hand: scanner.saved has it
}

// stamp gives what tells this state of the file from others, but for the content.
func (f *fileState) stamp() walk.Stamp {
	return walk.Stamp{Size: f.size, Mtime: f.mtime, Ctime: f.ctime}
}

// facts decodes the facts of a file.
func (s *scanner) facts(f *fileState, r *lang.Reader) (*lang.Facts, *lang.Table, error) {
	raw := []byte(nil)
	if f.rec != nil {
		if raw = f.rec.Facts; raw == nil {
			var err error
			if raw, err = codec.Unpack(f.rec.Packed, f.size); err != nil {
				return nil, nil, err
			}
		}
	} else {
		var err error
		if raw, err = s.saved(f.key, f.size); err != nil {
			return nil, nil, fmt.Errorf("%w: saved facts: %w", errs.Format, err)
		}
	}
	facts, table, err := r.Decode(raw)
	if err != nil {
		err = fmt.Errorf("%w: %w", errs.Format, err)
	}
	return facts, table, err
}

func (st *state) paths() []string {
	out := make([]string, 0, len(st.files))
	for p := range st.files {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// scanOptions are those of codegraph.Options that a scanner minds; none has a default.
type scanOptions struct {
	maxFile  int64
	ignore   []string
	workers  int
	logger   *slog.Logger
	progress func(path string, done, total int) // after a file was read
}

// A scanner reads a repository, pass by pass.
type scanner struct {
	fsys    fs.FS
	root    string       // the folder that fsys is; "" when it is none
	early   *early       // a look that began before the pass; nil when there is none
	known   factpool.Key // the last one that current told to be so, without its hash
	langs   []lang.Frontend
	byExt   map[string]lang.Frontend
	configs map[string]bool
	opt     scanOptions
	cache   map[factpool.Key]*factpool.Record
	now     func() time.Time
	pool    *factpool.Pool  // nil when facts are not kept
	visit   *factpool.Visit // of the pass

	// saved gives the facts saved under a key of a source of a size; the error wraps errs.NotFound when there are none.
	saved func(k factpool.Key, size int64) ([]byte, error)

	words *sourcetext.WordCounter // of the pass
}

func newScanner(fsys fs.FS, langs []lang.Frontend, opt scanOptions) (*scanner, error) {
	s := &scanner{fsys: fsys, langs: langs, byExt: map[string]lang.Frontend{}, configs: map[string]bool{}, opt: opt,
		known: factpool.Key{Version: -1}, cache: map[factpool.Key]*factpool.Record{}, now: time.Now, saved: func(factpool.Key, int64) ([]byte, error) { return nil, errs.NotFound }}
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
	prev  *fileState
	out   *fileState
	skip  string

	parsed, reused bool // by a front end; from the pool
}

// pass reads what changed since prev, which is nil for the first.
func (s *scanner) pass(ctx context.Context, prev *state) (*state, *counts, error) {
	st := &state{began: s.now(), mark: new(byte), configs: map[string][]byte{}, looks: map[string]walk.Stamp{}}
	if s.early != nil {
		st.began = s.early.began
	}
	l, err := s.look(ctx, prev, st)
	if err != nil {
		return nil, nil, err
	}
	return s.readAll(ctx, prev, st, l)
}

// readAll reads what a look found to be new or changed.
func (s *scanner) readAll(ctx context.Context, prev, st *state, l *look) (*state, *counts, error) {
	s.words = sourcetext.NewWordCounter()
	read := l.jobs
	workers := s.opt.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s.visit = s.pool.Visit(len(read))
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
		s.opt.progress(j.path, n, len(l.same)+len(read))
	}
	err := g.Wait()
	s.visit.End()
	s.visit = nil
	for _, j := range read {
		if j.out != nil && j.out.rec != nil {
			s.cache[j.out.key] = j.out.rec // kept even when the pass was interrupted
		}
	}
	if err != nil {
		return nil, nil, err
	}
	if prev != nil && len(read) == 0 && len(l.same) == len(prev.files) {
		st.files, st.mark = prev.files, prev.mark
	} else {
		st.files = make(map[string]*fileState, len(l.same)+len(read))
		for _, f := range l.same {
			st.files[f.path] = f.file
		}
	}
	for _, j := range read {
		if j.skip != "" {
			st.skips = append(st.skips, skip{Path: j.path, Reason: j.skip, Rule: j.byRule()})
			s.opt.logger.Info("codegraph: file skipped", "path", j.path, "reason", j.skip)
			continue
		}
		st.files[j.path] = j.out
	}
	ch := countsOf(prev, st)
	ch.made(read)
	s.words = nil // what they remember takes memory
	slices.SortFunc(st.skips, func(a, b skip) int { return strings.Compare(a.Path, b.Path) })
	return st, ch, nil
}

// frontend gives what reads a file and the most bytes it may have; nil for one that nothing reads.
func (s *scanner) frontend(p string) (lang.Frontend, int64) {
	if fe := s.byExt[strings.ToLower(path.Ext(p))]; fe != nil {
		return fe, s.opt.maxFile
	}
	if n := min(sourcetext.TextLimit(p), s.opt.maxFile); n > 0 && !s.isConfig(path.Base(p)) {
		return sourcetext.PlainText{}, n
	}
	return nil, 0
}

// isConfig tells whether a base name is one that a resolver reads. Names with a star are patterns.
func (s *scanner) isConfig(name string) bool {
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

// passFiles looks at some files of the state before, which must be there, and at no others.
func (s *scanner) passFiles(ctx context.Context, prev *state, paths []string) (*state, *counts, error) {
	s.words = sourcetext.NewWordCounter()
	// The pass began when the last one did: that one looked at the other files.
	st := &state{began: prev.began, mark: new(byte), files: maps.Clone(prev.files), configs: prev.configs, looks: prev.looks, tree: prev.tree}
	for _, k := range prev.skips {
		if !slices.Contains(paths, k.Path) {
			st.skips = append(st.skips, k)
		}
	}
	paths = slices.Compact(slices.Sorted(slices.Values(paths)))
	var jobs []*job
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		delete(st.files, p)
		leave := func(reason string, rule bool) { st.skips = append(st.skips, skip{p, reason, rule}) }
		info, err := s.stat(p)
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
		fe, most := s.frontend(p)
		if fe == nil {
			continue
		}
		if info.Size() > most {
			leave(tooLarge(info.Size(), most), true)
			continue
		}
		j := &job{path: p, stamp: walk.StampOf(info), fe: fe, prev: prev.files[p]}
		if err := s.read(ctx, j); err != nil {
			return nil, nil, err
		}
		jobs = append(jobs, j)
		if j.skip != "" {
			leave(j.skip, j.byRule())
			continue
		}
		st.files[p] = j.out
	}
	s.words = nil
	slices.SortFunc(st.skips, func(a, b skip) int { return strings.Compare(a.Path, b.Path) })
	ch := countsOf(prev, st)
	ch.made(jobs)
	return st, ch, nil
}

// stat describes a file without following a link.
func (s *scanner) stat(p string) (fs.FileInfo, error) { return fs.Lstat(s.fsys, p) }

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

// same makes j.out of the state before when the file did not change since. Size and times only short-cut the hash: a file
// written shortly before the last pass began may have changed after it within the clock's resolution.
func (s *scanner) same(j *job, prev *state) bool {
	p := j.prev
	if p == nil || p.stamp() != j.stamp || !j.stamp.Settled(prev.began) {
		return false
	}
	k := j.key()
	k.Hash = p.key.Hash
	if p.key != k {
		return false
	}
	j.out = p
	return true
}

// read makes j.out, or sets j.skip. The error is the context's.
func (s *scanner) read(ctx context.Context, j *job) error {
	k := j.key()
	out := &fileState{size: j.stamp.Size, mtime: j.stamp.Mtime, ctime: j.stamp.Ctime}
	raw, err := s.source(j.path)
	if err != nil {
		j.skip = walk.Reason(err)
		return nil
	}
	src := charset.UTF8(j.path, raw)
	k.Hash = sha256.Sum256(raw)
	out.key, out.size, out.made = k, int64(len(raw)), sourcetext.IsGenerated(j.path, src)
	j.out = out
	if p := j.prev; p != nil && p.key == k {
		out.pkg, out.rec = p.pkg, p.rec
		return nil
	}
	if out.rec = s.cache[k]; out.rec != nil {
		out.pkg = out.rec.Pkg
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
	if raw, err := s.saved(k, int64(len(src))); err == nil {
		if facts, err := lang.Decode(raw); err == nil {
			out.rec, out.pkg = &factpool.Record{Facts: raw, Pkg: facts.Package, Words: s.words.Count(facts, src)}, facts.Package
			return nil
		}
	}
	if facts, rec := s.visit.Get(k, int64(len(src))); facts != nil {
		rec.Words = s.words.Count(facts, src)
		out.rec, out.pkg, j.reused = rec, rec.Pkg, true
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
	out.rec, out.pkg, j.parsed = factpool.NewRecord(facts, s.words.Count(facts, src)), facts.Package, k.Lang != ""
	s.visit.Put(k, out.rec)
	out.rec.Slim()
	return nil
}

// source reads the bytes of a file.
func (s *scanner) source(p string) ([]byte, error) {
	f, err := s.fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, s.opt.maxFile+1))
	if err == nil && int64(len(b)) > s.opt.maxFile {
		err = fmt.Errorf("over the limit of %d bytes", s.opt.maxFile)
	}
	return b, err
}
