package complete

import (
	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/session"
)

// Checker finds out what a server leaves out of an answer, and adds what it can be made to tell.
type Checker struct {
	sess     *session.Session
	Mentions *Mentions
	java     *javaChecker
}

// Of returns the checker of a session, which remembers what it has found for as long as the session lives.
func Of(s *session.Session) *Checker {
	return s.Attach(func() any {
		return &Checker{s, &Mentions{sess: s, lock: ctxlock.New()}, &javaChecker{sess: s}}
	}).(*Checker)
}
