// Package gosyntax reads Go for package codegraph, through go/parser: no cgo, no type checker, no build.
//
//	langs := []lang.Frontend{gosyntax.Frontend()}
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), langs, nil)
//
// # Model
//
// Structs, interfaces and other named types are classes; methods belong to their receiver's type, in whatever file of
// the package they stand ("pkg/file.go:Type.Method"); embedding is inheritance. Types of variables come from
// declarations, composite literals, conversions and result types. Import paths are matched against the module paths of
// all go.mod files of the repository; an import makes an edge to the package's directory. Files of one directory share
// their names when their package clauses agree.
//
// # Guarantees and limits
//
// A syntax error loses what it touches. Build constraints are not looked at: functions of several platforms are all
// there. A call through an interface invokes the interface's method. A package whose name differs from the last part
// of its path needs a named import to be followed. Safe for concurrent use.
package gosyntax
