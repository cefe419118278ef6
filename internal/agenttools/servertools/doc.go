// Package servertools holds the agents' tools that ask language servers: lsp_definition, lsp_type_definition, lsp_implementation, lsp_references,
// lsp_calls, lsp_workspace_symbols, document_symbols, lsp_hover, lsp_diagnostics, lsp_rename and lsp_servers. Each takes a name, a place or a file.
// Places come back with the functions around them and with keys of the session's ledger, and the answer says how far it can be trusted. If no server
// answers, lsp_definition and document_symbols use the code graph. Package internal/servers chooses the server to ask.
package servertools
