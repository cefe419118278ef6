// Package jsonrpc is one JSON-RPC 2.0 connection to a language server over its pipes. It takes requests and notifications with the context of the
// waiting caller, returns the answers, and passes the server's own requests and notifications to a callback. It frames and bounds messages, orders
// writes, cancels requests that nobody waits for in a way that servers survive, and remembers which requests the server has not answered yet. A
// connection that has ended returns an [EndedError]. It does not depend on what the methods mean, or on processes, documents and sessions.
package jsonrpc
