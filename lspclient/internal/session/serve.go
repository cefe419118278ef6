package session

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/protocol"
)

// Serve answers the server's requests and takes its notifications.
func (s *Session) Serve(method string, params json.RawMessage) (any, *jsonrpc.ResponseError) {
	switch method {
	case protocol.MethodWorkspaceConfiguration:
		var p struct {
			Items []struct {
				Section string `json:"section"`
			} `json:"items"`
		}
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &jsonrpc.ResponseError{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
		}
		const most = 1000 // real servers ask for a handful; each item may be answered with all settings
		if len(p.Items) > most {
			return nil, &jsonrpc.ResponseError{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("more than %d items", most)}
		}
		values := make([]any, len(p.Items))
		for i, item := range p.Items {
			values[i] = section(s.Settings.configuration(), item.Section)
		}
		return values, nil
	case protocol.MethodWorkspaceWorkspaceFolders:
		return s.folders(), nil
	case protocol.MethodClientRegisterCapability:
		s.Documents.Watchers.Update(s.Server.Folder, params)
		s.registered.Register(params)
		return nil, nil
	case protocol.MethodClientUnregisterCapability:
		s.Documents.Watchers.Update(s.Server.Folder, params)
		s.registered.Unregister(params)
		return nil, nil
	case protocol.MethodWindowWorkDoneProgressCreate, protocol.MethodWindowShowMessageRequest:
		return nil, nil
	case protocol.MethodWindowShowDocument:
		return map[string]bool{"success": false}, nil
	case protocol.MethodWorkspaceApplyEdit:
		return map[string]any{"applied": false, "failureReason": "this client does not edit"}, nil
	case protocol.MethodProgress:
		s.Ready.Progress(params)
		return nil, nil
	case protocol.MethodTextDocumentPublishDiagnostics:
		s.Ready.Diagnostics(params)
		s.Documents.Published.Take(params)
		return nil, nil
	case protocol.MethodWindowLogMessage:
		var p struct {
			Message string `json:"message"`
		}
		if json.Unmarshal(params, &p) == nil {
			s.Ready.Log(p.Message)
		}
		return nil, nil
	}
	s.Ready.Relists(method)
	if s.Ready.Notified(method, params) {
		return nil, nil
	}
	if strings.HasPrefix(method, "workspace/") && strings.HasSuffix(method, "/refresh") {
		return nil, nil
	}
	return nil, &jsonrpc.ResponseError{Code: jsonrpc.CodeMethodNotFound, Message: "not supported: " + excerpt.Clip(method, 100)}
}

// Provider returns the options with which the server offers a method, and whether it does: since the handshake, or
// registered later. What a version is known to lack it does not offer, whatever it announces.
func (s *Session) Provider(method string) (json.RawMessage, bool) {
	if s.Server.Spec.Missing(method) != "" {
		return nil, false
	}
	if options, ok := s.Caps.Provider(method); ok {
		return options, true
	}
	return s.registered.Provider(method)
}

// Offers reports whether the server answers a method.
func (s *Session) Offers(method string) bool {
	_, ok := s.Provider(method)
	return ok
}
