package servers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/lspclient"
)

// addressee is one repository that a question about a target goes to.
type addressee struct {
	r *repository.Repository
	t lspclient.Target // in the repository's own terms
}

// answered is the answer of one repository, with what others could not say.
type answered[T any] struct {
	value T
	r     *repository.Repository
	note  string
}

// maxAskedAtOnce bounds the repositories that are asked at the same time.
const maxAskedAtOnce = 4

// ask puts a question about a target to the language servers of the repositories that it may be in. A name that several of
// them know is ambiguous: target gives the place that an answer is about.
func ask[T any](ctx context.Context, s *Servers, t lspclient.Target, target func(T) lspclient.Location, question func(context.Context, *lspclient.Client, lspclient.Target) (T, error)) (answered[T], error) {
	var none answered[T]
	to, err := s.route(t)
	if err != nil {
		return none, err
	}
	answers, bad := each(ctx, to, question)
	var candidates []lspclient.Candidate
	var unknown, known error
	hit := -1
	var notes []string
	for i, a := range to {
		var many *lspclient.AmbiguousError
		switch {
		case bad[i] == nil:
			l := target(answers[i])
			l.Path = a.r.ID(l.Path)
			candidates = append(candidates, lspclient.Candidate{Name: t.String(), Location: l})
			hit = i
		case errors.As(bad[i], &many):
			for _, c := range many.Candidates {
				c.Location.Path = a.r.ID(c.Location.Path)
				candidates = append(candidates, c)
			}
		case errors.Is(bad[i], errs.NotFound):
			unknown = bad[i]
		default: // what keeps a repository from knowing the symbol says more than that another does not know it
			known = bad[i]
			if !errors.Is(bad[i], errs.Unsupported) {
				notes = append(notes, fmt.Sprintf("%s did not answer: %v", cmp.Or(a.r.Label(), a.r.Root), bad[i]))
			}
		}
	}
	switch {
	case len(candidates) > 1:
		return none, &lspclient.AmbiguousError{Name: t.String(), Candidates: candidates}
	case hit >= 0:
		return answered[T]{answers[hit], to[hit].r, strings.Join(notes, "; ")}, nil
	case known != nil:
		return none, known
	}
	return none, unknown
}

// each asks several repositories at once.
func each[T any](ctx context.Context, to []addressee, question func(context.Context, *lspclient.Client, lspclient.Target) (T, error)) ([]T, []error) {
	answers, bad := make([]T, len(to)), make([]error, len(to))
	var g errgroup.Group
	g.SetLimit(maxAskedAtOnce)
	for i, a := range to {
		g.Go(func() error {
			lc, err := a.r.Servers(ctx)
			if err == nil {
				answers[i], err = question(ctx, lc, a.t)
			}
			bad[i] = err
			return nil
		})
	}
	_ = g.Wait() // each keeps its own error
	return answers, bad
}

// route lists the repositories that a question about a target goes to: the one that it names, the ones that hold its file, or all.
func (s *Servers) route(t lspclient.Target) ([]addressee, error) {
	if s.Off {
		return nil, errOff
	}
	repos, err := s.Repos.Known()
	if err != nil {
		return nil, err
	}
	if len(repos) == 0 {
		return nil, repository.ErrNone
	}
	file, line, col := t.Place()
	var out []addressee
	for _, r := range repos {
		if file == "" {
			if local, ok := r.LocalID(t.Name()); ok {
				out = append(out, addressee{r, lspclient.Named(local)})
			}
			continue
		}
		if local, ok := r.LocalPath(file); ok {
			out = append(out, addressee{r, lspclient.At(local, line, col)})
		}
	}
	if file != "" && len(out) > 1 {
		held := slices.DeleteFunc(slices.Clone(out), func(a addressee) bool {
			p, _, _ := a.t.Place()
			return !a.r.Has(p)
		})
		if len(held) > 0 {
			out = held
		}
		if len(held) > 1 {
			err := &lspclient.AmbiguousError{Name: t.String()}
			for _, a := range held {
				err.Candidates = append(err.Candidates, lspclient.Candidate{Name: path.Base(file), Kind: "file", Location: lspclient.Location{Path: a.r.ID(file), Line: line, Col: col, EndLine: line, EndCol: col}})
			}
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%v: %w: no repository of the workspace has that name or contains that path", t, errs.NotFound)
	}
	return out, nil
}

// SetOverlay gives the unsaved text of a file to the servers; nil takes it back.
func (s *Servers) SetOverlay(ctx context.Context, file string, text []byte) error {
	to, err := s.route(lspclient.At(file, 1, 1))
	if err != nil {
		return fmt.Errorf("unsaved buffer: %w", err)
	}
	r := to[0].r
	if len(to) > 1 {
		return fmt.Errorf("unsaved buffer %s: several repositories may contain it: begin its path with the name of a repository, such as %s", file, r.ID(file))
	}
	p, _, _ := to[0].t.Place()
	p = path.Clean(p)
	r.Part()
	lc, err := r.Servers(ctx)
	if err != nil {
		return err
	}
	if text == nil {
		err = lc.RemoveOverlay(p)
	} else {
		err = lc.SetOverlay(p, text)
	}
	if err == nil {
		r.SetOverlay(p, text)
	}
	return err
}
