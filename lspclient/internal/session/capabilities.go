package session

import (
	"strings"

	"github.com/findspot/findspot/lspclient/internal/source"
)

// clientCapabilities are what this client can do, in the protocol's words. The encodings are those of an entry, which has
// been checked.
func clientCapabilities(encodings []string) []byte {
	if len(encodings) == 0 {
		for _, e := range source.Encodings() {
			encodings = append(encodings, string(e))
		}
	}
	return []byte(strings.Replace(capabilitiesForm, `"ENCODINGS"`, `["`+strings.Join(encodings, `","`)+`"]`, 1))
}

const capabilitiesForm = `{
	"general": {"positionEncodings": "ENCODINGS",
		"staleRequestSupport": {"cancel": false, "retryOnContentModified": []}},
	"window": {"workDoneProgress": true, "showMessage": {}, "showDocument": {"support": false}},
	"workspace": {"applyEdit": false, "configuration": true, "workspaceFolders": true,
		"didChangeConfiguration": {"dynamicRegistration": true},
		"didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true},
		"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create", "rename", "delete"],
			"failureHandling": "abort", "normalizesLineEndings": false, "changeAnnotationSupport": {"groupsOnLabel": true}},
		"diagnostics": {"refreshSupport": false},
		"symbol": {"dynamicRegistration": false}},
	"experimental": {"serverStatusNotification": true},
	"textDocument": {
		"synchronization": {"dynamicRegistration": false, "didSave": false},
		"definition": {"dynamicRegistration": false, "linkSupport": true},
		"references": {"dynamicRegistration": false},
		"documentSymbol": {"dynamicRegistration": false, "hierarchicalDocumentSymbolSupport": true},
		"typeDefinition": {"dynamicRegistration": false, "linkSupport": true},
		"implementation": {"dynamicRegistration": false, "linkSupport": true},
		"hover": {"dynamicRegistration": false, "contentFormat": ["markdown", "plaintext"]},
		"callHierarchy": {"dynamicRegistration": false},
		"rename": {"dynamicRegistration": false, "prepareSupport": true, "prepareSupportDefaultBehavior": 1,
			"honorsChangeAnnotations": true},
		"diagnostic": {"dynamicRegistration": true, "relatedDocumentSupport": false},
		"publishDiagnostics": {"versionSupport": true, "relatedInformation": true, "tagSupport": {"valueSet": [1, 2]}}}
}`
