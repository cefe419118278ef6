// Package python reads Python for package codegraph: it finds the facts of a file, and the module that an import names. It needs cgo, and
// links the grammar of Python alone.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), python.Frontends(), nil)
//
// A file's tree is walked once, statement by statement. During the walk a flow tracks what each variable holds at that point, so that a
// sketch refers to the last assigned value and not to every value of the name. Where branches join, it keeps the variables that all of them
// know, each with the values of all branches. Annotations are read as types. A decorator belongs to the scope around it. References that
// cannot lead to a class or function are dropped at the end.
//
// Modules are found by the rules of the import system with a guessed search path. The package reads each file alone; package codegraph links
// them.
package python
