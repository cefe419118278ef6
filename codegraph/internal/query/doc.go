// Package query answers questions about linked graphs: which nodes a written name may mean ([Resolve]), which entities fit some words
// ([Search]), where edges lead ([Traverse]), and what entities look like in their sources ([Texts]). It takes one graph, or several under
// names ([Member]), and returns nodes, edges and texts, with counts of what it left out and why. It does not depend on how graphs are made;
// package codegraph turns the answers into the types that users see.
package query
