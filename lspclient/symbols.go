package lspclient

import (
	"context"
	"slices"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/questions"
)

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
