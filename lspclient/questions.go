package lspclient

import (
	"context"
	"slices"

	"github.com/findspot/findspot/lspclient/internal/edit"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/questions"
)

// Definition returns where the target is defined, usually one place. A method of an interface can have several.
//
// A name that means several symbols is an *AmbiguousError, one that means none wraps ErrNotFound; a language whose
// servers are missing is a *NotInstalledError; a server that fails, or does not answer in time, is a *ServerError. A
// server that does not offer the question makes an error that wraps ErrUnsupported, a bad glob in the options one that
// wraps path.ErrBadPattern.
func (c *Client) Definition(ctx context.Context, t Target, o *QueryOptions) (*Result, error) {
	r, err := c.ask.Places.Definition(ctx, t.query, (*questions.Options)(o))
	return placesResult(r), public(err)
}

// TypeDefinition returns where the type of the target is defined: of a variable, parameter or field its type, of a
// function what the server takes for it (its result's type, or nothing). A type made of several has several places; a
// built-in type may have none, or one in the server's own library. The errors are those of [Client.Definition].
func (c *Client) TypeDefinition(ctx context.Context, t Target, o *QueryOptions) (*Result, error) {
	r, err := c.ask.Places.TypeDefinition(ctx, t.query, (*questions.Options)(o))
	return placesResult(r), public(err)
}

// Implementation returns what implements the target: for an interface or base class the types that do, for one of its
// methods their methods, for a declaration without a body its definition. Servers differ in two things: whether the
// target itself is among them, and, asked about an implementation, whether they give the interface instead (gopls
// does). The errors are those of [Client.Definition].
func (c *Client) Implementation(ctx context.Context, t Target, o *QueryOptions) (*Result, error) {
	r, err := c.ask.Places.Implementation(ctx, t.query, (*questions.Options)(o))
	return placesResult(r), public(err)
}

// References returns where the target is used, in the files the server knows and in those that it can be made to know; the
// answer is degraded when other files hold the name, and has a note when not all could be looked at. The errors are those of
// [Client.Definition]. An empty list means "none" only when [Result.None] says so.
//
// Servers differ in what they make of the wish for declarations. Here the places that [Client.Definition] gives for the
// target are always among the references with ReferenceOptions.Declaration, and never without it, nor are the other
// signatures of an overloaded function. A name in an import is a reference.
func (c *Client) References(ctx context.Context, t Target, o *ReferenceOptions) (*Result, error) {
	if o == nil {
		o = &ReferenceOptions{}
	}
	r, err := c.ask.Places.References(ctx, t.query, o.Declaration, &questions.Options{Limit: o.Limit, Paths: o.Paths})
	return placesResult(r), public(err)
}

// Hover returns what the server shows of a symbol: usually its signature and documentation. The errors are those of
// [Client.Definition].
func (c *Client) Hover(ctx context.Context, t Target) (*HoverResult, error) {
	r, err := c.ask.Places.Hover(ctx, t.query)
	if err != nil {
		return nil, public(err)
	}
	return &HoverResult{Target: Location(r.Target), Answer: answer(r.Answer), Text: r.Text, Markdown: r.Markdown}, nil
}

// IncomingCalls returns who calls the target: functions, methods, or files with code outside of them. One caller is one
// Call, however often it calls. QueryOptions.Paths chooses by the caller's file. The errors are those of
// [Client.Definition].
//
// Where the server has no call hierarchy, or none for this symbol, the callers are the declarations around those
// references that look like calls (a parenthesis follows, or it is a decorator), and Note says so and names the
// references that were left out. Calls under a name that an import gave the target (Python's and Rust's "as") are added
// where the server leaves them out, and Note says so.
func (c *Client) IncomingCalls(ctx context.Context, t Target, o *QueryOptions) (*CallsResult, error) {
	r, err := c.ask.Calls.Incoming(ctx, t.query, (*questions.Options)(o))
	return callsResult(r), public(err)
}

// OutgoingCalls returns what the target calls. One callee is one Call, however often it is called.
// QueryOptions.Paths chooses by the callee's file, which lies outside the root for a library. The errors are those of
// [Client.Definition].
//
// Where the server has no call hierarchy, or none for this symbol, the callees are the definitions of what looks like a
// call in the target's body, and Note says so; a call whose definition the server does not find makes the answer
// [Degraded].
func (c *Client) OutgoingCalls(ctx context.Context, t Target, o *QueryOptions) (*CallsResult, error) {
	r, err := c.ask.Calls.Outgoing(ctx, t.query, (*questions.Options)(o))
	return callsResult(r), public(err)
}

// Symbols returns the declarations of a file in the order of the file, nested as the server nests them; a server that
// knows no nesting gives a flat list with containers. The path is slash-separated and relative to the root. The errors
// are those of [Client.Definition].
func (c *Client) Symbols(ctx context.Context, path string) (*SymbolResult, error) {
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	abs, v, err := c.pool.FileServer(ctx, path)
	if err != nil {
		return nil, public(err)
	}
	a, bad, err := c.ask.Symbols.Document(ctx, v, abs)
	if err != nil {
		return nil, public(err)
	}
	said := a.Answer()
	said.Degrade(bad)
	return &SymbolResult{Path: c.pool.Tree.Relative(abs), Symbols: symbolList(a.Value), Answer: answer(said), Total: len(a.Value)}, nil
}

// WorkspaceSymbols returns the declarations below the root whose name matches the query, as each server understands
// matching: most take the letters of the query in their order, upper and lower case the same. Every server whose files
// are below the root is asked, at most eight workspace folders, the ones with the most files first.
//
// Symbols come with the best matches first: those of that very name, then the name in other letter case, then names that
// begin with the query, then the rest, each sorted by place; Children are empty. The place of a symbol is the whole
// declaration where the server tells it, else its name. Symbols of libraries outside the root are left out.
//
// The state is that of the weakest answer. It is [Degraded] when a server could not be asked, knows no workspace
// symbols, or gave a round number of symbols, as servers do that stop at a limit. If no server could answer, the error
// is that of the first one; it wraps ErrUnsupported when none offers workspace symbols.
func (c *Client) WorkspaceSymbols(ctx context.Context, query string, o *QueryOptions) (*SymbolResult, error) {
	opt := (*questions.Options)(o).WithDefaults()
	paths, err := questions.NewPathFilter(opt.Paths)
	if err != nil {
		return nil, public(err)
	}
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	list, said, err := c.ask.Symbols.Workspace(ctx, query)
	if err != nil {
		return nil, public(err)
	}
	list = slices.DeleteFunc(list, func(s place.Symbol) bool { return !paths.Match(s.Location.Path) })
	r := &SymbolResult{Total: len(list), Answer: answer(said)}
	if len(list) > opt.Limit {
		list, r.Truncated = list[:opt.Limit], true
	}
	r.Symbols = symbolList(list)
	return r, nil
}

// Diagnostics returns what the server complains about in a file. The path is slash-separated and relative to the root.
//
// A server that can be asked for diagnostics is asked. Any other is shown the file anew and waited for until it has
// published its findings about this very text and has been silent for half a second (one and a half after an empty
// list); if it says nothing for ten seconds, or up to a tenth before the deadline, the answer is [Degraded], and its
// empty list means nothing. What linters or builds find that the server runs only when a file is saved is not among
// them. The errors are those of [Client.Definition].
func (c *Client) Diagnostics(ctx context.Context, path string, o *DiagnosticOptions) (*DiagnosticsResult, error) {
	if o == nil {
		o = &DiagnosticOptions{}
	}
	r, err := c.ask.Places.Diagnostics(ctx, path, o.Limit, o.Severity)
	if err != nil {
		return nil, public(err)
	}
	return &DiagnosticsResult{
		Path: r.Path, Answer: answer(r.Answer), Total: r.Total, Truncated: r.Truncated, Pulled: r.Pulled,
		Diagnostics: convert(r.Diagnostics, func(d questions.Diagnostic) Diagnostic {
			return Diagnostic{
				Location(d.Location), d.Severity, d.Message, d.Code, d.Source, d.Unnecessary, d.Deprecated,
				convert(d.Related, func(p questions.RelatedPlace) RelatedPlace { return RelatedPlace{Location(p.Location), p.Message} }),
			}
		}),
	}, nil
}

// Rename returns the edits that give the target a new name, as the server finds them. It writes nothing.
//
// The new name must be an identifier of the language, no keyword, and another one than the old; the error says what is
// wrong with it and wraps ErrUnsupported. The server is asked at the definition, because some rename only locally when
// asked at a use; a symbol that is defined outside the root cannot be renamed (ErrUnsupported). An alias is renamed
// itself. A server that refuses is a *ServerError with its words.
//
// Edits that overlap, or lie where the file has no such place, make an error that wraps ErrFormat; edits of files outside
// the root one that wraps ErrUnsupported; edits of a text that is not the present one an error that wraps ErrStale. The
// other errors are those of [Client.Definition]. A state that is not complete means that uses may be missing: such a
// preview should not be applied.
func (c *Client) Rename(ctx context.Context, t Target, newName string, o *RenameOptions) (*RenameResult, error) {
	around := 3
	if o != nil && o.Context != 0 {
		around = max(0, min(o.Context, 1000))
	}
	r, err := c.ask.Renames.Rename(ctx, t.query, newName, around)
	if err != nil {
		return nil, public(err)
	}
	return &RenameResult{
		Target: Location(r.Target), Answer: answer(r.Answer), OldName: r.OldName, NewName: r.NewName,
		Files: convert(r.Files, func(f edit.FileEdits) FileEdits {
			return FileEdits{f.Path, convert(f.Edits, func(e edit.Edit) Edit {
				return Edit{Location(e.Location), e.Old, e.New, e.Label, e.Confirm}
			})}
		}),
		Operations: convert(r.Operations, func(o edit.FileOperation) FileOperation { return FileOperation(o) }),
		Collisions: locations(r.Collisions), Diff: r.Diff, Total: r.Total,
	}, nil
}
