// Package treesitter reads Python, JavaScript, TypeScript (with JSX), Rust, Java, C and C++ for package codegraph. It needs cgo.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), treesitter.Frontends(), nil)
//
// [Frontend] gives one language by its name. A program that imports the package of a language instead of this one, such as
// codegraph/treesitter/python, links that language's grammar alone.
//
// # Model
//
// A file is parsed by tree-sitter into one flat array of nodes, which is walked once and gives the [lang.Facts]. How, each
// language's package says. All of them share one parser and one form of trees.
//
// # Guarantees and limits
//
// Each grammar parses a line when it is loaded, so that one of another interface version is an error for each
// of its files and not an empty answer. A file is given five seconds and 1,500 levels of nesting; a syntax error loses what it touches. Parsers are
// kept in a pool and freed; trees are freed before the call returns. Safe for concurrent use.
package treesitter
