// Callrefs compares the calls in a repository's graph with what a language server says. For a sample of functions and
// methods it asks the server for references, keeps those that are direct calls, and compares them with the graph's edges.
//
//	go run ./docs/bench/callrefs -lang go -repo DIR -server "gopls serve" -n 200 -seed 1
//
// What it counts is described in docs/bench/codegraph.md.
package main
