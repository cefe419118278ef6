package symbols

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// Workspace returns the declarations below the root that match a query, the best matches first. The answer is that of the
// weakest server; when none could answer, the error is that of all.
func (c *Lister) Workspace(ctx context.Context, query string) ([]place.Symbol, session.Answer, error) {
	if len(query) > symbolname.MaxLength {
		return nil, session.Answer{}, fmt.Errorf("a query of %d bytes, the limit is %d: %w", len(query), symbolname.MaxLength, errs.TooLarge)
	}
	folders, err := c.pool.Folders(ctx)
	if err != nil {
		return nil, session.Answer{}, err
	}
	if len(folders) == 0 {
		return nil, session.Answer{}, fmt.Errorf("%s contains no file of a language with a known server: %w", c.pool.Tree.Root(), errs.Unsupported)
	}
	all, answer := []place.Symbol{}, session.Answer{State: session.Complete}
	var failures []error
	var servers, reasons []string
	answered := 0
	for i, f := range folders {
		if i == session.MaxFolders {
			reasons = append(reasons, fmt.Sprintf("%d workspace folders more were not asked", len(folders)-session.MaxFolders))
			break
		}
		list, a, err := c.folder(ctx, f, query)
		if err != nil {
			failures = append(failures, err)
			reasons = append(reasons, excerpt.Clip(err.Error(), 300))
			continue
		}
		answered++
		if !slices.Contains(servers, a.Server) {
			servers = append(servers, a.Server)
		}
		if a.State != session.Complete {
			reasons = append(reasons, a.Reason)
			if answer.State == session.Complete || a.State == session.Indexing {
				answer.State, answer.Progress = a.State, a.Progress
			}
		}
		all = append(all, list...)
	}
	if answered == 0 {
		return nil, answer, errors.Join(failures...)
	}
	if len(reasons) > 0 && answer.State == session.Complete {
		answer.State = session.Degraded
	}
	answer.Reason, answer.Server = strings.Join(reasons, "; "), strings.Join(servers, ", ")
	for i := range all {
		all[i].SplitName()
	}
	rankSymbols(all, query)
	return slices.CompactFunc(all, func(a, b place.Symbol) bool { return a.Selection == b.Selection && a.Name == b.Name }), answer, nil
}

// folder asks the server of one folder.
func (c *Lister) folder(ctx context.Context, f *session.Folder, query string) ([]place.Symbol, session.Answer, error) {
	if f.Err != nil {
		return nil, session.Answer{}, f.Err
	}
	type given struct {
		symbols []place.Symbol
		bad     string
	}
	a, err := session.Ask(ctx, f.Server, session.Question[given]{
		Method: protocol.MethodWorkspaceSymbol,
		Open:   f.Open,
		Same: func(a, b given) bool {
			return a.bad == b.bad && slices.EqualFunc(a.symbols, b.symbols, func(a, b place.Symbol) bool {
				return a.Name == b.Name && a.Selection == b.Selection
			})
		},
		Ask: func(ctx context.Context, s *session.Session) (given, error) {
			if !s.Offers(protocol.MethodWorkspaceSymbol) {
				return given{}, s.Unsupported("workspace symbols")
			}
			lack, err := complete.Of(s).Mentions.OpenAll(ctx)
			if err != nil {
				return given{}, err
			}
			var r wire.Symbols
			call := func() error {
				r = wire.Symbols{}
				return s.Call(ctx, protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: query}, &r)
			}
			if err := call(); err != nil {
				return given{}, err
			}
			list, bad := WorkspaceSymbols(s, r)
			if len(list) == 0 { // or only of files that are gone
				fresh, err := complete.Of(s).Mentions.OpenUncertain(ctx, query)
				if err == nil && fresh {
					if err = call(); err == nil {
						list, bad = WorkspaceSymbols(s, r)
					}
				}
				if err != nil {
					return given{}, err
				}
			}
			bad = cmp.Or(bad, lack, complete.Projects(s))
			if bad == "" && looksCut(len(r.List)) {
				bad = fmt.Sprintf("%s gave exactly %d symbols, which looks like its limit: a longer query gives the rest", s.Label, len(r.List))
			}
			if bad == "" && query == "" {
				bad = "servers take an empty query for all symbols, or for none"
			}
			return given{list, bad}, nil
		},
	})
	if err != nil {
		return nil, session.Answer{}, err
	}
	said := a.Answer()
	said.Degrade(a.Value.bad)
	return a.Value.symbols, said, nil
}

// looksCut reports whether a number of symbols is one at which servers stop: a power of two, or hundreds.
func looksCut(n int) bool {
	return n >= 64 && (n&(n-1) == 0 || n%100 == 0 && (n < 1000 || n%500 == 0))
}

// WorkspaceSymbols converts workspace symbols, sorted by place. One whose place is not below the root is left out. The
// second value says what else was left out.
func WorkspaceSymbols(s *session.Session, r wire.Symbols) ([]place.Symbol, string) {
	conv := s.Converter()
	list := []place.Symbol{}
	for _, w := range r.List {
		uri := w.Location.URI
		if w.Name == "" || uri == "" {
			conv.Reject("a symbol %q without a name or a place", excerpt.Clip(w.Name, 100))
			continue
		}
		f := conv.File(uri)
		if f.Abs == "" || !source.Below(s.Server.Pool.Tree.Root(), f.Abs) {
			continue
		}
		at, ok := w.Location.Range.Get()
		if !ok && w.Location.Range.Set() {
			conv.Reject("the symbol %q with half a place", excerpt.Clip(w.Name, 100))
			continue
		}
		if !ok {
			// Only the file is known: the name's first occurrence there is the best there is.
			if text := conv.Text(f.Abs); text != nil {
				at = protocol.Range{End: protocol.Position{Line: uint32(len(text.LineStarts(s.Lines())) - 1)}}
			}
		}
		loc, ok := conv.Location(uri, at)
		if !ok {
			continue
		}
		sym := place.Symbol{
			Name: symbolname.Plain(w.Name), Kind: session.KindName(w.Kind), Container: bareContainer(w.ContainerName), Detail: excerpt.Clip(w.Detail, 1000),
			Location: loc, Children: []place.Symbol{},
		}
		sym.Selection = conv.NameIn(f.Abs, loc, symbolname.Last(sym.Name)) // the place may be the whole declaration
		list = append(list, sym)
	}
	slices.SortStableFunc(list, func(a, b place.Symbol) int { return place.Compare(a.Selection, b.Selection) })
	return list, conv.Rejected()
}

// rankSymbols sorts by how well the name matches, then by place.
func rankSymbols(list []place.Symbol, query string) {
	rank := func(s place.Symbol) int {
		name := symbolname.Last(s.Name)
		switch {
		case name == query || s.Name == query:
			return 0
		case strings.EqualFold(name, query):
			return 1
		case len(name) > len(query) && strings.EqualFold(name[:len(query)], query):
			return 2
		}
		return 3
	}
	slices.SortStableFunc(list, func(a, b place.Symbol) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), place.Compare(a.Selection, b.Selection), cmp.Compare(a.Name, b.Name))
	})
}

// bareContainer returns a container without its type parameters, as people name it: rust-analyzer says "Receiver<T>".
func bareContainer(name string) string {
	if i := strings.IndexByte(name, '<'); i > 0 && strings.HasSuffix(name, ">") {
		return name[:i]
	}
	return name
}
