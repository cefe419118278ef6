// Package httpguard serves a handler that answers from a user's files. It refuses what a web page could send (DNS rebinding, requests from other
// origins, forms), asks for a token where the address is not the machine's own, and bounds connections, headers, bodies, answers, calls and time, so
// that no client ends or blocks the server.
//
// [Listen] and [Serve] are all of it; handlers use [ReadJSON], [Reply] and [Fail]. A handler never waits for a client: a body is read whole before it
// begins, an answer is sent after it ends, and only in between does a request hold one of the places. What is large lies on disk meanwhile. Clients must
// send and take bytes at a least rate; when connections or disk run out, the client that the server has waited for longest loses its connection.
//
// Sources: the Fetch standard (CORS-safelisted requests, Sec-Fetch-Site), RFC 9110, RFC 6750 (bearer tokens).
package httpguard
