// Httpserver shows how a service of one's own offers a workspace over HTTP: package serve on a mux, with other routes beside. Whoever needs no more than the server
// itself runs findspot serve, which has more options and is found by the other commands.
//
//	httpserver -docs papers -docs notes -repo receiver
//	curl --json '{"query": "synchronization signals"}' localhost:8080/search
//	curl --json '{"id": "detect_pss", "direction": "callers"}' localhost:8080/tools/traverse_graph
//	curl -H 'Content-Type: application/pdf' --data-binary @new.pdf 'localhost:8080/documents?filename=new.pdf'
//
// By default it listens on the loopback address; any other address needs a token. It refuses requests for other host names, from
// other origins, and with the content types that a form of a web page can send. What it defends against is in docs/security.md.
package main
