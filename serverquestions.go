package findspot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/lspclient"
)

// Definition asks the language server where a symbol is defined. A name is asked of every repository of the workspace; one that several
// know, or that means several symbols in one, is an *AmbiguousError. "name//" before a name or a path means the repository of that
// name. The other errors are those of [lspclient.Client.Definition], and [ErrUnsupported] where the workspace has no servers.
func (w *Workspace) Definition(ctx context.Context, t lspclient.Target, o *lspclient.QueryOptions) (*Places, error) {
	return w.places(ctx, t, func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.Result, error) {
		return lc.Definition(ctx, t, o)
	})
}

// TypeDefinition asks the language server where the type of a symbol is defined. Targets and errors are as in [Workspace.Definition].
func (w *Workspace) TypeDefinition(ctx context.Context, t lspclient.Target, o *lspclient.QueryOptions) (*Places, error) {
	return w.places(ctx, t, func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.Result, error) {
		return lc.TypeDefinition(ctx, t, o)
	})
}

// Implementation asks the language server what implements an interface or a method of one, or overrides a method. Targets and errors are
// as in [Workspace.Definition].
func (w *Workspace) Implementation(ctx context.Context, t lspclient.Target, o *lspclient.QueryOptions) (*Places, error) {
	return w.places(ctx, t, func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.Result, error) {
		return lc.Implementation(ctx, t, o)
	})
}

// References asks the language server where a symbol is used; [Places.Entities] are the functions that use it. Targets and errors are
// as in [Workspace.Definition]; [Workspace.Callers] gives an answer that needs no server.
func (w *Workspace) References(ctx context.Context, t lspclient.Target, o *lspclient.ReferenceOptions) (*Places, error) {
	return w.places(ctx, t, func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.Result, error) {
		return lc.References(ctx, t, o)
	})
}

func (w *Workspace) places(ctx context.Context, t lspclient.Target, ask func(context.Context, *lspclient.Client, lspclient.Target) (*lspclient.Result, error)) (*Places, error) {
	a, err := askServers(ctx, w, t, func(r *lspclient.Result) lspclient.Location { return r.Target }, ask)
	if err != nil {
		return nil, err
	}
	a.value.Note = joinNotes(a.value.Note, a.note)
	return placed(ctx, a.r, a.value), nil
}

// A Hover is what a language server says of a symbol.
type Hover struct {
	lspclient.HoverResult
	Repo string `json:"repo,omitempty"` // the repository's name where there are several
}

// Hover asks the language server for the signature and the documentation of a symbol. Targets and errors are as in
// [Workspace.Definition].
func (w *Workspace) Hover(ctx context.Context, t lspclient.Target) (*Hover, error) {
	a, err := askServers(ctx, w, t, func(r *lspclient.HoverResult) lspclient.Location { return r.Target },
		func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.HoverResult, error) {
			return lc.Hover(ctx, t)
		})
	if err != nil {
		return nil, err
	}
	a.value.Note = joinNotes(a.value.Note, a.note)
	return &Hover{HoverResult: *a.value, Repo: a.r.Label()}, nil
}

// A PlacedCall is one end of calls, joined with the code graph.
type PlacedCall struct {
	lspclient.Call
	// Entity is the caller or callee in the graph: the innermost function or class around its name, else its file. It is the zero
	// Entity outside of the repository.
	Entity codegraph.Entity `json:"entity"`
	Text   string           `json:"text"` // the line of the first site, as in Placed
}

// CallList is the answer to a question about calls. It says of itself what [lspclient.CallsResult] does.
type CallList struct {
	lspclient.CallsResult
	Repo   string       `json:"repo,omitempty"` // the repository's name where there are several
	Placed []PlacedCall `json:"calls"`          // one for each of Calls, in their order; never null in JSON
}

// IncomingCalls asks the language server who calls a function. Targets and errors are as in [Workspace.Definition];
// [Workspace.Callers] gives an answer that needs no server, and uses that are no calls.
func (w *Workspace) IncomingCalls(ctx context.Context, t lspclient.Target, o *lspclient.QueryOptions) (*CallList, error) {
	return w.callList(ctx, t, true, func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.CallsResult, error) {
		return lc.IncomingCalls(ctx, t, o)
	})
}

// OutgoingCalls asks the language server what a function calls. Targets and errors are as in [Workspace.Definition].
func (w *Workspace) OutgoingCalls(ctx context.Context, t lspclient.Target, o *lspclient.QueryOptions) (*CallList, error) {
	return w.callList(ctx, t, false, func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.CallsResult, error) {
		return lc.OutgoingCalls(ctx, t, o)
	})
}

func (w *Workspace) callList(ctx context.Context, t lspclient.Target, incoming bool, ask func(context.Context, *lspclient.Client, lspclient.Target) (*lspclient.CallsResult, error)) (*CallList, error) {
	a, err := askServers(ctx, w, t, func(r *lspclient.CallsResult) lspclient.Location { return r.Target }, ask)
	if err != nil {
		return nil, err
	}
	j := a.r.Locator(ctx)
	out := &CallList{CallsResult: *a.value, Repo: a.r.Label(), Placed: make([]PlacedCall, 0, len(a.value.Calls))}
	out.Note = joinNotes(out.Note, a.note, j.Note)
	for _, c := range a.value.Calls {
		p := placeOf(ctx, j, c.Selection)
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

// A PlacedDiagnostic is what a language server complains about, joined with the code graph.
type PlacedDiagnostic struct {
	lspclient.Diagnostic
	Entity codegraph.Entity `json:"entity"` // the innermost function or class around the place, else the file
	Text   string           `json:"text"`   // the place's first line, as in Placed
}

// DiagnosticList is what a language server complains about in one file. It says of itself what [lspclient.DiagnosticsResult] does.
type DiagnosticList struct {
	lspclient.DiagnosticsResult
	Repo   string             `json:"repo,omitempty"` // the repository's name where there are several
	Placed []PlacedDiagnostic `json:"diagnostics"`    // one for each of Diagnostics, in their order; never null in JSON
}

// Diagnostics asks the language server what it complains about in a file. The path may begin with "name//" of a repository. The errors
// are those of [Workspace.Definition].
func (w *Workspace) Diagnostics(ctx context.Context, file string, o *lspclient.DiagnosticOptions) (*DiagnosticList, error) {
	a, err := askServers(ctx, w, lspclient.At(file, 1, 1), func(r *lspclient.DiagnosticsResult) lspclient.Location { return lspclient.Location{Path: r.Path} },
		func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.DiagnosticsResult, error) {
			p, _, _ := t.Place()
			return lc.Diagnostics(ctx, p, o)
		})
	if err != nil {
		return nil, err
	}
	j := a.r.Locator(ctx)
	out := &DiagnosticList{DiagnosticsResult: *a.value, Repo: a.r.Label(), Placed: make([]PlacedDiagnostic, 0, len(a.value.Diagnostics))}
	out.Note = joinNotes(out.Note, a.note, j.Note)
	for _, d := range a.value.Diagnostics {
		p := placeOf(ctx, j, d.Location)
		out.Placed = append(out.Placed, PlacedDiagnostic{Diagnostic: d, Entity: p.Entity, Text: p.Text})
	}
	return out, nil
}

// A Renaming is the preview of a renaming. Nothing has been written.
type Renaming struct {
	lspclient.RenameResult
	Repo string `json:"repo,omitempty"` // the repository's name where there are several; paths are relative to its root
}

// Rename asks the language server what gives a symbol a new name, as edits and as a diff. It writes nothing. Targets are as in
// [Workspace.Definition], errors as in [lspclient.Client.Rename].
func (w *Workspace) Rename(ctx context.Context, t lspclient.Target, newName string, o *lspclient.RenameOptions) (*Renaming, error) {
	a, err := askServers(ctx, w, t, func(r *lspclient.RenameResult) lspclient.Location { return r.Target },
		func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.RenameResult, error) {
			return lc.Rename(ctx, t, newName, o)
		})
	if err != nil {
		return nil, err
	}
	a.value.Note = joinNotes(a.value.Note, a.note)
	return &Renaming{RenameResult: *a.value, Repo: a.r.Label()}, nil
}

// Symbols asks the language server for the declarations of a file. The path may begin with "name//" of a repository.
func (w *Workspace) Symbols(ctx context.Context, file string) (*lspclient.SymbolResult, error) {
	a, err := askServers(ctx, w, lspclient.At(file, 1, 1), func(r *lspclient.SymbolResult) lspclient.Location { return lspclient.Location{Path: r.Path} },
		func(ctx context.Context, lc *lspclient.Client, t lspclient.Target) (*lspclient.SymbolResult, error) {
			p, _, _ := t.Place()
			return lc.Symbols(ctx, p)
		})
	return a.value, err
}

// A PlacedSymbol is a declaration that a language server found, joined with the code graph.
type PlacedSymbol struct {
	lspclient.Symbol
	Entity codegraph.Entity `json:"entity"` // the innermost function or class around its name, else its file
	Repo   string           `json:"repo,omitempty"`
}

// SymbolList holds the symbols of all repositories whose names match a query.
type SymbolList struct {
	lspclient.Answer                // its state is that of the weakest answer
	Placed           []PlacedSymbol `json:"symbols"` // by repository, in the order of addition; best matches first in each; never null in JSON
	Total            int            `json:"total"`   // before the limit
	Truncated        bool           `json:"truncated"`
}

// None reports whether there is no such symbol, by complete answers.
func (l *SymbolList) None() bool { return l.Total == 0 && l.State == lspclient.Complete }

// WorkspaceSymbols asks the language servers of all repositories for symbols whose names match a query, see
// [lspclient.Client.WorkspaceSymbols]. The limit holds for each repository. When a repository has no answer the state is degraded; when none
// has, the error is that of the first.
func (w *Workspace) WorkspaceSymbols(ctx context.Context, query string, o *lspclient.QueryOptions) (*SymbolList, error) {
	to, err := w.askedFor(lspclient.Named(query))
	if err != nil {
		return nil, err
	}
	answers, errs := make([]*lspclient.SymbolResult, len(to)), make([]error, len(to))
	var g errgroup.Group
	g.SetLimit(maxAskedAtOnce)
	for i, a := range to {
		g.Go(func() error {
			lc, err := a.r.Servers(ctx)
			if err == nil {
				answers[i], err = lc.WorkspaceSymbols(ctx, a.t.Name(), o)
			}
			errs[i] = err
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := &SymbolList{Answer: lspclient.Answer{State: lspclient.Complete}, Placed: []PlacedSymbol{}}
	var servers, reasons, notes []string
	weaken := func(s lspclient.State, reason string) {
		if s != lspclient.Complete && (out.State == lspclient.Complete || s != lspclient.Degraded) {
			out.State = s
		}
		if s != lspclient.Complete {
			reasons = append(reasons, cmp.Or(reason, string(s)))
		}
	}
	answered := 0
	for i, a := range to {
		if errs[i] != nil {
			weaken(lspclient.Degraded, fmt.Sprintf("%s: %v", cmp.Or(a.r.Label(), "the repository"), errs[i]))
			continue
		}
		answered++
		res := answers[i]
		weaken(res.State, res.Reason)
		servers, notes = append(servers, res.Server), append(notes, res.Note)
		out.Total += res.Total
		out.Truncated = out.Truncated || res.Truncated
		j := a.r.Locator(ctx)
		notes = append(notes, j.Note)
		for _, s := range res.Symbols {
			out.Placed = append(out.Placed, PlacedSymbol{Symbol: s, Entity: placeOf(ctx, j, s.Selection).Entity, Repo: a.r.Label()})
		}
	}
	if answered == 0 {
		return nil, errs[0]
	}
	slices.Sort(servers)
	out.Server, out.Reason, out.Note = strings.Join(slices.Compact(servers), ", "), strings.Join(reasons, "; "), joinNotes(notes...)
	return out, nil
}
