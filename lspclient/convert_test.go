package lspclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/crash"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbols"
	"github.com/google/go-cmp/cmp"
)

// TestPublicErrors: callers find the errors of inner packages as the types of this one, however deep they lie, and with the
// same words.
func TestPublicErrors(t *testing.T) {
	at := place.Location{Path: "a.go", Line: 1, Col: 2, EndLine: 1, EndCol: 3}
	near := []symbols.Candidate{{Name: "alpha", Kind: "function", Location: at, Write: "a.go:alpha"}}
	want := []Candidate{{Name: "alpha", Kind: "function", Location: Location(at), Write: "a.go:alpha"}}
	last := errors.New("signal: killed")
	server := func(err error) error {
		return fmt.Errorf("asking: %w", &session.ServerError{Server: "s 1", Method: "m", Stderr: "boom", Err: err})
	}
	missing := &registry.NotInstalledError{Language: "go", Server: "gopls", Install: "go install"}

	check(t, server(last), &ServerError{Server: "s 1", Method: "m", Stderr: "boom", Err: public(last)})
	check(t, server(&session.BreakerError{Deaths: 5, Until: time.Unix(1, 0), Last: last}), &BreakerError{Deaths: 5, Until: time.Unix(1, 0), Last: last})
	check(t, server(&session.MemoryError{Server: "s", Folder: "/f", Bytes: 3 << 20, Limit: 1 << 20}), &MemoryError{Server: "s", Folder: "/f", Bytes: 3 << 20, Limit: 1 << 20})
	check(t, server(&crash.InputError{Input: crash.About{Method: "m", Path: "a.go", Line: 1, Col: 2}, Crashes: 2, Last: last}),
		&CrashInputError{Input: CrashInput{Method: "m", Path: "a.go", Line: 1, Col: 2}, Crashes: 2, Last: last})
	check(t, missing, &NotInstalledError{Language: "go", Server: "gopls", Install: "go install"})
	check(t, &symbols.NotFoundError{Name: "alpah", Near: near}, &NotFoundError{Name: "alpah", Near: want})
	check(t, &symbols.AmbiguousError{Name: "alpha", Candidates: near}, &AmbiguousError{Name: "alpha", Candidates: want})

	err := public(&symbols.NotFoundError{Name: "alpha", Why: "not asked", Causes: []error{missing}})
	var none *NotFoundError
	if !errors.As(err, &none) || !errors.As(none, new(*NotInstalledError)) || !errors.Is(none, ErrIncomplete) || errors.Is(err, errs.NotFound) {
		t.Errorf("%v is no NotFoundError with its cause", err)
	}
	var failed *ServerError
	if !errors.As(public(server(&session.BreakerError{Last: last})), &failed) || !errors.As(failed, new(*BreakerError)) {
		t.Error("a ServerError without its BreakerError")
	}
	if public(nil) != nil {
		t.Error("nil is an error")
	}
}

// check wants the error to be found as that of this package.
func check[E error](t *testing.T, inner error, want E) {
	t.Helper()
	var got, found = *new(E), public(inner)
	if !errors.As(found, &got) {
		t.Errorf("%v is no %T", inner, want)
		return
	}
	wantFields, err1 := json.Marshal(want)
	gotFields, err2 := json.Marshal(got)
	if diff := cmp.Diff(string(wantFields), string(gotFields)); diff != "" || err1 != nil || err2 != nil {
		t.Errorf("%T (-want +got), %v, %v:\n%s", want, err1, err2, diff)
	}
	if got.Error() != want.Error() || found.Error() != inner.Error() {
		t.Errorf("%T says %q, want %q", want, got, want)
	}
}
