package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/findspot/findspot/lspclient/internal/protocol"
)

// Capabilities are what a server announced in the handshake, by the protocol's names.
type Capabilities map[string]json.RawMessage

// Provider returns the options with which a method was announced, and whether it was: with true, or with an object of
// options.
func (c Capabilities) Provider(method string) (json.RawMessage, bool) {
	raw := c[providers[method]]
	switch Kind(raw) {
	case '{':
		return raw, true
	case 't':
		return raw, string(raw) == "true"
	}
	return nil, false
}

// Text returns a capability that is a string, "" when it is none.
func (c Capabilities) Text(name string) string {
	var s string
	if json.Unmarshal(c[name], &s) != nil {
		return ""
	}
	return s
}

// providers are the capabilities that announce a method.
var providers = map[string]string{
	protocol.MethodTextDocumentDefinition:           "definitionProvider",
	protocol.MethodTextDocumentTypeDefinition:       "typeDefinitionProvider",
	protocol.MethodTextDocumentImplementation:       "implementationProvider",
	protocol.MethodTextDocumentReferences:           "referencesProvider",
	protocol.MethodTextDocumentDocumentSymbol:       "documentSymbolProvider",
	protocol.MethodWorkspaceSymbol:                  "workspaceSymbolProvider",
	protocol.MethodTextDocumentHover:                "hoverProvider",
	protocol.MethodTextDocumentPrepareCallHierarchy: "callHierarchyProvider",
	protocol.MethodTextDocumentDiagnostic:           "diagnosticProvider",
	protocol.MethodTextDocumentRename:               "renameProvider",
}

// maxRegistered bounds what one server may register.
const maxRegistered = 1000

// Registrations are what a server has announced after the handshake. It is safe for concurrent use.
type Registrations struct {
	mu   sync.Mutex
	byID map[string]registration
}

type registration struct {
	method  string
	options json.RawMessage
}

// Register takes client/registerCapability.
func (r *Registrations) Register(params json.RawMessage) {
	var p struct {
		Registrations []struct {
			ID      string          `json:"id"`
			Method  string          `json:"method"`
			Options json.RawMessage `json:"registerOptions"`
		} `json:"registrations"`
	}
	if Unmarshal(params, &p) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil {
		r.byID = map[string]registration{}
	}
	for _, reg := range p.Registrations {
		if len(r.byID) < maxRegistered && providers[reg.Method] != "" {
			r.byID[reg.ID] = registration{reg.Method, slices.Clone(reg.Options)}
		}
	}
}

// Unregister takes client/unregisterCapability.
func (r *Registrations) Unregister(params json.RawMessage) {
	type ended struct {
		ID string `json:"id"`
	}
	var p struct {
		Misspelled []ended `json:"unregisterations"` // the protocol's own spelling
		Spelled    []ended `json:"unregistrations"`
	}
	if Unmarshal(params, &p) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range slices.Concat(p.Misspelled, p.Spelled) {
		delete(r.byID, e.ID)
	}
}

// Provider returns the options of the registration of a method, and whether there is one.
func (r *Registrations) Provider(method string) (json.RawMessage, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(r.byID)) {
		if reg := r.byID[id]; reg.method == method {
			return reg.options, true
		}
	}
	return nil, false
}
