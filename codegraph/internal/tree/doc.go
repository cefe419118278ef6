// Package tree writes what a traversal visited as text: one tree for each root, in which each line shows its relation to the line above,
// within a budget of tokens. It takes roots, nodes and edges with the names to print ([Walk]), and returns how much was written and what the
// budget cut off ([Stat]). [Tokens] estimates the size of a text. It does not depend on graphs or on how the edges were chosen.
package tree
