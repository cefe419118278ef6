package lspclient

import (
	"context"

	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

// Client asks the language servers of one repository. It is safe for concurrent use.
type Client struct {
	pool     *session.Pool
	symbols  *symbols.Lister
	resolver *symbols.Resolver
	find     *finder
	calls    *callFinder
	rename   *renamer
}

// Open returns a client for the folder root. It starts nothing: a server starts with the first question about its
// language. Links in the path of the root are resolved. Bad entries in Options.Servers are all reported.
func Open(ctx context.Context, root string, o *Options) (*Client, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o == nil {
		o = &Options{}
	}
	p, err := session.NewPool(root, session.Config{
		Trust: o.Trust, Servers: registrySpecs(o.Servers), Prefer: o.Prefer, Timeout: o.Timeout, IdleTimeout: o.IdleTimeout,
		MaxServers: o.MaxServers, MaxMemory: o.MaxMemory, Logger: o.Logger,
	})
	if err != nil {
		return nil, err
	}
	c := &Client{pool: p, symbols: symbols.NewLister(p)}
	c.find = &finder{pool: p, symbols: c.symbols}
	c.resolver = symbols.NewResolver(p, c.symbols, o.Locate, c.find.definedAt)
	c.find.resolver = c.resolver
	c.calls, c.rename = &callFinder{p, c.find}, &renamer{p, c.find}
	return c, nil
}

// Close stops every server of the client, with its process group, and waits for them: a server gets a second to end by
// itself. Calls under way return an error. Closing twice is fine.
func (c *Client) Close() error {
	c.pool.Close()
	return nil
}
