package findspot

import (
	"context"
	"fmt"

	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/servers"
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

func (w *Workspace) places(ctx context.Context, t lspclient.Target, question servers.PlaceQuestion) (*Places, error) {
	a, err := w.servers.Places(ctx, t, question)
	if err != nil {
		return nil, err
	}
	return &Places{a.Result, a.Repo, convert(a.Placed, func(p servers.Placed) Placed { return Placed(p) })}, nil
}

// convert makes the elements of a list those that users see; never nil.
func convert[From, To any](list []From, to func(From) To) []To {
	out := make([]To, 0, len(list))
	for _, x := range list {
		out = append(out, to(x))
	}
	return out
}

// Hover asks the language server for the signature and the documentation of a symbol. Targets and errors are as in
// [Workspace.Definition].
func (w *Workspace) Hover(ctx context.Context, t lspclient.Target) (*Hover, error) {
	h, err := w.servers.Hover(ctx, t)
	return (*Hover)(h), err
}

// IncomingCalls asks the language server who calls a function. Targets and errors are as in [Workspace.Definition];
// [Workspace.Callers] gives an answer that needs no server, and uses that are no calls.
func (w *Workspace) IncomingCalls(ctx context.Context, t lspclient.Target, o *lspclient.QueryOptions) (*CallList, error) {
	return w.calls(ctx, t, true, o)
}

// OutgoingCalls asks the language server what a function calls. Targets and errors are as in [Workspace.Definition].
func (w *Workspace) OutgoingCalls(ctx context.Context, t lspclient.Target, o *lspclient.QueryOptions) (*CallList, error) {
	return w.calls(ctx, t, false, o)
}

func (w *Workspace) calls(ctx context.Context, t lspclient.Target, incoming bool, o *lspclient.QueryOptions) (*CallList, error) {
	a, err := w.servers.Calls(ctx, t, incoming, o)
	if err != nil {
		return nil, err
	}
	return &CallList{a.CallsResult, a.Repo, convert(a.Placed, func(c servers.PlacedCall) PlacedCall { return PlacedCall(c) })}, nil
}

// Diagnostics asks the language server what it complains about in a file. The path may begin with "name//" of a repository. The errors
// are those of [Workspace.Definition].
func (w *Workspace) Diagnostics(ctx context.Context, file string, o *lspclient.DiagnosticOptions) (*DiagnosticList, error) {
	a, err := w.servers.Diagnostics(ctx, file, o)
	if err != nil {
		return nil, err
	}
	return &DiagnosticList{a.DiagnosticsResult, a.Repo, convert(a.Placed, func(d servers.PlacedDiagnostic) PlacedDiagnostic { return PlacedDiagnostic(d) })}, nil
}

// Rename asks the language server what gives a symbol a new name, as edits and as a diff. It writes nothing. Targets are as in
// [Workspace.Definition], errors as in [lspclient.Client.Rename].
func (w *Workspace) Rename(ctx context.Context, t lspclient.Target, newName string, o *lspclient.RenameOptions) (*Renaming, error) {
	r, err := w.servers.Rename(ctx, t, newName, o)
	return (*Renaming)(r), err
}

// Symbols asks the language server for the declarations of a file. The path may begin with "name//" of a repository.
func (w *Workspace) Symbols(ctx context.Context, file string) (*lspclient.SymbolResult, error) {
	return w.servers.Outline(ctx, file)
}

// WorkspaceSymbols asks the language servers of all repositories for symbols whose names match a query, see
// [lspclient.Client.WorkspaceSymbols]. The limit holds for each repository. When a repository has no answer the state is degraded; when none
// has, the error is that of the first.
func (w *Workspace) WorkspaceSymbols(ctx context.Context, query string, o *lspclient.QueryOptions) (*SymbolList, error) {
	a, err := w.servers.Symbols(ctx, query, o)
	if err != nil {
		return nil, err
	}
	return &SymbolList{a.Answer, convert(a.Placed, func(s servers.PlacedSymbol) PlacedSymbol { return PlacedSymbol(s) }), a.Total, a.Truncated}, nil
}

// Servers reports which language servers are installed, running and ready for the repositories of the workspace, or for the folder
// "." when there is none: the servers of a repository by name, in the order of repositories. It starts none.
func (w *Workspace) Servers(ctx context.Context) ([]ServerStatus, error) {
	out := []ServerStatus{}
	err := w.servers.Clients(ctx, func(repo string, lc *lspclient.Client) error {
		for _, st := range lc.Servers(ctx) {
			out = append(out, ServerStatus{repo, st})
		}
		return nil
	})
	return out, err
}

// StartServers starts the servers that the files of the repositories need, and waits until each has read its folder, see
// [lspclient.Client.Start]: questions after it find them ready. How far they are, [Workspace.Servers] tells meanwhile.
func (w *Workspace) StartServers(ctx context.Context) ([]StartedServer, error) {
	out := []StartedServer{}
	if err := w.servers.Start(ctx, func(repo string, s lspclient.StartedServer) { out = append(out, StartedServer{repo, s}) }); err != nil {
		return nil, err
	}
	return out, nil
}

// SetOverlay gives the unsaved text of a file, which every question to a language server sees from then on, whether the file is on
// disk or not. The code graph and searches of text stay with what is on disk, and [Workspace.Callers] says so. The path may begin
// with "name//" of a repository.
func (w *Workspace) SetOverlay(ctx context.Context, file string, text []byte) error {
	return w.servers.SetOverlay(ctx, file, append([]byte{}, text...))
}

// RemoveOverlay takes the unsaved text of a file back. Without one it does nothing.
func (w *Workspace) RemoveOverlay(ctx context.Context, file string) error {
	return w.servers.SetOverlay(ctx, file, nil)
}

// Observe asks the language servers who refers to the entities with these ids, and lays what they say over the graphs of the
// workspace as exact: see [codegraph.Graph.Overlay]. All queries see it, until a file changes: then what was observed there no longer
// counts. Nothing is written to disk. A server whose answer is not complete is not believed, which Notes says; a reference counts when
// the server's own definition of the place is the entity, since servers list with a method also the calls of those it
// implements. At most 200 references of an entity are looked at. An unknown id is an error that wraps [ErrNotFound]; without servers the error
// wraps [ErrUnsupported].
func (w *Workspace) Observe(ctx context.Context, ids []string) (*Observed, error) {
	if w.opt.NoServers {
		return nil, fmt.Errorf("language servers are disabled for this workspace: %w", ErrUnsupported)
	}
	repos, err := w.repos.Opened(ctx)
	if err != nil {
		return nil, err
	}
	out, err := callers.Observe(ctx, repos, ids)
	return (*Observed)(out), err
}
