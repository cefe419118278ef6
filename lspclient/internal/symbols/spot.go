package symbols

import (
	"context"

	"github.com/findspot/findspot/lspclient/internal/session"
)

// Spot is a resolved target: a place in a file, and the server that is responsible for it.
type Spot struct {
	Server    *session.Server
	Abs       string
	Line, Col int
	Declared  bool   // the place is a declaration that a server listed
	Note      string // what was assumed
}

func (at *Spot) Show(ctx context.Context, s *session.Session) error {
	_, err := s.Documents.Open(ctx, at.Abs)
	return err
}
