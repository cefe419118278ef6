package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/session"
)

// checker finds out what a server leaves out of an answer, and adds what it can be made to tell.
type checker struct {
	sess     *session.Session
	mentions *mentions
	java     *javaChecker
}

// checkerOf returns the checker of a session, which remembers what it has found for as long as the session lives.
func checkerOf(s *session.Session) *checker {
	return s.Attach(func() any {
		return &checker{s, &mentions{sess: s, lock: ctxlock.New()}, &javaChecker{sess: s}}
	}).(*checker)
}

func mentionsOf(s *session.Session) *mentions { return checkerOf(s).mentions }

func javaOf(s *session.Session) *javaChecker { return checkerOf(s).java }
