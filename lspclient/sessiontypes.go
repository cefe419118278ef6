package lspclient

import "github.com/findspot/findspot/lspclient/internal/ctxlock"

// checker finds out what a server leaves out of an answer, and adds what it can be made to tell.
type checker struct {
	sess     *session
	mentions *mentions
	java     *javaChecker
}

// checkerOf returns the checker of a session, which remembers what it has found for as long as the session lives.
func checkerOf(s *session) *checker {
	return s.attach(func() any {
		return &checker{s, &mentions{sess: s, lock: ctxlock.New()}, &javaChecker{sess: s}}
	}).(*checker)
}

func mentionsOf(s *session) *mentions { return checkerOf(s).mentions }

func javaOf(s *session) *javaChecker { return checkerOf(s).java }
