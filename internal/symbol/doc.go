// Package symbol finds what the objects of a question stand for in code: "the cell searcher" for the class CellSearcher, "it" for the name before. It
// takes the objects that package intent read from a question, and open repositories. It returns names of the code graphs, what it assumed, and names
// that the question seems to mean but that exist nowhere. It looks up no callers and gathers no evidence.
package symbol
