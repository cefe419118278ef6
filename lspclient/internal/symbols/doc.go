// Package symbols finds declarations: those of a file, those of the workspace that match a query, and the one that a name means, as a [Spot] with the
// server responsible for it. It takes names as people write them and returns spots, or an error with candidates or near names. It asks servers for
// document and workspace symbols; a function that the caller passes in finds where a symbol is defined.
package symbols
