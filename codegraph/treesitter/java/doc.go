// Package java reads Java for package codegraph: it finds the facts of a file, and the files that an import names. It needs cgo, and links
// the grammar of Java alone.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), java.Frontends(), nil)
//
// A file's tree is walked once. Local variables and type parameters are looked up by the block that declares them; all other names are left
// to the linker. Expressions keep the types of literals and operators, for the choice among overloads.
//
// Types are found by package and name in whatever source folder holds them. A table lists what methods of the class library return. The
// package reads each file alone; package codegraph links them.
package java
