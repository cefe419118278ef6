// Serveload measures a server of package examples/serve: calls of the API by many clients, and calls of tools over MCP, and prints tables in Markdown. It is run by hand:
//
//	go run ./docs/bench/serveload -repo django -docs examples/testdata/papers
//	go run ./docs/bench/serveload -url http://127.0.0.1:8080       # a server that runs already, over the same
//
// Without -url the server is in the same process, so that clients and server share the processors. Which the numbers of docs/bench/serve.md are of is said there.
package main
