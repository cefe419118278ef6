// Httpserver offers a workspace's documents over HTTP: POST /search and POST /documents.
//
//	httpserver --docs papers
//	curl -d '{"query": "synchronization signals"}' localhost:8080/search
//	curl --data-binary @new.pdf 'localhost:8080/documents?filename=new.pdf'
//
// It listens on the loopback address unless told otherwise: it has no authentication of its own.
package main
