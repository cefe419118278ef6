package httpguard

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

const (
	maxJSON  = 1 << 20         // bytes of a JSON body
	maxDepth = 200             // of a JSON body
	rate     = 64 << 10        // bytes a second that a body must come with
	grace    = 5 * time.Second // before the rate counts
)

// A BodyError is what is wrong with a body, and the status that says so.
type BodyError struct {
	Status int
	Err    error
}

func (e *BodyError) Error() string { return e.Err.Error() }
func (e *BodyError) Unwrap() error { return e.Err }

func bad(status int, format string, args ...any) error {
	return &BodyError{status, fmt.Errorf(format, args...)}
}

// FailBody answers with the status of a [BodyError], and with 400 for any other error.
func FailBody(w http.ResponseWriter, err error) {
	code := http.StatusBadRequest
	if be := (*BodyError)(nil); errors.As(err, &be) {
		code = be.Status
	}
	w.Header().Set("Connection", "close") // what is left of the body is not read
	Fail(w, code, err)
}

// CheckType refuses a body whose content type is not one of those allowed. None of them may be one that a form can send.
func CheckType(r *http.Request, allowed ...string) error {
	if enc := r.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return bad(http.StatusUnsupportedMediaType, "content encoding %q: send the body as it is", clip(enc))
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || len(r.Header.Values("Content-Type")) != 1 || !slices.Contains(allowed, kind) {
		return bad(http.StatusUnsupportedMediaType, "content type %q: send the header Content-Type: %s", clip(r.Header.Get("Content-Type")), strings.Join(allowed, " or "))
	}
	if c := params["charset"]; c != "" && !strings.EqualFold(c, "utf-8") {
		return bad(http.StatusUnsupportedMediaType, "charset %q: send UTF-8", clip(c))
	}
	return nil
}

// ReadJSON decodes a body that is one JSON value of at most 1 MiB.
func ReadJSON(w http.ResponseWriter, r *http.Request, to any) error {
	if err := CheckType(r, "application/json"); err != nil {
		return err
	}
	var data bytes.Buffer
	if err := copyBody(w, r, &data, maxJSON); err != nil {
		return err
	}
	if err := shallow(data.Bytes()); err != nil {
		return err
	}
	if err := json.Unmarshal(data.Bytes(), to); err != nil {
		return &BodyError{http.StatusBadRequest, err}
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
				return bad(http.StatusBadRequest, "the JSON is nested more than %d deep", maxDepth)
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return nil
}

// Spool reads a body of at most limit bytes into a temporary file, which the caller closes and which nobody else can open.
func Spool(w http.ResponseWriter, r *http.Request, limit int64) (*os.File, error) {
	if r.ContentLength > limit {
		return nil, bad(http.StatusRequestEntityTooLarge, "%d bytes, over the limit of %d", r.ContentLength, limit)
	}
	f, err := os.CreateTemp("", "findspot-upload-*")
	if err != nil {
		return nil, &BodyError{http.StatusInternalServerError, err}
	}
	if err := os.Remove(f.Name()); err != nil { // where an open file cannot be removed it stays until the system cleans up
		defer os.Remove(f.Name())
	}
	err = copyBody(w, r, f, limit)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// copyBody reads a body that comes at the least rate.
func copyBody(w http.ResponseWriter, r *http.Request, to io.Writer, limit int64) error {
	body := http.MaxBytesReader(w, r.Body, limit)
	ctl, began, read := http.NewResponseController(w), time.Now(), int64(0)
	buf := make([]byte, 32<<10)
	for {
		due := began.Add(grace + time.Duration(read)*time.Second/rate)
		if err := ctl.SetReadDeadline(due); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return &BodyError{http.StatusInternalServerError, err}
		}
		n, err := body.Read(buf)
		read += int64(n)
		if _, werr := to.Write(buf[:n]); werr != nil {
			return &BodyError{http.StatusInternalServerError, werr}
		}
		if err == io.EOF {
			return ignore(ctl.SetReadDeadline(time.Time{}))
		}
		if tooLong := (*http.MaxBytesError)(nil); errors.As(err, &tooLong) {
			return bad(http.StatusRequestEntityTooLarge, "over the limit of %d bytes", limit)
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return bad(http.StatusRequestTimeout, "the body comes too slowly: at least %d bytes a second", rate)
		}
		if err != nil {
			return bad(http.StatusBadRequest, "the body is not whole: %w", err)
		}
	}
}

// ignore drops the error of a connection that has no deadlines, as in tests.
func ignore(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
