package lspclient

import (
	"context"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"go.lsp.dev/protocol"
)

// lister lists declarations.
type lister struct {
	cache symbolCache // of files, by their content
}

// document asks the server for the declarations of a file; the second value says what was left out.
func (c *lister) document(ctx context.Context, v *server, abs string) (answer[[]place.Symbol], string, error) {
	var bad string
	a, err := ask(ctx, v, question[[]place.Symbol]{
		method: protocol.MethodTextDocumentDocumentSymbol,
		local:  true,
		ask: func(ctx context.Context, s *session) ([]place.Symbol, error) {
			if !s.Offers(protocol.MethodTextDocumentDocumentSymbol) {
				return nil, unsupported(s, "document symbols")
			}
			bad = ""
			if kept, ok := c.cache.get(s, abs); ok {
				return kept, nil
			}
			text, err := s.documents.Open(ctx, abs)
			if err != nil {
				return nil, err
			}
			notified := s.conn.Notified()
			var r wire.Symbols
			err = s.Call(ctx, protocol.MethodTextDocumentDocumentSymbol, &protocol.DocumentSymbolParams{
				TextDocument: protocol.TextDocumentIdentifier{URI: source.DocumentURI(abs)},
			}, &r)
			if err != nil {
				return nil, err
			}
			conv := s.converter()
			list := conv.symbols(abs, r)
			if bad = conv.trouble(); bad == "" {
				c.cache.put(s, abs, text, list, notified)
			}
			return list, nil
		},
	})
	return a, bad, err
}
