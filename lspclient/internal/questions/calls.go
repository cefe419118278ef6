package questions

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
	"github.com/findspot/findspot/lspclient/internal/symbols"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

const (
	// maxItems bounds the symbols that one target may mean to a call hierarchy, such as overloads.
	maxItems = 20
	// maxSites bounds the places of one call that are kept.
	maxSites = 1000
)

// Call is lspclient.Call, documented there.
type Call struct {
	Name      string
	Kind      string
	Detail    string
	Location  place.Location
	Selection place.Location
	Sites     []place.Location
}

// CallsResult is lspclient.CallsResult, documented there.
type CallsResult struct {
	Target place.Location
	session.Answer
	Calls     []Call
	Total     int
	Truncated bool
}

// Called is what a call hierarchy came to, still in the server's terms.
type Called struct {
	at   found
	none bool // the server has no call hierarchy for this symbol
	why  string
	Ends []wire.Call
	lost string
}

func sameCalls(a, b Called) bool {
	return a.at.target == b.at.target && a.none == b.none && a.lost == b.lost && slices.EqualFunc(a.Ends, b.Ends, func(a, b wire.Call) bool {
		return a.Name == b.Name && a.URI == b.URI && a.Label == b.Label && slices.Equal(a.Ranges, b.Ranges)
	})
}

// CallFinder finds who calls whom.
type CallFinder struct {
	pool *session.Pool
	find *Finder
}

// Incoming finds who calls the target.
func (c *CallFinder) Incoming(ctx context.Context, t symbols.Query, o *Options) (*CallsResult, error) {
	return c.calls(ctx, t, o, protocol.MethodCallHierarchyIncomingCalls)
}

// Outgoing finds what the target calls.
func (c *CallFinder) Outgoing(ctx context.Context, t symbols.Query, o *Options) (*CallsResult, error) {
	return c.calls(ctx, t, o, protocol.MethodCallHierarchyOutgoingCalls)
}

func (c *CallFinder) calls(ctx context.Context, t symbols.Query, o *Options, method string) (*CallsResult, error) {
	opt := o.WithDefaults()
	paths, err := NewPathFilter(opt.Paths)
	if err != nil {
		return nil, err
	}
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	spot, err := c.find.resolver.Resolve(ctx, t)
	if err != nil {
		return nil, named(t, err)
	}
	r, err := c.callsAt(ctx, spot, method)
	if err != nil {
		return nil, named(t, err)
	}
	if err := c.counterpartCalls(ctx, r, method); err != nil {
		return nil, named(t, err)
	}
	r.Note = excerpt.Join(spot.Note, r.Note)
	r.Calls = slices.DeleteFunc(r.Calls, func(call Call) bool { return !paths.Match(call.Location.Path) })
	r.Total = len(r.Calls)
	if len(r.Calls) > opt.Limit {
		r.Calls, r.Truncated = r.Calls[:opt.Limit], true
	}
	return r, nil
}

// callsAt asks for the calls of one declaration.
func (c *CallFinder) callsAt(ctx context.Context, spot *symbols.Spot, method string) (*CallsResult, error) {
	a, err := session.Ask(ctx, spot.Server, session.Question[Called]{
		Method: method,
		Same:   sameCalls,
		Open:   spot.Show,
		Ask: func(ctx context.Context, s *session.Session) (Called, error) {
			f, pos, err := pointAt(ctx, s, spot)
			if err != nil {
				return Called{}, err
			}
			if !s.Offers(protocol.MethodTextDocumentPrepareCallHierarchy) {
				return Called{at: f, none: true, why: s.Label + " has no call hierarchy"}, nil
			}
			if why := s.Server.Spec.Missing(method); why != "" {
				return Called{at: f, none: true, why: s.Label + " " + why}, nil
			}
			lack, err := complete.Of(s).OpenUsers(ctx, method, f.ident, pos)
			if err != nil {
				return Called{}, err
			}
			r, err := hierarchy(ctx, s, pos, method)
			if r.at = f; lack != "" {
				r.lost = lack
			}
			return r, err
		},
	})
	if err != nil {
		return nil, err
	}
	var r *CallsResult
	if a.Value.none {
		derive := c.derivedCallees
		if method == protocol.MethodCallHierarchyIncomingCalls {
			derive = c.derivedCallers
		}
		if r, err = derive(ctx, spot, a.Value.why); err != nil {
			return nil, err
		}
	} else {
		r = ConvertCalls(a)
		if method == protocol.MethodCallHierarchyOutgoingCalls && spot.Server.Spec.Reach.Macros {
			if err := c.macroCallees(ctx, spot, r); err != nil {
				return nil, err
			}
		}
	}
	if method == protocol.MethodCallHierarchyIncomingCalls {
		if err := c.underOtherNames(ctx, spot, r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// hierarchy asks for the symbols at a position, then for the calls of each.
func hierarchy(ctx context.Context, s *session.Session, pos protocol.TextDocumentPositionParams, method string) (Called, error) {
	var r Called
	var items wire.CallItems
	if err := s.Call(ctx, protocol.MethodTextDocumentPrepareCallHierarchy, &pos, &items); err != nil {
		return r, err
	}
	if len(items.Items) == 0 {
		r.none, r.why = true, s.Label+" has no call hierarchy for this symbol"
		return r, nil
	}
	lost := items.Lost
	if len(items.Items) > maxItems {
		lost.Add("%d symbols at one place, %d of them asked about", len(items.Items), maxItems)
		items.Items = items.Items[:maxItems]
	}
	for _, item := range items.Items {
		ends := wire.Calls{Item: item}
		params, err := json.Marshal(map[string]json.RawMessage{"item": item.Raw})
		if err != nil {
			return r, err
		}
		if err := s.Call(ctx, method, json.RawMessage(params), &ends); err != nil {
			return r, err
		}
		r.Ends = append(r.Ends, ends.Ends...)
		for range ends.Lost.Count {
			lost.Add("%s", ends.Lost.First)
		}
	}
	slices.SortStableFunc(r.Ends, func(a, b wire.Call) int {
		return cmp.Or(cmp.Compare(a.URI, b.URI), cmp.Compare(a.Label.Start.Line, b.Label.Start.Line),
			cmp.Compare(a.Label.Start.Character, b.Label.Start.Character), cmp.Compare(a.Name, b.Name))
	})
	r.lost = lost.String()
	return r, nil
}

// ConvertCalls converts an answer. Ends at the same place are one.
func ConvertCalls(a session.Reply[Called]) *CallsResult {
	conv := a.Session.Converter()
	r := &CallsResult{Target: a.Value.at.target, Calls: []Call{}, Answer: a.Answer()}
	r.Note = excerpt.Join(r.Note, a.Value.at.note)
	for _, e := range a.Value.Ends {
		sel, ok := conv.Location(e.URI, e.Label)
		if !ok {
			continue
		}
		loc, ok := conv.Location(e.URI, e.Whole)
		if !ok {
			loc = sel
		}
		call := Call{
			Name: symbolname.Plain(e.Name), Kind: session.KindName(e.Kind), Detail: excerpt.Clip(e.Detail, 1000),
			Location: loc, Selection: sel, Sites: []place.Location{},
		}
		if f := conv.File(e.URI); e.Name == f.Abs {
			call.Name = f.Rel // code outside of any function
		}
		for _, at := range e.Ranges {
			if site, ok := conv.Location(e.SiteURI, at); ok {
				call.Sites = append(call.Sites, site)
			}
		}
		r.add(call)
	}
	r.tidy()
	a.Session.Degrade(&r.Answer, a.Value.lost, conv.Rejected())
	return r
}

// add appends a call, or its sites to the call with the same end before it.
func (r *CallsResult) add(call Call) {
	for i := len(r.Calls) - 1; i >= 0 && r.Calls[i].Selection.Path == call.Selection.Path; i-- {
		if have := &r.Calls[i]; have.Selection == call.Selection && have.Name == call.Name {
			have.Sites = append(have.Sites, call.Sites...)
			return
		}
	}
	r.Calls = append(r.Calls, call)
}

// tidy sorts the calls and their sites, and bounds the sites.
func (r *CallsResult) tidy() {
	slices.SortStableFunc(r.Calls, func(a, b Call) int {
		return cmp.Or(place.Compare(a.Selection, b.Selection), cmp.Compare(a.Name, b.Name))
	})
	for i := range r.Calls {
		call := &r.Calls[i]
		slices.SortFunc(call.Sites, place.Compare)
		call.Sites = slices.Compact(call.Sites)
		if n := len(call.Sites); n > maxSites {
			call.Sites = call.Sites[:maxSites]
			r.Note = excerpt.Join(r.Note, fmt.Sprintf("%s has %d sites, the first %d are given", call.Name, n, maxSites))
		}
	}
}
