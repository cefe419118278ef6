// Package c reads C and C++ for package codegraph: it finds the facts of a file, and the header that an include names. It needs cgo, and
// links the grammars of these two languages alone.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), c.Frontends(), nil)
//
// There is no preprocessor. A source is first split into tokens, and what the grammars cannot parse is replaced by blanks: directives,
// branches of conditions that cut a statement in two, and macros where no grammar expects a word. The rest is parsed, and the tree is walked
// once. A defined macro with parameters is a function; the uses of blanked macros are still recorded, as calls or references. A header is
// parsed as C++ when a line of it can only be C++.
//
// Includes are found by suffix, nearest first. The package reads each file alone; package codegraph links them.
package c
