// Callrefs measures the calls of a repository's graph against what a language server says: for a sample of functions and
// methods it asks the server for references, keeps those that are direct calls, and compares them with the graph's edges.
//
//	go run ./docs/bench/callrefs -lang go -repo DIR -server "gopls serve" -n 200 -seed 1
//
// See docs/bench/codegraph.md for what it counts.
package main
