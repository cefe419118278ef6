package questions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/edit"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbols"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// maxCounterparts bounds the places that one target is asked about besides its own.
const maxCounterparts = 4

// counterparts returns the other declarations of a symbol: of those places of the list that are declarations, the ones of the
// same chain of names in the counterpart of their file, and they themselves. The first place is the target's own, which is none of them.
func (c *Finder) counterparts(ctx context.Context, here []place.Location) (own []place.Location, others []symbols.Query, err error) {
	add := func(d symbols.Declaration) {
		t := symbols.At(d.At.Path, d.At.Line, d.At.Col)
		if !slices.Contains(others, t) && len(others) < maxCounterparts && d.At.Start() != here[0].Start() {
			others = append(others, t)
		}
	}
	for _, l := range here {
		paths, _ := symbols.StubPaths(l.Path)
		for _, path := range paths {
			abs, err := c.pool.Tree.Existing(path)
			if err != nil {
				continue
			}
			if info, err := os.Stat(abs); err != nil || !info.Mode().IsRegular() {
				continue
			}
			list, err := c.resolver.Outline(ctx, c.pool.Absolute(l.Path))
			if err != nil {
				return nil, nil, err
			}
			i := slices.IndexFunc(list, func(d symbols.Declaration) bool {
				return d.At.Line == l.Line && d.At.Col == l.Col || d.Whole.Line == l.Line && d.Whole.Col == l.Col
			})
			if i < 0 {
				continue // a use, not a declaration
			}
			own = append(own, list[i].At.Start())
			if at := list[i].At.Start(); at != here[0].Start() { // asked at a use, a server may know one of them only
				add(list[i])
			}
			other, err := c.resolver.Outline(ctx, abs)
			if err != nil {
				return nil, nil, err
			}
			for _, d := range other {
				if slices.Equal(d.Chain, list[i].Chain) {
					add(d)
				}
			}
		}
	}
	return own, others, nil
}

// references asks for references, with the declarations or without them, of all declarations of the target.
func (c *Finder) references(ctx context.Context, t symbols.Query, declaration bool) (*symbols.Spot, session.Reply[found], error) {
	spot, a, err := c.referencesAt(ctx, t, declaration)
	if err != nil {
		return spot, a, err
	}
	own, others, err := c.counterparts(ctx, append([]place.Location{a.Value.target}, a.Value.declared...))
	if err != nil {
		a.Value.lost = excerpt.Join(a.Value.lost, fmt.Sprintf("its other declaration could not be diagnosis for: %v", err))
		return spot, a, nil
	}
	drop := map[place.Location]bool{}
	for _, l := range own {
		drop[l] = true
	}
	for _, other := range others {
		_, b, err := c.referencesAt(ctx, other, declaration)
		if err != nil {
			a.Value.lost = excerpt.Join(a.Value.lost, fmt.Sprintf("%v declares it too, and could not be asked about: %v", other, err))
			continue
		}
		if a.State == session.Complete {
			a.State, a.Reason, a.Percent = b.State, b.Reason, b.Percent
		}
		a.Value.lost = excerpt.Join(a.Value.lost, b.Value.lost)
		a.Value.places = append(slices.Clone(a.Value.places), b.Value.places...)
		drop[b.Value.target.Start()] = true
		for _, l := range b.Value.declared {
			drop[l.Start()] = true
		}
	}
	if len(others) > 0 {
		a.Value.places = wire.SortLocations(a.Value.places)
		if !declaration {
			conv := a.Session.Converter()
			a.Value.places = slices.DeleteFunc(a.Value.places, func(p wire.Location) bool {
				l, ok := conv.Location(p.URI, p.Range)
				return ok && drop[l.Start()]
			})
		}
	}
	return spot, a, nil
}

// counterpartCalls adds the calls of the other declarations of the target.
func (c *CallFinder) counterpartCalls(ctx context.Context, r *CallsResult, method string) error {
	_, others, err := c.find.counterparts(ctx, []place.Location{r.Target})
	if err != nil {
		return err
	}
	for _, other := range others {
		spot, err := c.find.resolver.Resolve(ctx, other)
		if err != nil {
			return err
		}
		more, err := c.callsAt(ctx, spot, method)
		if errors.Is(err, errs.Unsupported) {
			continue // a declaration without a body calls nothing
		}
		if err != nil {
			return err
		}
		for _, call := range more.Calls {
			r.add(call)
		}
		if r.State == session.Complete {
			r.State, r.Reason, r.Progress = more.State, more.Reason, more.Progress
		}
		r.tidy()
	}
	return nil
}

// renameCounterparts adds the edits of the other declarations of what is renamed. It returns why some may be missing.
func (c *Renamer) renameCounterparts(ctx context.Context, p *edit.Preview, a *session.Reply[renaming], newName string) (string, error) {
	_, others, err := c.find.counterparts(ctx, []place.Location{a.Value.at.target})
	if err != nil {
		return "", err
	}
	half := ""
	for _, other := range others {
		spot, err := c.find.resolver.Resolve(ctx, other)
		if err != nil {
			return "", err
		}
		b, err := c.renamed(ctx, spot, newName)
		if err != nil {
			if jsonrpc.IsEnded(err) || ctx.Err() != nil {
				return "", err
			}
			half = excerpt.Join(half, fmt.Sprintf("%v declares it too, and was not renamed: %v", other, err))
			continue
		}
		if a.State == session.Complete {
			a.State, a.Reason, a.Percent = b.State, b.Reason, b.Percent
		}
		half = excerpt.Join(half, b.Value.lack, b.Value.edit.Lost.String())
		if err := p.Add(b.Session, b.Value.edit); err != nil {
			return "", b.Session.Fail(protocol.MethodTextDocumentRename, err)
		}
	}
	return half, nil
}
