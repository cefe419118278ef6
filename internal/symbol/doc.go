// Package symbol finds what the objects of a question stand for in code: "the cell searcher" for the class CellSearcher, "it" for the name before. The objects that
// internal/intent read off a question and open repositories go in; names of the graphs come out, with what was assumed, and names that look meant and are nowhere. It
// asks for no callers and gathers no evidence.
package symbol
