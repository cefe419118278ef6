// Httpserver offers a workspace over HTTP: POST /search and POST /documents for its documents, and POST /tools/NAME for
// everything that agents are given, code included; GET /tools lists them with their inputs.
//
//	httpserver --docs papers --repo receiver
//	curl -d '{"query": "synchronization signals"}' localhost:8080/search
//	curl -d '{"id": "detect_pss", "direction": "callers"}' localhost:8080/tools/traverse_graph
//	curl --data-binary @new.pdf 'localhost:8080/documents?filename=new.pdf'
//
// It listens on the loopback address unless told otherwise: it has no authentication of its own.
package main
