package scan

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
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

// A listing is what stands in a repository at a moment, against a state before.
type listing struct {
	same []unchanged // files that did not change since the state before
	jobs []*job      // the others, by path
}

// An Early look is one at the folder alone, which needs nothing of the state before but its folders.
type Early struct {
	began time.Time
	Done  chan struct{} // closed when what follows is there
	found []walk.Found
	tree  *walk.Tree
	skips []Skip
	err   error
}

// ListEarly begins a look; who waits for its end is the caller.
func (s *Scanner) ListEarly(ctx context.Context, before *walk.Tree) {
	e := &Early{began: s.Now(), Done: make(chan struct{})}
	s.Early = e
	o := walk.ScanOptions{Ignore: s.opt.Ignore, Recipe: s.recipe(), Kind: s.kind, Began: e.began, Workers: s.opt.Workers,
		Skip: func(p, reason string, rule bool) { e.skips = append(e.skips, Skip{p, reason, rule}) }}
	go func() {
		defer close(e.Done)
		e.found, e.tree, e.err = walk.Scan(ctx, s.Root, before, o)
	}()
}

type unchanged struct {
	path string
	file *File
}

// kind tells by its base name what a file is wanted for.
func (s *Scanner) kind(name string) (k walk.Kind) {
	if fe, _ := s.Frontend(name); fe != nil {
		k |= kindSource
	}
	if s.IsConfig(name) {
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
func (s *Scanner) recipe() uint64 {
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q %q", walkVersion, slices.Sorted(maps.Keys(s.byExt)), slices.Sorted(maps.Keys(s.configs)), s.opt.Ignore)
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// list lists the files to read, and reads the configuration files.
func (s *Scanner) list(ctx context.Context, prev, st *State) (*listing, error) {
	leave := func(p, reason string, rule bool) { st.Skips = append(st.Skips, Skip{p, reason, rule}) }
	l := &listing{}
	if s.Root == "" {
		err := walk.Files(ctx, s.FS, walk.Options{Ignore: s.opt.Ignore, Skip: leave, Keep: func(_ string, d fs.DirEntry) bool {
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
		if s.Early == nil {
			var before *walk.Tree
			if prev != nil {
				before = prev.Tree
			}
			s.ListEarly(ctx, before)
			st.Began = s.Early.began
		}
		e := s.Early
		<-e.Done
		s.Early = nil
		if e.err != nil {
			return nil, fmt.Errorf("codegraph: scan: %w", e.err)
		}
		st.Tree, st.Skips = e.tree, append(st.Skips, e.skips...)
		for _, f := range e.found {
			s.found(l, prev, st, f)
		}
	}
	slices.SortFunc(l.jobs, func(a, b *job) int { return strings.Compare(a.path, b.path) })
	return l, nil
}

// found takes one file in.
func (s *Scanner) found(l *listing, prev, st *State, f walk.Found) {
	if f.Kind&kindConfig != 0 {
		s.config(prev, st, f)
	}
	if f.Kind&kindSource == 0 {
		return
	}
	var p *File
	if prev != nil {
		p = prev.Files[f.Path]
	}
	// Size and times only short-cut the hash: a file written shortly before the last pass began may have changed after it within the clock's
	// resolution.
	same := p != nil && p.Stamp() == f.Stamp && f.Stamp.Settled(prev.Began) && s.Current(p)
	if same && f.Stamp.Size <= min(sourcetext.MaxData, s.opt.MaxFile) { // most files; no limit is smaller than that of data
		l.same = append(l.same, unchanged{f.Path, p})
		return
	}
	fe, most := s.Frontend(f.Path)
	if fe == nil {
		return
	}
	if f.Stamp.Size > most {
		st.Skips = append(st.Skips, Skip{f.Path, tooLarge(f.Stamp.Size, most), true})
		return
	}
	if same {
		l.same = append(l.same, unchanged{f.Path, p})
	} else {
		l.jobs = append(l.jobs, &job{path: f.Path, stamp: f.Stamp, fe: fe, prev: p})
	}
}

// Current tells whether the facts of a file are those that its front end would give.
func (s *Scanner) Current(f *File) bool {
	if f.Key.Lang == s.known.Lang && f.Key.Ext == s.known.Ext && f.Key.Version == s.known.Version {
		return true
	}
	if f.Key.Lang == "" {
		if s.byExt[f.Key.Ext] != nil || f.Key.Version != keyVersion(sourcetext.PlainText{}) {
			return false
		}
	} else if fe := s.byExt[f.Key.Ext]; fe == nil || fe.Name() != f.Key.Lang || keyVersion(fe) != f.Key.Version {
		return false
	}
	s.known = f.Key
	return true
}

// config reads a configuration file, unless it is as it was.
func (s *Scanner) config(prev, st *State, f walk.Found) {
	if prev != nil && f.Stamp == prev.configStamps[f.Path] && f.Stamp.Settled(prev.Began) {
		if b, ok := prev.Configs[f.Path]; ok {
			st.Configs[f.Path], st.configStamps[f.Path] = b, f.Stamp
			return
		}
	}
	b, err := s.source(f.Path, maxConfig)
	if err != nil {
		st.Skips = append(st.Skips, Skip{f.Path, walk.Reason(err), false})
		return
	}
	st.Configs[f.Path], st.configStamps[f.Path] = charset.UTF8(f.Path, b), f.Stamp
}
