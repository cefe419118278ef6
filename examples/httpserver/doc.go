// Httpserver offers a workspace over HTTP: POST /search and POST /documents for its documents, and POST /tools/NAME for
// everything that agents are given, code included; GET /tools lists them with their inputs.
//
//	httpserver --docs papers --repo receiver
//	curl --json '{"query": "synchronization signals"}' localhost:8080/search
//	curl --json '{"id": "detect_pss", "direction": "callers"}' localhost:8080/tools/traverse_graph
//	curl -H 'Content-Type: application/pdf' --data-binary @new.pdf 'localhost:8080/documents?filename=new.pdf'
//
// It listens on the loopback address unless told otherwise; another address needs a token. Requests for other host names, from other
// origins, or of the types that a web page's form can send are refused. docs/security.md says what is defended.
package main
