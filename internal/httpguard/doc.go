// Package httpguard stands before the handlers of a server that answers from a user's files. It refuses what a web page could send (DNS rebinding,
// requests from other origins, forms), asks for a token where the address is not the machine's own, and bounds connections, headers, bodies, calls and
// time, so that no client ends or blocks the server.
//
// [New] wraps a handler, [Server] is an http.Server with the bounds, [ReadJSON] and [Spool] read bodies. Sources: the Fetch standard (CORS-safelisted
// requests, Sec-Fetch-Site), RFC 9110, RFC 6750 (bearer tokens).
package httpguard
