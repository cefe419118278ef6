// Package symbols finds declarations: those of a file, those of the workspace that match a query, and the one that a name means,
// as a Spot with the server that is responsible for it. In go names as people write them; out come spots, or an error with
// candidates or near names. The package asks for document and workspace symbols; where a symbol is defined it is told by a
// function that it is given.
package symbols
