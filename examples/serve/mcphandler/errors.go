package mcphandler

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/findspot/findspot/examples/serve/internal/hosterr"
)

// tell makes an error what the client may read of it. One over HTTP is told nothing of the host: it gets a number, under which the log has the rest. in is
// what the client sent: its own words tell it nothing.
func (h *Handler) tell(ctx context.Context, what string, in []byte, err error) error {
	if k, _ := ctx.Value(kindKey{}).(kind); err == nil || k == kindOwn || !hosterr.Is(h.ws, err, string(in)) {
		return err
	}
	if gone := hosterr.Gone(h.ws, err); gone != nil {
		return gone
	}
	return h.calls.numbered(what, "reason", err)
}

// numbered is an error that only the log tells of.
func (c *calls) numbered(what string, attrs ...any) error {
	id := rand.Text()
	c.log.Warn("a call failed inside of the server", append([]any{"id", id, "call", what}, attrs...)...)
	return fmt.Errorf("%s: an internal error: the server's log says more under %s", what, id)
}
