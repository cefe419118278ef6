package lspclient

import (
	"errors"

	"github.com/findspot/findspot/lspclient/internal/crash"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/questions"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

// The inner packages have types of their own for places, symbols and errors, which callers never see.

// convert returns the list with each element converted, nil for nil.
func convert[A, B any](list []A, f func(A) B) []B {
	if list == nil {
		return nil
	}
	out := make([]B, len(list))
	for i, e := range list {
		out[i] = f(e)
	}
	return out
}

func locations(list []place.Location) []Location {
	return convert(list, func(l place.Location) Location { return Location(l) })
}

func symbolList(list []place.Symbol) []Symbol {
	return convert(list, func(s place.Symbol) Symbol {
		return Symbol{s.Name, s.Kind, s.Container, s.Detail, Location(s.Location), Location(s.Selection), symbolList(s.Children)}
	})
}

func answer(a session.Answer) Answer {
	return Answer{State: State(a.State), Reason: a.Reason, Progress: a.Progress, Note: a.Note, Server: a.Server}
}

func placesResult(r *questions.Result) *Result {
	if r == nil {
		return nil
	}
	return &Result{
		Target: Location(r.Target), Locations: locations(r.Locations), Aliases: locations(r.Aliases), Answer: answer(r.Answer),
		Total: r.Total, Truncated: r.Truncated,
	}
}

func candidate(c symbols.Candidate) Candidate {
	return Candidate{c.Name, c.Kind, Location(c.Location), c.Write}
}

func innerCandidate(c Candidate) symbols.Candidate {
	return symbols.Candidate{Name: c.Name, Kind: c.Kind, Location: place.Location(c.Location), Write: c.Write}
}

// public returns an error in which callers find the types of this package in place of those of the inner ones.
func public(err error) error {
	if err == nil {
		return nil
	}
	return publicError{err}
}

type publicError struct{ error }

func (e publicError) Unwrap() error { return e.error }

// As finds the errors of inner packages as their public types.
func (e publicError) As(target any) bool {
	switch t := target.(type) {
	case **ServerError:
		return find(e.error, t, func(in *session.ServerError) *ServerError {
			return &ServerError{in.Server, in.Method, in.Stderr, public(in.Err)}
		})
	case **BreakerError:
		return find(e.error, t, func(in *session.BreakerError) *BreakerError { return (*BreakerError)(in) })
	case **MemoryError:
		return find(e.error, t, func(in *session.MemoryError) *MemoryError { return (*MemoryError)(in) })
	case **CrashInputError:
		return find(e.error, t, func(in *crash.InputError) *CrashInputError {
			return &CrashInputError{CrashInput(in.Input), in.Crashes, in.Last}
		})
	case **NotInstalledError:
		return find(e.error, t, func(in *registry.NotInstalledError) *NotInstalledError { return (*NotInstalledError)(in) })
	case **NotFoundError:
		return find(e.error, t, func(in *symbols.NotFoundError) *NotFoundError {
			return &NotFoundError{in.Name, convert(in.Near, candidate), in.Why, convert(in.Causes, public)}
		})
	case **AmbiguousError:
		return find(e.error, t, func(in *symbols.AmbiguousError) *AmbiguousError {
			return &AmbiguousError{in.Name, convert(in.Candidates, candidate)}
		})
	}
	return false
}

func find[A, B error](err error, target *B, f func(A) B) bool {
	var in A
	if !errors.As(err, &in) {
		return false
	}
	*target = f(in)
	return true
}
