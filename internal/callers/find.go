package callers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/repository"
)

// maxSymbols bounds the entities that one name may stand for in one question.
const maxSymbols = 8

// Search finds the uses of the symbol of that name, an entity's id or a name as people write it, in repositories that are open; their sources are read again before. A
// name that is no entity but is written in the code is searched for too; one that is neither is an error wrapping [errs.NotFound], with near names.
func Search(ctx context.Context, repos []*repository.Repository, name string, o Options) (*Result, error) {
	o.Timeout = cmp.Or(max(o.Timeout, 0), 30*time.Second)
	res := &Result{Asked: name, Symbols: []codegraph.Entity{}, Declared: []codegraph.Entity{}, Looked: []string{}, Checked: time.Now().UTC()}
	var near []string
	none, known := VerifiedNone, false
	for _, r := range repos {
		local, ok := r.LocalID(name)
		if !ok {
			continue
		}
		if err := r.Refresh(ctx); err != nil {
			return nil, err
		}
		g := r.Graph()
		symbols := slices.DeleteFunc(g.Named(local), func(e codegraph.Entity) bool { return !repository.IsCode(e) })
		if len(symbols) == 0 {
			// A constant, a variable or a field is no entity, and can be asked for all the same.
			written, err := r.Written(ctx, local)
			if err != nil {
				return nil, err
			}
			if !written {
				near = append(near, g.Near(local, 5)...)
				continue
			}
			known = true
		}
		all, declared, err := withOther(ctx, g, symbols)
		if err != nil {
			return nil, err
		}
		if len(all)-len(declared) > maxSymbols {
			var ids []string
			for _, e := range all {
				if !declared[e.ID] {
					ids = append(ids, r.ID(e.ID))
				}
			}
			return nil, fmt.Errorf("callers of %q: names %d entities; ask for one of them, such as %s", name, len(ids), strings.Join(ids[:maxSymbols], ", "))
		}
		found, err := inRepository(ctx, r, g, local, all, declared, o)
		if err != nil {
			return nil, err
		}
		if found.Verdict == NoneKnown {
			none = NoneKnown
		}
		res.add(found)
	}
	if len(res.Symbols) == 0 && !known {
		err := fmt.Errorf("callers of %q: %w", name, errs.NotFound)
		if len(near) > 0 {
			err = fmt.Errorf("%w; near names: %s", err, strings.Join(near, ", "))
		}
		return nil, err
	}
	slices.SortStableFunc(res.Uses, func(a, b Use) int {
		if a.Call != b.Call {
			return map[bool]int{true: -1, false: 1}[a.Call]
		}
		return cmp.Or(cmp.Compare(a.Repo, b.Repo), cmp.Compare(a.Entity.ID, b.Entity.ID))
	})
	if res.Verdict = none; len(res.Uses) > 0 {
		res.Verdict = Found
	}
	return res, nil
}

// add takes in what one repository gave.
func (res *Result) add(s *Result) {
	res.Symbols = append(res.Symbols, s.Symbols...)
	res.Declared = append(res.Declared, s.Declared...)
	res.Via = cmp.Or(res.Via, s.Via)
	res.Uses = append(res.Uses, s.Uses...)
	res.Unresolved += s.Unresolved
	res.Outside += s.Outside
	res.Looked = append(res.Looked, s.Looked...)
	res.Unexplained += s.Unexplained
	res.Unread = append(res.Unread, s.Unread[:min(len(s.Unread), maxUnread-len(res.Unread))]...)
	for _, why := range s.Why {
		if !slices.Contains(res.Why, why) {
			res.Why = append(res.Why, why)
		}
	}
}
