package findspot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

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

// askServers puts a question about a target to the language servers of the repositories that it may be in. A name that several of
// them know is ambiguous: target gives the place that an answer is about.
func askServers[T any](ctx context.Context, w *Workspace, t lspclient.Target, target func(T) lspclient.Location, ask func(context.Context, *lspclient.Client, lspclient.Target) (T, error)) (answered[T], error) {
	var none answered[T]
	to, err := w.askedFor(t)
	if err != nil {
		return none, err
	}
	answers, errs := make([]T, len(to)), make([]error, len(to))
	var g errgroup.Group
	g.SetLimit(maxAskedAtOnce)
	for i, a := range to {
		g.Go(func() error {
			lc, err := a.r.Servers(ctx)
			if err == nil {
				answers[i], err = ask(ctx, lc, a.t)
			}
			errs[i] = err
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return none, err
	}
	var candidates []lspclient.Candidate
	var unknown, known error
	hit := -1
	var notes []string
	for i, a := range to {
		var many *lspclient.AmbiguousError
		switch {
		case errs[i] == nil:
			l := target(answers[i])
			l.Path = a.r.ID(l.Path)
			candidates = append(candidates, lspclient.Candidate{Name: t.String(), Location: l})
			hit = i
		case errors.As(errs[i], &many):
			for _, c := range many.Candidates {
				c.Location.Path = a.r.ID(c.Location.Path)
				candidates = append(candidates, c)
			}
		case errors.Is(errs[i], ErrNotFound):
			unknown = errs[i]
		default: // what keeps a repository from knowing the symbol says more than that another does not know it
			known = errs[i]
			if !errors.Is(errs[i], ErrUnsupported) {
				notes = append(notes, fmt.Sprintf("%s did not answer: %v", cmp.Or(a.r.Label(), a.r.Root), errs[i]))
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

// askedFor tells which repositories a question about a target goes to: the one that it names, the ones that hold its file, or all.
func (w *Workspace) askedFor(t lspclient.Target) ([]addressee, error) {
	if w.opt.NoServers {
		return nil, fmt.Errorf("language servers are switched off for this workspace: %w", ErrUnsupported)
	}
	repos, err := w.knownRepos()
	if err != nil {
		return nil, err
	}
	if len(repos) == 0 {
		return nil, errNoRepo
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
		return nil, fmt.Errorf("%v: %w: no repository of the workspace has that name or holds that path", t, ErrNotFound)
	}
	return out, nil
}
