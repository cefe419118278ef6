package mcphandler

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot"
)

// tell makes an error what the client may read of it. One over HTTP is told nothing of the host: it gets a number, under which the log has the rest. in is
// what the client sent: its own words tell it nothing.
func (h *Handler) tell(ctx context.Context, what string, in []byte, err error) error {
	if k, _ := ctx.Value(kindKey{}).(kind); err == nil || k == kindOwn || !h.ofHost(string(in), err) {
		return err
	}
	return h.calls.numbered(what, "reason", err)
}

// ofHost reports whether an error tells of the host: who holds the index, what the system says of a file, where a repository lies.
func (h *Handler) ofHost(in string, err error) bool {
	var (
		path      *fs.PathError
		link      *os.LinkError
		locked    *findspot.LockedError
		untrusted *findspot.UntrustedError
	)
	if errors.As(err, &path) && filepath.IsAbs(path.Path) && !strings.Contains(in, path.Path) {
		return true
	}
	if errors.As(err, &link) || errors.As(err, &locked) || errors.As(err, &untrusted) || errors.Is(err, findspot.ErrClosed) {
		return true
	}
	return h.namesRepo(in, err.Error())
}

// namesRepo reports whether a text has the path of a repository that the client did not write itself.
func (h *Handler) namesRepo(in, text string) bool {
	repos, _ := h.ws.Repos() // a closed workspace has none, and its errors are ErrClosed
	for _, r := range repos {
		if len(r.Root) > 1 && strings.Contains(text, r.Root) && !strings.Contains(in, r.Root) {
			return true
		}
	}
	return false
}

// numbered is an error that only the log tells of.
func (c *calls) numbered(what string, attrs ...any) error {
	id := rand.Text()
	c.log.Warn("a call failed inside of the server", append([]any{"id", id, "call", what}, attrs...)...)
	return fmt.Errorf("%s: an internal error: the server's log says more under %s", what, id)
}
