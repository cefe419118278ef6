// Package hostile attacks findspot, through every door that it has: the library, the tools for agents, the command line, MCP over
// standard input, HTTP, skills, documents, repositories, language servers and index folders.
//
//	go test ./internal/hostile
//
// The attacks are rows of one table, [Attack], each with its door and what must happen. They run against real links, named pipes,
// devices and processes. docs/security.md lists the boundaries that they hold. A tool or a format of documents that no attack reaches
// fails a test.
package hostile
