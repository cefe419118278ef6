package lspclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/source"
	"go.lsp.dev/protocol"
)

// check makes the server check an open file when its rule says that it must have before it knows all references, at
// most once for each state of the folder. It returns why the answer may lack something, "" when it does not. It takes no
// more than half of the time left.
func (s completeness) check(ctx context.Context, abs string) (string, error) {
	if !s.srv.spec.Ready.Checked {
		return "", nil
	}
	options, ok := s.provider(protocol.MethodTextDocumentDiagnostic)
	if !ok {
		return "", nil // it checks by itself, before it answers
	}
	s.documents.docMu.Lock()
	d, told := s.documents.docs[abs], s.documents.told
	if d == nil || d.checked == told && d.checkedAs == d.version {
		s.documents.docMu.Unlock()
		return "", nil
	}
	version := d.version
	s.documents.docMu.Unlock()

	params := map[string]any{"textDocument": map[string]any{"uri": source.FileURI(abs)}}
	if id := identifierOf(options); id != "" {
		params["identifier"] = id
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return "", err
	}
	left := defaultTimeout
	if end, ok := ctx.Deadline(); ok {
		left = time.Until(end)
	}
	half, cancel := context.WithTimeout(ctx, left/2)
	defer cancel()
	err = s.call(half, protocol.MethodTextDocumentDiagnostic, json.RawMessage(raw), nil)
	var refused *jsonrpc.ResponseError
	switch {
	case err == nil:
	case errors.As(err, &refused):
		return fmt.Sprintf("%s could not check %s: %v", s.srv.spec.Name, s.srv.client.tree.Relative(abs), refused), nil
	case half.Err() != nil && ctx.Err() == nil:
		return fmt.Sprintf("%s had no time to check %s, in which it finds some references only then", s.srv.spec.Name, s.srv.client.tree.Relative(abs)), nil
	default:
		return "", err
	}
	s.documents.docMu.Lock()
	defer s.documents.docMu.Unlock()
	d.checked, d.checkedAs = told, version
	return "", nil
}
