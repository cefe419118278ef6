// Httpserver offers a workspace over HTTP: POST /search and POST /documents search and add documents, POST /tools/NAME calls any
// of the tools that agents get, including those for code, and GET /tools lists these with their inputs.
//
//	httpserver --docs papers --repo receiver
//	curl --json '{"query": "synchronization signals"}' localhost:8080/search
//	curl --json '{"id": "detect_pss", "direction": "callers"}' localhost:8080/tools/traverse_graph
//	curl -H 'Content-Type: application/pdf' --data-binary @new.pdf 'localhost:8080/documents?filename=new.pdf'
//
// By default it listens on the loopback address; any other address needs a token. It refuses requests for other host names, from
// other origins, and with the content types that a form of a web page can send. What it defends against is in docs/security.md.
package main
