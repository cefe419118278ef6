// Package treesitter reads Python, JavaScript, TypeScript (with JSX), Rust, Java, C and C++ for package codegraph. It needs cgo.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), treesitter.Frontends(), nil)
//
// # Model
//
// The parser is tree-sitter, through the objects that github.com/smacker/go-tree-sitter links in. A C helper of this
// package parses a file and flattens the named nodes of its tree into one array in one call; walking a tree from Go costs
// several times as much. The array is walked once, and gives the [lang.Facts].
//
// C and C++ are not preprocessed. Before a source is parsed its directives are blanked, and so are macros that stand where
// no grammar expects a word (export macros, attributes, thread annotations, macros that open namespaces). Branches of #if
// that are whole each are all read, as alternatives; where one tears a statement apart, one is read. A macro with parameters is
// a function. A header is read with the C++ grammar when a line of it can only be C++.
//
// # Guarantees and limits
//
// Each grammar parses a line when it is loaded, so that one of another interface version is an error for each
// of its files and not an empty answer. A file is given five seconds and 1,500 levels of nesting; a syntax error loses what it touches. Parsers are
// kept in a pool and freed; trees are freed before the call returns. Safe for concurrent use.
package treesitter
