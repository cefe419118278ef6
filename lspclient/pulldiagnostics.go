package lspclient

import (
	"context"
	"encoding/json"

	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"go.lsp.dev/protocol"
)

// pullDiagnostics asks for the diagnostics of an open document and decodes them into result, unless that is nil; it reports
// false when the server does not offer that.
func (s *session) pullDiagnostics(ctx context.Context, abs string, result any) (bool, error) {
	options, ok := s.provider(protocol.MethodTextDocumentDiagnostic)
	if !ok {
		return false, nil
	}
	params := map[string]any{"textDocument": map[string]any{"uri": source.FileURI(abs)}}
	var registered struct {
		Identifier string `json:"identifier"`
	}
	if wire.Kind(options) == '{' && wire.Unmarshal(options, &registered) == nil && registered.Identifier != "" {
		params["identifier"] = registered.Identifier
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return true, err
	}
	return true, s.Call(ctx, protocol.MethodTextDocumentDiagnostic, json.RawMessage(raw), result)
}
