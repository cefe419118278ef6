package complete

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/session"
)

// check makes the server check an open file when its rule says that it must have before it knows all references, at
// most once for each state of the folder. It returns why the answer may lack something, "" when it does not. It takes no
// more than half of the time left.
func (c *Checker) check(ctx context.Context, abs string) (lack string, err error) {
	if !c.sess.Server.Spec.Ready.Checked {
		return "", nil
	}
	err = c.sess.Documents.Check(abs, func() (bool, error) {
		left := session.DefaultTimeout
		if end, ok := ctx.Deadline(); ok {
			left = time.Until(end)
		}
		half, cancel := context.WithTimeout(ctx, left/2)
		defer cancel()
		_, err := c.sess.PullDiagnostics(half, abs, nil) // one that cannot be asked checks by itself, before it answers
		name, rel := c.sess.Server.Spec.Name, c.sess.Server.Pool.Tree.Relative(abs)
		var refused *jsonrpc.ResponseError
		switch {
		case errors.As(err, &refused):
			lack = fmt.Sprintf("%s could not check %s: %v", name, rel, refused)
			return false, nil
		case err != nil && half.Err() != nil && ctx.Err() == nil:
			lack = fmt.Sprintf("%s had no time to check %s, in which it finds some references only then", name, rel)
			return false, nil
		}
		return true, err
	})
	return lack, err
}
