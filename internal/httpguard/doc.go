// Package httpguard serves an HTTP handler that answers from a user's files. It refuses requests that a web page could send (DNS rebinding, requests
// from other origins, forms) and asks for a token if the address is not local to the machine. It bounds connections, headers, bodies, answers, calls
// and time, so that no client can end or block the server.
//
// A program calls [Listen] and [Serve]; its handlers use [ReadJSON], [Reply] and [Fail]. A handler never waits for a client: the server reads a whole
// body before the handler begins and sends the answer after it ends, and only in between does the request take one of the limited places. Large
// bodies and answers are kept on disk meanwhile. Clients must send and receive at a minimum rate; when connections or disk space run out, the client
// that the server has waited for longest loses its connection.
//
// Sources: the Fetch standard (CORS-safelisted requests, Sec-Fetch-Site), RFC 9110, RFC 6750 (bearer tokens).
package httpguard
