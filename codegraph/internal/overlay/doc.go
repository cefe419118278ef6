// Package overlay lays what compilers and language servers observed over a linked graph. A graph and observations go in ([Lay]); a graph
// comes out whose edges at the places observed are exact, with what became of the observations ([Result]). The graph below stays as it is,
// and observations of other content than the one indexed are left out. It does not know who observed what, nor how edges are shown.
package overlay
