// Package treesitter reads Python, JavaScript, TypeScript (with JSX), Rust, Java, C and C++ for package codegraph. It needs cgo.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), treesitter.Frontends(), nil)
//
// [Frontend] returns one language by its name. A program that imports the package of a language instead of this one, such as
// codegraph/treesitter/python, links that language's grammar alone.
//
// # Model
//
// Tree-sitter parses a file into one flat array of nodes, which is walked once to find the [lang.Facts]. The package of each language
// describes how. All languages share one parser and one form of trees.
//
// # Guarantees and limits
//
// Each grammar parses a test line when it is loaded, so that a grammar of another interface version gives an error for each of its files and
// not an empty answer. A file is given five seconds and 1,500 levels of nesting; a syntax error loses only what it touches. Parsers are kept
// in a pool and freed; trees are freed before the call returns. Safe for concurrent use.
package treesitter
