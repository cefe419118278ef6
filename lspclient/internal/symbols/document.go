package symbols

import (
	"context"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
)

// Lister lists declarations.
type Lister struct {
	pool  *session.Pool
	cache symbolCache // of files, by their content
}

// NewLister returns what lists the declarations that the servers of a pool know.
func NewLister(pool *session.Pool) *Lister { return &Lister{pool, newSymbolCache()} }

// Document asks the server for the declarations of a file; the second value says what was left out.
func (c *Lister) Document(ctx context.Context, v *session.Server, abs string) (session.Reply[[]place.Symbol], string, error) {
	var bad string
	a, err := session.Ask(ctx, v, session.Question[[]place.Symbol]{
		Method: protocol.MethodTextDocumentDocumentSymbol,
		Local:  true,
		Ask: func(ctx context.Context, s *session.Session) ([]place.Symbol, error) {
			if !s.Offers(protocol.MethodTextDocumentDocumentSymbol) {
				return nil, s.Unsupported("document symbols")
			}
			bad = ""
			if kept, ok := c.cache.get(s, abs); ok {
				return kept, nil
			}
			text, err := s.Documents.Open(ctx, abs)
			if err != nil {
				return nil, err
			}
			notified := s.Conn.Notified()
			r, err := s.DocumentSymbols(ctx, abs)
			if err != nil {
				return nil, err
			}
			conv := s.Converter()
			list := conv.Symbols(abs, r)
			if bad = conv.Rejected(); bad == "" {
				c.cache.put(s, abs, text, list, notified)
			}
			return list, nil
		},
	})
	return a, bad, err
}
