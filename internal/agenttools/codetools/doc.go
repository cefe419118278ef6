// Package codetools holds the agents' tools that search and read the code of repositories: search_entity, traverse_graph, retrieve_entity, locate,
// references and search_text. Each takes the arguments of a call and returns entities, callers or lines, with keys of the session's ledger and a note
// of what was searched. The caller of [New] passes in the function that finds callers. The tools that ask only language servers are in package
// servertools.
package codetools
