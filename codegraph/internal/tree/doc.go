// Package tree writes what a traversal visited as text: a tree for each root, with the relation of each line to the one above, as far as a
// budget of tokens goes. Roots, nodes and edges go in as they are to be named ([Walk]); lines come out, and what the budget cut off ([Stat]).
// [Tokens] estimates the budget. It does not know graphs, nor how the edges were chosen.
package tree
