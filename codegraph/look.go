package codegraph

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/walk"
)

// The kinds of files that a look finds; a file may be of both.
const (
	kindSource walk.Kind = 1 << iota // something reads it
	kindConfig                       // a resolver reads it
)

// A look is what stands in a repository at a moment, against a state before.
type look struct {
	same []unchanged // files that did not change since the state before
	jobs []*job      // the others, by path
}

// An early look is one at the folder alone, which needs nothing of the state before but its folders.
type early struct {
	began time.Time
	done  chan struct{} // closed when what follows is there
	found []walk.Found
	tree  *walk.Tree
	skips []skip
	err   error
}

// lookEarly begins a look; who waits for its end is the caller.
func (s *scanner) lookEarly(ctx context.Context, before *walk.Tree) {
	e := &early{began: s.now(), done: make(chan struct{})}
	s.early = e
	o := walk.LookOptions{Ignore: s.opt.ignore, Recipe: s.recipe(), Kind: s.kind, Began: e.began, Workers: s.opt.workers,
		Skip: func(p, reason string, rule bool) { e.skips = append(e.skips, skip{p, reason, rule}) }}
	go func() {
		defer close(e.done)
		e.found, e.tree, e.err = walk.Look(ctx, s.root, before, o)
	}()
}

type unchanged struct {
	path string
	file *fileState
}

// kind tells by its base name what a file is wanted for.
func (s *scanner) kind(name string) (k walk.Kind) {
	if fe, _ := s.frontend(name); fe != nil {
		k |= kindSource
	}
	if s.isConfig(name) {
		k |= kindConfig
		if s.byExt[path.Ext(name)] == nil {
			k |= walk.Forced
		}
	}
	return k
}

// walkVersion is one more whenever kind gives other answers for the same front ends.
const walkVersion = 1

// recipe tells the front ends and options that decide what belongs to the repository from others.
func (s *scanner) recipe() uint64 {
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q %q", walkVersion, slices.Sorted(maps.Keys(s.byExt)), slices.Sorted(maps.Keys(s.configs)), s.opt.ignore)
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// look lists the files to read, and reads the configuration files.
func (s *scanner) look(ctx context.Context, prev, st *state) (*look, error) {
	leave := func(p, reason string, rule bool) { st.skips = append(st.skips, skip{p, reason, rule}) }
	l := &look{}
	if s.root == "" {
		err := walk.Files(ctx, s.fsys, walk.Options{Ignore: s.opt.ignore, Skip: leave, Keep: func(_ string, d fs.DirEntry) bool {
			return s.kind(d.Name()) != 0
		}, Force: func(d fs.DirEntry) bool { return s.kind(d.Name())&walk.Forced != 0 }}, func(p string, d fs.DirEntry) error {
			info, err := d.Info()
			if err != nil {
				leave(p, walk.Reason(err), false)
				return nil
			}
			s.found(l, prev, st, walk.Found{Path: p, Kind: s.kind(d.Name()), Stamp: walk.StampOf(info)})
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("codegraph: scan: %w", err)
		}
	} else {
		if s.early == nil {
			var before *walk.Tree
			if prev != nil {
				before = prev.tree
			}
			s.lookEarly(ctx, before)
			st.began = s.early.began
		}
		e := s.early
		<-e.done
		s.early = nil
		if e.err != nil {
			return nil, fmt.Errorf("codegraph: scan: %w", e.err)
		}
		st.tree, st.skips = e.tree, append(st.skips, e.skips...)
		for _, f := range e.found {
			s.found(l, prev, st, f)
		}
	}
	slices.SortFunc(l.jobs, func(a, b *job) int { return strings.Compare(a.path, b.path) })
	return l, nil
}

// found takes one file in.
func (s *scanner) found(l *look, prev, st *state, f walk.Found) {
	if f.Kind&kindConfig != 0 {
		s.config(prev, st, f)
	}
	if f.Kind&kindSource == 0 {
		return
	}
	var p *fileState
	if prev != nil {
		p = prev.files[f.Path]
	}
	// Most files did not change since the last pass, which costs no more than a look. No limit is smaller than that of data.
	if p != nil && p.stamp() == f.Stamp && f.Stamp.Settled(prev.began) && f.Stamp.Size <= min(sourcetext.MaxData, s.opt.maxFile) && s.current(p) {
		l.same = append(l.same, unchanged{f.Path, p})
		return
	}
	fe, most := s.frontend(f.Path)
	if fe == nil {
		return
	}
	if f.Stamp.Size > most {
		st.skips = append(st.skips, skip{f.Path, tooLarge(f.Stamp.Size, most), true})
		return
	}
	j := &job{path: f.Path, stamp: f.Stamp, fe: fe, prev: p}
	if s.same(j, prev) {
		l.same = append(l.same, unchanged{f.Path, p})
	} else {
		l.jobs = append(l.jobs, j)
	}
}

// current tells whether the facts of a file are those that its front end would give.
func (s *scanner) current(f *fileState) bool {
	if f.key.Lang == s.known.Lang && f.key.Ext == s.known.Ext && f.key.Version == s.known.Version {
		return true
	}
	if f.key.Lang == "" {
		if s.byExt[f.key.Ext] != nil || f.key.Version != keyVersion(sourcetext.PlainText{}) {
			return false
		}
	} else if fe := s.byExt[f.key.Ext]; fe == nil || fe.Name() != f.key.Lang || keyVersion(fe) != f.key.Version {
		return false
	}
	s.known = f.key
	return true
}

// config reads a configuration file, unless it is as it was.
func (s *scanner) config(prev, st *state, f walk.Found) {
	if prev != nil && f.Stamp == prev.looks[f.Path] && f.Stamp.Settled(prev.began) {
		if b, ok := prev.configs[f.Path]; ok {
			st.configs[f.Path], st.looks[f.Path] = b, f.Stamp
			return
		}
	}
	b, err := s.small(f.Path)
	if err != nil {
		st.skips = append(st.skips, skip{f.Path, walk.Reason(err), false})
		return
	}
	st.configs[f.Path], st.looks[f.Path] = b, f.Stamp
}

func (s *scanner) small(p string) ([]byte, error) {
	f, err := s.fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err == nil && len(b) > maxConfig {
		err = fmt.Errorf("over the limit of %d bytes", maxConfig)
	}
	return charset.UTF8(p, b), err
}
