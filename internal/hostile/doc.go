// Package hostile attacks findspot through each of its entry points: the library, the tools for agents, the command line, MCP over standard input,
// HTTP, skills, documents, repositories, language servers and index folders.
//
//	go test ./internal/hostile
//
// The attacks are rows of one table, [Attack], each with its entry point (Door) and what must happen. They use real links, named pipes, devices and
// processes. docs/security.md lists the boundaries that they test. If no attack covers a tool or a document format, a test fails.
package hostile
