// Package assemble makes the next graph from the graph before it. [Next] takes what the linker returned for the files that changed: their
// blocks are made anew, so that their old edges are gone, and all other blocks are shared with the graph before. An entity keeps its number
// as long as its id exists. [Incoming] rebuilds the lists of the edges that reach a file. The package reads no files and does not depend on
// how a graph is saved or queried.
package assemble
