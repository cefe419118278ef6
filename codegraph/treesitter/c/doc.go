// Package c reads C and C++ for package codegraph: the facts of a file, and the header that an include names. It needs cgo, and
// links the grammars of these two alone.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), c.Frontends(), nil)
//
// There is no preprocessor. A source is lexed first: directives are blanked, and so are branches of conditions that tear a
// statement apart and macros that stand where no grammar expects a word. What is left is parsed, and the tree walked once.
// Defined macros with parameters are functions; macros that were taken out are mentioned all the same. A header is read with
// the grammar of C++ when a line of it can only be C++.
//
// Includes are found by suffix, nearest first. The package knows nothing of other files and of linking.
package c
