package findspot

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill/evidence"
)

var (
	errNoRepo = errors.New("no repository in the workspace: add one")
	errNoID   = errors.New("no entity id given")
)

// ReadLines returns lines of a file of a repository as an item of evidence. The path is relative to the root and may
// begin with "name//". The first and last line count from 1, inclusive; what lies behind the end of the file is left out.
func (w *Workspace) ReadLines(ctx context.Context, path string, first, last int) (evidence.Item, error) {
	repos, err := w.knownRepos()
	if err != nil {
		return evidence.Item{}, err
	}
	var bad error = fmt.Errorf("read %s: %w", path, errNoRepo)
	for _, r := range repos {
		local, ok := r.localID(path)
		if !ok {
			continue
		}
		data, err := readText(r.fsys, local, grepMaxFile)
		if err != nil {
			bad = fmt.Errorf("read %s: %w", path, err)
			continue
		}
		lines := bytes.SplitAfter(data, []byte("\n"))
		if n := len(lines); n > 0 && len(lines[n-1]) == 0 {
			lines = lines[:n-1]
		}
		if first < 1 || first > len(lines) {
			return evidence.Item{}, fmt.Errorf("read %s: %w: line %d; the file has %d lines", path, ErrNotFound, first, len(lines))
		}
		last = min(max(last, first), len(lines))
		it := evidence.Item{Kind: evidence.KindText, Via: "text", Text: string(bytes.Join(lines[first-1:last], nil)),
			At: evidence.Place{Repo: r.label(), Path: local, Line: first, EndLine: last}}
		if last < len(lines) {
			it.Note = fmt.Sprintf("the file goes on to line %d", len(lines))
		}
		return it, nil
	}
	return evidence.Item{}, bad
}

// eachServer calls ask for the repositories in turn until one answers. A symbol that one repository does not know may be
// in the next; the error of the last is returned when none answers.
func (w *Workspace) eachServer(ctx context.Context, ask func(*repo, *lspclient.Client) error) error {
	if w.opt.NoServers {
		return fmt.Errorf("language servers are switched off for this workspace: %w", ErrUnsupported)
	}
	repos, err := w.knownRepos()
	if err != nil {
		return err
	}
	err = errNoRepo
	for _, r := range repos {
		var lc *lspclient.Client
		if lc, err = r.servers(ctx); err != nil {
			return err
		}
		if err = ask(r, lc); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// Definition asks the language server where a symbol is defined. With several repositories the first that knows it
// answers.
func (w *Workspace) Definition(ctx context.Context, t lspclient.Target) (res *lspclient.Result, err error) {
	err = w.eachServer(ctx, func(_ *repo, lc *lspclient.Client) (err error) {
		res, err = lc.Definition(ctx, t, nil)
		return err
	})
	return res, err
}

// References asks the language server where a symbol is used; see [Workspace.Callers] for an answer that needs none.
func (w *Workspace) References(ctx context.Context, t lspclient.Target, o *lspclient.ReferenceOptions) (res *lspclient.Result, err error) {
	err = w.eachServer(ctx, func(_ *repo, lc *lspclient.Client) (err error) {
		res, err = lc.References(ctx, t, o)
		return err
	})
	return res, err
}

// Symbols asks the language server for the declarations of a file.
func (w *Workspace) Symbols(ctx context.Context, path string) (res *lspclient.SymbolResult, err error) {
	err = w.eachServer(ctx, func(_ *repo, lc *lspclient.Client) (err error) {
		res, err = lc.Symbols(ctx, path)
		return err
	})
	return res, err
}
