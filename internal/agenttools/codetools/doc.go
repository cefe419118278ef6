// Package codetools is the tools for agents over repositories: names and bodies, places of a report, walks of the graph, source of entities, callers, and text. Arguments
// of a call go in; entities, callers and lines come out under keys of the session's ledger, with what was searched. How callers are found is given as a function.
package codetools
