package protocol

// The methods of requests and notifications.
const (
	MethodInitialize  = "initialize"
	MethodInitialized = "initialized"
	MethodShutdown    = "shutdown"
	MethodExit        = "exit"

	MethodCancelRequest              = "$/cancelRequest"
	MethodProgress                   = "$/progress"
	MethodClientRegisterCapability   = "client/registerCapability"
	MethodClientUnregisterCapability = "client/unregisterCapability"

	MethodTextDocumentDidOpen            = "textDocument/didOpen"
	MethodTextDocumentDidChange          = "textDocument/didChange"
	MethodTextDocumentDidClose           = "textDocument/didClose"
	MethodTextDocumentPublishDiagnostics = "textDocument/publishDiagnostics"

	MethodTextDocumentDefinition           = "textDocument/definition"
	MethodTextDocumentTypeDefinition       = "textDocument/typeDefinition"
	MethodTextDocumentImplementation       = "textDocument/implementation"
	MethodTextDocumentReferences           = "textDocument/references"
	MethodTextDocumentHover                = "textDocument/hover"
	MethodTextDocumentDocumentSymbol       = "textDocument/documentSymbol"
	MethodTextDocumentDiagnostic           = "textDocument/diagnostic"
	MethodTextDocumentPrepareRename        = "textDocument/prepareRename"
	MethodTextDocumentRename               = "textDocument/rename"
	MethodTextDocumentPrepareCallHierarchy = "textDocument/prepareCallHierarchy"
	MethodCallHierarchyIncomingCalls       = "callHierarchy/incomingCalls"
	MethodCallHierarchyOutgoingCalls       = "callHierarchy/outgoingCalls"

	MethodWorkspaceSymbol                 = "workspace/symbol"
	MethodWorkspaceApplyEdit              = "workspace/applyEdit"
	MethodWorkspaceConfiguration          = "workspace/configuration"
	MethodWorkspaceDidChangeConfiguration = "workspace/didChangeConfiguration"
	MethodWorkspaceDidChangeWatchedFiles  = "workspace/didChangeWatchedFiles"
	MethodWorkspaceExecuteCommand         = "workspace/executeCommand"
	MethodWorkspaceWorkspaceFolders       = "workspace/workspaceFolders"

	MethodWindowLogMessage             = "window/logMessage"
	MethodWindowShowDocument           = "window/showDocument"
	MethodWindowShowMessageRequest     = "window/showMessageRequest"
	MethodWindowWorkDoneProgressCreate = "window/workDoneProgress/create"
)
