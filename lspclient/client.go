package lspclient

import (
	"context"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/questions"
	"github.com/findspot/findspot/lspclient/internal/session"
)

// Client asks the language servers of one repository. It is safe for concurrent use.
type Client struct {
	pool *session.Pool
	ask  *questions.Asker
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
		Trust: o.Trust, Servers: o.Servers, Prefer: o.Prefer, Timeout: o.Timeout, IdleTimeout: o.IdleTimeout,
		MaxServers: o.MaxServers, MaxMemory: o.MaxMemory, Logger: o.Logger,
	})
	if err != nil {
		return nil, public(err)
	}
	var locate func(ctx context.Context, name string) ([]place.Location, error)
	if o.Locate != nil {
		locate = func(ctx context.Context, name string) ([]place.Location, error) {
			list, err := o.Locate(ctx, name)
			return convert(list, func(l Location) place.Location { return place.Location(l) }), err
		}
	}
	return &Client{p, questions.New(p, locate)}, nil
}

// Close stops every server of the client, with its process group, and waits for them: a server gets a second to end by
// itself. Calls under way return an error. Closing twice is fine.
func (c *Client) Close() error {
	c.pool.Close()
	return nil
}
