package httpguard

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
)

const (
	maxJSON   = 1 << 20  // bytes of a JSON body
	maxDepth  = 200      // of a JSON body
	maxAnswer = 64 << 20 // bytes
)

// An Error is one that the client may read, and the status that says what kind it is.
type Error struct {
	Status int
	Err    error
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an [Error].
func Errorf(status int, format string, args ...any) error {
	return &Error{status, fmt.Errorf(format, args...)}
}

// Fail answers with an error. An [Error] is shown; any other tells of the host, so it is logged, and the answer names the line in the log.
func Fail(w http.ResponseWriter, log *slog.Logger, err error) {
	status, text := shown(log, err)
	Reply(w, status, map[string]string{"error": text})
}

// shown is what a client is told of an error.
func shown(log *slog.Logger, err error) (status int, text string) {
	own := (*Error)(nil)
	switch {
	case errors.As(err, &own):
	case errors.Is(err, context.DeadlineExceeded):
		own = &Error{http.StatusGatewayTimeout, errors.New("the request took too long")}
	case errors.Is(err, context.Canceled):
		own = &Error{http.StatusServiceUnavailable, errors.New("the request was ended: its client went, or the server stops")}
	default:
		id := rand.Text()
		log.Warn("request failed", "id", id, "reason", err)
		own = &Error{http.StatusInternalServerError, fmt.Errorf("an error inside of the server: its log says more under %s", id)}
	}
	return own.Status, strings.ToValidUTF8(own.Error(), "\uFFFD")
}

// codes are those of the Connect protocol, by the statuses that it has for them.
var codes = map[int]string{
	http.StatusBadRequest: "invalid_argument", http.StatusUnauthorized: "unauthenticated", http.StatusForbidden: "permission_denied", http.StatusMisdirectedRequest: "permission_denied",
	http.StatusRequestTimeout: "deadline_exceeded", http.StatusRequestEntityTooLarge: "resource_exhausted", http.StatusUnsupportedMediaType: "invalid_argument",
	http.StatusTooManyRequests: "resource_exhausted", http.StatusServiceUnavailable: "unavailable", http.StatusGatewayTimeout: "deadline_exceeded",
}

// Reply answers with a value as JSON.
func Reply(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // the writer keeps its error
}

// ReadJSON decodes a body that is one JSON value of at most 1 MiB.
func ReadJSON(r *http.Request, to any) error {
	if _, err := CheckType(r, "application/json"); err != nil {
		return err
	}
	data, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, maxJSON))
	if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
		return Errorf(http.StatusRequestEntityTooLarge, "over the limit of %d bytes", maxJSON)
	}
	if err != nil {
		return err
	}
	if err := shallow(data); err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return &Error{http.StatusBadRequest, err}
	}
	return nil
}

// shallow refuses nesting that a decoder would follow at our cost.
func shallow(data []byte) error {
	depth, text := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '[' || c == '{':
			if depth++; depth > maxDepth {
				return Errorf(http.StatusBadRequest, "the JSON is nested more than %d deep", maxDepth)
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return nil
}
