// Package python reads Python for package codegraph: the facts of a file, and the module that an import names. It needs cgo,
// and links the grammar of Python alone.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), python.Frontends(), nil)
//
// A file's tree is walked once, statement by statement. On the way a flow keeps what variables hold at the place, so that a
// sketch names the value assigned last and not all values of the name; where ways meet, only what all of them know stays.
// Annotations are read as types. Mentions that cannot lead to a class or function are dropped in the end.
//
// Modules are found by the rules of the import system with a guessed search path. The package knows nothing of other files
// and of linking.
package python
