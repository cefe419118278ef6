// Package treesitter reads Python, JavaScript, TypeScript (with JSX), Rust and Java for package codegraph. It needs cgo.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), treesitter.Frontends(), nil)
//
// # Model
//
// The parser is tree-sitter, through the objects that github.com/smacker/go-tree-sitter links in. A C helper of this
// package parses a file and flattens the named nodes of its tree into one array in one call; walking a tree from Go costs
// several times as much. The array is walked once, and gives the [lang.Facts].
//
// # Guarantees and limits
//
// Each grammar parses a line when it is loaded, so that one of another interface version is an error for each
// of its files and not an empty answer. A file is given five seconds and 1,500 levels of nesting; a syntax error loses what it touches. Parsers are
// kept in a pool and freed; trees are freed before the call returns. Safe for concurrent use.
package treesitter
