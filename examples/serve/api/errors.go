package api

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"connectrpc.com/connect"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
	"github.com/findspot/findspot/examples/serve/internal/hosterr"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
)

// invalid is an error of what the client asked.
func invalid(format string, args ...any) error {
	return connect.NewError(connect.CodeInvalidArgument, fmt.Errorf(format, args...))
}

// A wrong is an error of a call that reads nothing but what the client asked and what was indexed: where nothing else is known of it, the client can mend it.
type wrong struct{ error }

func (w *wrong) Unwrap() error { return w.error }

func asked(err error) error {
	if err == nil {
		return nil
	}
	return &wrong{err}
}

// A teller tells clients of errors. It stands around every method, so that no error leaves as it is.
type teller struct {
	ws      *findspot.Workspace
	uploads string // the folder; "" when there is none
	mask    bool
	log     *slog.Logger
}

// A kind is what an error is for a client.
type kind struct {
	code   connect.Code
	status int // of HTTP, for the plain routes
}

// kindOf finds out what an error is. ok is false for one of the host's, which a client is not told.
func (t *teller) kindOf(err error) (k kind, ok bool) {
	var (
		ambiguous  *docsearch.AmbiguousError
		symbols    *lspclient.AmbiguousError
		conflict   *docsearch.ConflictError
		bad        *docsearch.IngestError
		missing    *lspclient.NotInstalledError
		denied     *skill.DeniedError
		own        *wrong
		told       *connect.Error
		badRequest = kind{connect.CodeInvalidArgument, http.StatusBadRequest}
	)
	switch {
	case errors.As(err, &told):
		return kind{told.Code(), statusOf(told.Code())}, told.Code() != connect.CodeInternal && told.Code() != connect.CodeUnknown
	case errors.Is(err, context.DeadlineExceeded):
		return kind{connect.CodeDeadlineExceeded, http.StatusGatewayTimeout}, false
	case errors.Is(err, context.Canceled):
		return kind{connect.CodeCanceled, http.StatusServiceUnavailable}, false
	case hosterr.Is(t.ws, err, "", t.uploads):
		return kind{connect.CodeInternal, http.StatusInternalServerError}, false
	case errors.As(err, &ambiguous), errors.As(err, &symbols):
		return badRequest, true
	case errors.Is(err, findspot.ErrTooLarge):
		return kind{connect.CodeInvalidArgument, http.StatusRequestEntityTooLarge}, true
	case errors.As(err, &conflict):
		return kind{connect.CodeAlreadyExists, http.StatusConflict}, true
	case errors.As(err, &bad) && errors.Is(err, findspot.ErrUnsupported):
		return kind{connect.CodeInvalidArgument, http.StatusUnsupportedMediaType}, true
	case errors.As(err, &missing):
		return kind{connect.CodeFailedPrecondition, http.StatusConflict}, true
	case errors.Is(err, findspot.ErrUnsupported):
		return badRequest, true
	case errors.Is(err, findspot.ErrNotFound):
		return kind{connect.CodeNotFound, http.StatusNotFound}, true
	case errors.Is(err, findspot.ErrStale):
		return kind{connect.CodeFailedPrecondition, http.StatusConflict}, true
	case errors.Is(err, findspot.ErrRefused), errors.As(err, &denied):
		return kind{connect.CodePermissionDenied, http.StatusForbidden}, true
	case errors.As(err, &bad):
		return kind{connect.CodeInvalidArgument, http.StatusUnprocessableEntity}, true
	case errors.As(err, &own):
		return badRequest, true
	}
	return kind{connect.CodeInternal, http.StatusInternalServerError}, false
}

// statusOf is the status of HTTP that Connect has for a code, as far as the plain routes need it.
func statusOf(code connect.Code) int {
	switch code {
	case connect.CodeInvalidArgument:
		return http.StatusBadRequest
	case connect.CodeNotFound:
		return http.StatusNotFound
	case connect.CodePermissionDenied:
		return http.StatusForbidden
	case connect.CodeAlreadyExists, connect.CodeFailedPrecondition:
		return http.StatusConflict
	case connect.CodeResourceExhausted:
		return http.StatusTooManyRequests
	case connect.CodeUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// plainly puts what clients are told in the place of an error of the host's that a repository causes whose folder is gone.
func (t *teller) plainly(err error) error {
	if hosterr.Is(t.ws, err, "", t.uploads) {
		if gone := hosterr.Gone(t.ws, err); gone != nil {
			return connect.NewError(connect.CodeFailedPrecondition, gone)
		}
	}
	return err
}

// tell makes an error what a client may read of it. The rest is logged.
func (t *teller) tell(what string, err error) *connect.Error {
	err = t.plainly(err)
	k, ok := t.kindOf(err)
	told := (*connect.Error)(nil)
	switch {
	case ok && errors.As(err, &told):
		return connect.NewError(k.code, errors.New(message.Text(told.Message(), t.mask)))
	case ok:
		return connect.NewError(k.code, errors.New(message.Text(err.Error(), t.mask)))
	case k.code == connect.CodeDeadlineExceeded:
		return connect.NewError(k.code, errors.New("the request took too long"))
	case k.code == connect.CodeCanceled:
		return connect.NewError(k.code, errors.New("the request was ended: its client went, or the server stops"))
	}
	id := rand.Text()
	t.log.Warn("request failed", "id", id, "call", what, "reason", err)
	return connect.NewError(connect.CodeInternal, fmt.Errorf("an error inside of the server: its log says more under %s", id))
}

func (t *teller) panicked(what string, p any) error {
	return t.tell(what, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
}

func (t *teller) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		res, err := next(ctx, req)
		if err != nil {
			return nil, t.tell(req.Spec().Procedure, err)
		}
		return res, nil
	}
}

func (t *teller) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return next
}

func (t *teller) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return func(ctx context.Context, conn connect.StreamingHandlerConn) error {
		if err := next(ctx, conn); err != nil {
			return t.tell(conn.Spec().Procedure, err)
		}
		return nil
	}
}

// caught makes an error of a panic.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// ofTool is the error of a call: the client's to mend, but for what is of the host. A path that the client wrote tells it nothing.
func (t *teller) ofTool(in []byte, err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) && strings.Contains(string(in), path.Path) {
		return connect.NewError(connect.CodeInvalidArgument, err)
	}
	k, _ := t.kindOf(asked(err))
	if hosterr.Is(t.ws, err, "", t.uploads) || k.code == connect.CodeCanceled || k.code == connect.CodeDeadlineExceeded {
		return err
	}
	return connect.NewError(connect.CodeInvalidArgument, err)
}
