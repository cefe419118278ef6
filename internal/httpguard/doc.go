// Package httpguard serves an HTTP handler that answers from a user's files. It refuses requests that a web page could send (DNS rebinding, requests
// from other origins, forms) and asks for a token if the address is not local to the machine. It bounds connections, headers, bodies, answers, calls,
// streams and time, so that no client can end or block the server.
//
// A program calls [Listen] and [Serve], or mounts a [Guard] in a server of its own; its handlers use [ReadJSON], [Reply] and [Fail]. Each request has a
// [Route], which says how it passes:
//
//   - Kept, the default: a handler never waits for a client. The guard reads a whole body before the handler begins and sends the answer after it ends,
//     and only in between does the request take one of the limited places. Large bodies and answers are kept on disk meanwhile.
//   - Live: the body is read whole before, and the answer passes as it is written (progress, events, files). The request holds one of the places of
//     streams, of which each client has a few.
//   - Duplex: the body passes too.
//
// Clients must send and receive at a minimum rate, whatever the route; a stream on which nothing is written costs nobody anything, until places run out:
// then the one that was silent for longest ends. When connections or disk space run out, the client that the server has waited for longest loses its
// connection. HTTP/1.1 and HTTP/2 are spoken, over TLS and without.
//
// Sources: the Fetch standard (CORS-safelisted requests, Sec-Fetch-Site), RFC 9110, RFC 9113, RFC 6750 (bearer tokens), W3C Trace Context.
package httpguard
