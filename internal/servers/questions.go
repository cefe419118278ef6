package servers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/lspclient"
)

// A Placed is a place that a server gave, with the entity around it.
type Placed struct {
	Entity codegraph.Entity `json:"entity"`
	lspclient.Location
	Text string `json:"text"`
}

// Places are the places that a server gave for a symbol.
type Places struct {
	lspclient.Result
	Repo   string   `json:"repo,omitempty"`
	Placed []Placed `json:"locations"`
}

// A Hover is what a server says of a symbol.
type Hover struct {
	lspclient.HoverResult
	Repo string `json:"repo,omitempty"`
}

// A Renaming is the preview of a renaming.
type Renaming struct {
	lspclient.RenameResult
	Repo string `json:"repo,omitempty"`
}

// A PlacedCall is one end of calls, with its entity.
type PlacedCall struct {
	lspclient.Call
	Entity codegraph.Entity `json:"entity"`
	Text   string           `json:"text"`
}

// Calls are the callers or callees of a function.
type Calls struct {
	lspclient.CallsResult
	Repo   string       `json:"repo,omitempty"`
	Placed []PlacedCall `json:"calls"`
}

// A PlacedDiagnostic is what a server complains about, with the entity around it.
type PlacedDiagnostic struct {
	lspclient.Diagnostic
	Entity codegraph.Entity `json:"entity"`
	Text   string           `json:"text"`
}

// Diagnostics are what a server complains about in one file.
type Diagnostics struct {
	lspclient.DiagnosticsResult
	Repo   string             `json:"repo,omitempty"`
	Placed []PlacedDiagnostic `json:"diagnostics"`
}

// A PlacedSymbol is a declaration that a server found, with its entity.
type PlacedSymbol struct {
	lspclient.Symbol
	Entity codegraph.Entity `json:"entity"`
	Repo   string           `json:"repo,omitempty"`
}

// Symbols are the symbols of all repositories whose names match a query.
type Symbols struct {
	lspclient.Answer
	Placed    []PlacedSymbol `json:"symbols"`
	Total     int            `json:"total"`
	Truncated bool           `json:"truncated"`
}

// A PlaceQuestion asks one server for places: one of the methods of [lspclient.Client].
type PlaceQuestion func(context.Context, *lspclient.Client, lspclient.Target) (*lspclient.Result, error)

// Places asks for the places of a symbol.
func (s *Servers) Places(ctx context.Context, t lspclient.Target, question PlaceQuestion) (*Places, error) {
	a, err := ask(ctx, s, t, func(r *lspclient.Result) lspclient.Location { return r.Target }, question)
	if err != nil {
		return nil, err
	}
	j := a.r.Locator(ctx)
	p := &Places{Result: *a.value, Repo: a.r.Label(), Placed: make([]Placed, 0, len(a.value.Locations))}
	for _, l := range a.value.Locations {
		p.Placed = append(p.Placed, place(ctx, j, l))
	}
	p.Note = joinNotes(p.Note, a.note, j.Note)
	return p, nil
}

// place finds the entity around a place.
func place(ctx context.Context, j *repository.Locator, l lspclient.Location) Placed {
	p := Placed{Location: l}
	if !l.Outside() {
		p.Entity, p.Text = j.Enclosing(ctx, l.Path, l.Line), j.Line(l.Path, l.Line)
	}
	return p
}

func joinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
}

// Hover asks for the signature and the documentation of a symbol.
func (s *Servers) Hover(ctx context.Context, t lspclient.Target) (*Hover, error) {
	a, err := ask(ctx, s, t, func(r *lspclient.HoverResult) lspclient.Location { return r.Target },
		func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.HoverResult, error) {
			return lc.Hover(ctx, t)
		})
	if err != nil {
		return nil, err
	}
	a.value.Note = joinNotes(a.value.Note, a.note)
	return &Hover{*a.value, a.r.Label()}, nil
}

// Rename asks what gives a symbol a new name.
func (s *Servers) Rename(ctx context.Context, t lspclient.Target, newName string, o *lspclient.RenameOptions) (*Renaming, error) {
	a, err := ask(ctx, s, t, func(r *lspclient.RenameResult) lspclient.Location { return r.Target },
		func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.RenameResult, error) {
			return lc.Rename(ctx, t, newName, o)
		})
	if err != nil {
		return nil, err
	}
	a.value.Note = joinNotes(a.value.Note, a.note)
	return &Renaming{*a.value, a.r.Label()}, nil
}

// Calls asks who calls a function, or what it calls.
func (s *Servers) Calls(ctx context.Context, t lspclient.Target, incoming bool, o *lspclient.QueryOptions) (*Calls, error) {
	a, err := ask(ctx, s, t, func(r *lspclient.CallsResult) lspclient.Location { return r.Target },
		func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.CallsResult, error) {
			if incoming {
				return lc.IncomingCalls(ctx, t, o)
			}
			return lc.OutgoingCalls(ctx, t, o)
		})
	if err != nil {
		return nil, err
	}
	j := a.r.Locator(ctx)
	out := &Calls{CallsResult: *a.value, Repo: a.r.Label(), Placed: make([]PlacedCall, 0, len(a.value.Calls))}
	out.Note = joinNotes(out.Note, a.note, j.Note)
	for _, c := range a.value.Calls {
		p := place(ctx, j, c.Selection)
		x := PlacedCall{Call: c, Entity: p.Entity, Text: p.Text}
		if len(c.Sites) > 0 {
			in := a.value.Target.Path // sites of outgoing calls lie in the function asked about
			if incoming {
				in = c.Selection.Path
			}
			x.Text = j.Line(cmp.Or(c.Sites[0].Path, in), c.Sites[0].Line)
		}
		out.Placed = append(out.Placed, x)
	}
	return out, nil
}

// aboutFile asks one server about a file, whose path may begin with the name of a repository.
func aboutFile[T any](ctx context.Context, s *Servers, file string, path func(T) string, question func(ctx context.Context, lc *lspclient.Client, path string) (T, error)) (answered[T], error) {
	return ask(ctx, s, lspclient.At(file, 1, 1), func(r T) lspclient.Location { return lspclient.Location{Path: path(r)} },
		func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (T, error) {
			p, _, _ := t.Place()
			return question(ctx, lc, p)
		})
}

// Diagnostics asks what is wrong in a file.
func (s *Servers) Diagnostics(ctx context.Context, file string, o *lspclient.DiagnosticOptions) (*Diagnostics, error) {
	a, err := aboutFile(ctx, s, file, func(r *lspclient.DiagnosticsResult) string { return r.Path },
		func(ctx context.Context, lc *lspclient.Client, path string) (*lspclient.DiagnosticsResult, error) {
			return lc.Diagnostics(ctx, path, o)
		})
	if err != nil {
		return nil, err
	}
	j := a.r.Locator(ctx)
	out := &Diagnostics{DiagnosticsResult: *a.value, Repo: a.r.Label(), Placed: make([]PlacedDiagnostic, 0, len(a.value.Diagnostics))}
	out.Note = joinNotes(out.Note, a.note, j.Note)
	for _, d := range a.value.Diagnostics {
		p := place(ctx, j, d.Location)
		out.Placed = append(out.Placed, PlacedDiagnostic{Diagnostic: d, Entity: p.Entity, Text: p.Text})
	}
	return out, nil
}

// Outline asks for the declarations of a file.
func (s *Servers) Outline(ctx context.Context, file string) (*lspclient.SymbolResult, error) {
	a, err := aboutFile(ctx, s, file, func(r *lspclient.SymbolResult) string { return r.Path },
		func(ctx context.Context, lc *lspclient.Client, path string) (*lspclient.SymbolResult, error) {
			return lc.Symbols(ctx, path)
		})
	return a.value, err
}

// Symbols asks the servers of all repositories for symbols whose names match a query. The state is that of the weakest answer.
func (s *Servers) Symbols(ctx context.Context, query string, o *lspclient.QueryOptions) (*Symbols, error) {
	to, err := s.route(lspclient.Named(query))
	if err != nil {
		return nil, err
	}
	answers, bad := each(ctx, to, func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.SymbolResult, error) {
		return lc.WorkspaceSymbols(ctx, t.Name(), o)
	})
	out := &Symbols{Answer: lspclient.Answer{State: lspclient.Complete}, Placed: []PlacedSymbol{}}
	var servers, reasons, notes []string
	weaken := func(s lspclient.State, reason string) {
		if s == lspclient.Complete {
			return
		}
		if out.State == lspclient.Complete || s != lspclient.Degraded {
			out.State = s
		}
		reasons = append(reasons, cmp.Or(reason, string(s)))
	}
	answered := false
	for i, a := range to {
		if bad[i] != nil {
			weaken(lspclient.Degraded, fmt.Sprintf("%s: %v", cmp.Or(a.r.Label(), "the repository"), bad[i]))
			continue
		}
		answered = true
		res := answers[i]
		weaken(res.State, res.Reason)
		servers, notes = append(servers, res.Server), append(notes, res.Note)
		out.Total += res.Total
		out.Truncated = out.Truncated || res.Truncated
		j := a.r.Locator(ctx)
		notes = append(notes, j.Note)
		for _, x := range res.Symbols {
			out.Placed = append(out.Placed, PlacedSymbol{Symbol: x, Entity: place(ctx, j, x.Selection).Entity, Repo: a.r.Label()})
		}
	}
	if !answered {
		return nil, bad[0]
	}
	slices.Sort(servers)
	out.Server, out.Reason, out.Note = strings.Join(slices.Compact(servers), ", "), strings.Join(reasons, "; "), joinNotes(notes...)
	return out, nil
}
