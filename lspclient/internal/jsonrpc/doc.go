// Package jsonrpc is one JSON-RPC 2.0 connection to a language server over its pipes. In go requests and notifications with
// the context of whoever waits, out come answers, and what the server asks and tells goes to a callback. It frames and
// bounds messages, orders what is written, cancels requests that nobody waits for in a way that servers survive, and
// remembers which requests the server owes an answer to. A connection that ended gives an [EndedError]. It may not know what
// the methods mean, nor of processes, documents and sessions.
package jsonrpc
