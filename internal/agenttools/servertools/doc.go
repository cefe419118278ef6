// Package servertools is the tools for agents that ask language servers: places, symbols, calls, what is wrong in a file, a renaming, and the servers themselves. A name
// or a place goes in; places with their functions come out under keys of the session's ledger, and the answer says how far it counts. Without a server a definition or
// an outline comes from the code graph. Routing is internal/servers'.
package servertools
