// Package query answers questions about linked graphs: which nodes a written name means ([Named]), which entities fit some words ([Search]),
// what edges lead to ([Traverse]), and how entities read in their sources ([Texts]). Graphs, alone or several under names ([Member]), and
// numbers and words go in; nodes, edges and texts come out, with counts of what was left out and why. It does not know how graphs come about,
// nor what users see of the answers.
package query
