package callers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/lspclient"
)

// The bounds of asking servers for callers. ServerTimeout bounds all of it.
const (
	maxServerUses = 20_000          // uses of one symbol
	maxConfirmed  = 200             // uses of a method that are asked about before the graph believes them
	confirmFor    = 2 * time.Second // and the time for that
	serversAtOnce = 4
)

// serverAnswer is what the servers said of one symbol.
type serverAnswer struct {
	symbol codegraph.Entity // zero for a name that is no entity
	refs   *lspclient.Result
	calls  *lspclient.CallsResult // nil where the server has no call hierarchy
	err    error
}

// fromServers asks the language servers for the uses of each symbol, all within the time of ctx. It reports whether the
// answers are complete. Those that are also go into the graph, as exact, until a file changes.
func (s *search) fromServers(ctx, servers context.Context) (complete bool, err error) {
	if s.opt.NoServers {
		s.why("language servers were not asked")
		return false, nil
	}
	lc, err := s.r.Servers(ctx)
	if err != nil {
		return false, err
	}
	symbols := s.symbols
	if len(symbols) == 0 {
		symbols = []codegraph.Entity{{}}
	}
	answers := make([]serverAnswer, len(symbols))
	var g errgroup.Group
	g.SetLimit(serversAtOnce)
	for i, e := range symbols { // at once: that of one language must not wait for another's
		t := lspclient.Named(s.name)
		if e.ID != "" {
			l := s.namePlace(e)
			t = lspclient.At(l.Path, l.Line, l.Col)
		}
		g.Go(func() error {
			refs, err := lc.References(servers, t, &lspclient.ReferenceOptions{Limit: maxServerUses})
			answers[i] = serverAnswer{symbol: e, refs: refs, err: err}
			if err == nil && e.Kind == codegraph.KindFunction {
				// What is a call the server knows best: of operators, properties and decorators the text does not tell.
				if calls, err := lc.IncomingCalls(servers, t, &lspclient.QueryOptions{Limit: maxServerUses}); err == nil {
					answers[i].calls = calls
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return false, err
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	complete = true
	for _, a := range answers {
		if !s.fromServer(ctx, a) {
			complete = false
		}
	}
	if n := s.r.Unsaved(); n > 0 {
		complete = false
		s.why("%s: servers see them, and the graph and the text are those on disk", text.Plural(n, "unsaved buffer"))
	}
	return complete, s.overlay(ctx, servers, lc, answers)
}

// fromServer takes one answer; it reports whether that is complete.
func (s *search) fromServer(ctx context.Context, a serverAnswer) bool {
	var missing *lspclient.NotInstalledError
	switch {
	case errors.Is(a.err, errs.Closed):
		s.why("language server: %v", a.err)
		return false
	case errors.As(a.err, &missing):
		s.why("%v", missing)
		return false
	case errors.Is(a.err, context.DeadlineExceeded):
		s.why("the language server did not answer within %v: %v", s.opt.Timeout, a.err)
		return false
	case a.err != nil:
		s.why("language server: %v", a.err)
		return false
	}
	refs := a.refs
	if at := refs.Target; s.isOverlaid(at.Path) && len(s.symbols) > 0 {
		line := s.line(at.Path, at.Line)
		if at.Col < 1 || at.EndCol-1 > len(line) || at.EndCol < at.Col || line[at.Col-1:at.EndCol-1] != a.symbol.Name {
			s.why("the unsaved buffer of %s has something else where %s is declared on disk", at.Path, a.symbol.Name)
			return false
		}
	}
	s.looked("%s, %s", refs.Server, refs.State)
	complete := refs.State == lspclient.Complete && !refs.Truncated
	if !complete {
		why := cmp.Or(refs.Reason, string(refs.State))
		if refs.Truncated {
			why = fmt.Sprintf("%d of %d uses were taken", len(refs.Locations), refs.Total)
		}
		s.why("%s: %s", refs.Server, why)
	}
	if refs.State == lspclient.Complete {
		s.via(refs.Server)
		if Special(s.name) && len(s.symbols) > 0 {
			complete = false
			s.why("%s does not tell where the language calls %s", refs.Server, s.name)
		}
	}
	called := places{}
	if a.calls != nil && a.calls.Note == "" { // with a note they are derived from the text
		for _, c := range a.calls.Calls {
			for _, l := range c.Sites {
				if !l.Outside() && family(l.Path) != "go" { // gopls takes every use for a call
					called.add(codegraph.Location(l))
				}
			}
		}
	}
	for _, l := range refs.Locations {
		if l.Outside() {
			continue
		}
		s.via(refs.Server)
		s.use(ctx, codegraph.Location(l), called.has(codegraph.Location(l)), refs.Server, codegraph.LevelExact)
	}
	if !refs.Target.Outside() { // of a name that is no entity, the declaration
		s.explained.add(codegraph.Location(refs.Target))
	}
	return complete
}

// overlay lays what complete answers say over the repository's graph. A use of a function or a class is what the server says
// it is. With a method servers list the calls of those that it implements or overrides too, so each is asked about, as far as
// the time and the bounds go; the others stay what the graph took them for.
func (s *search) overlay(ctx, servers context.Context, lc *lspclient.Client, answers []serverAnswer) error {
	ask, cancel := context.WithTimeout(servers, confirmFor)
	defer cancel()
	asked := 0
	var list []lang.Observation
	for _, a := range answers {
		if a.err != nil || a.refs == nil || a.symbol.ID == "" || a.refs.State != lspclient.Complete || s.isOverlaid(a.refs.Target.Path) {
			continue
		}
		_, method := s.owner(a.symbol)
		for _, at := range a.refs.Locations {
			if at.Outside() || s.isOverlaid(at.Path) {
				continue
			}
			x, ok := s.r.Observation(a.refs, at, a.symbol.Name)
			if !ok {
				continue
			}
			if method {
				if asked++; asked > maxConfirmed || !isDefinition(ask, lc, at, a.refs.Target) {
					continue
				}
			}
			list = append(list, x)
		}
	}
	s.r.Believe(list)
	return ctx.Err()
}

func (s *search) isOverlaid(p string) bool {
	_, ok := s.r.Overlay(p)
	return ok
}

// isDefinition reports whether a server says that what stands at a place is the target itself.
func isDefinition(ctx context.Context, lc *lspclient.Client, at, target lspclient.Location) bool {
	def, err := lc.Definition(ctx, lspclient.At(at.Path, at.Line, at.Col), nil)
	return err == nil && def.State == lspclient.Complete && slices.ContainsFunc(def.Locations, func(d lspclient.Location) bool {
		return d.Path == target.Path && d.Line == target.Line
	})
}
