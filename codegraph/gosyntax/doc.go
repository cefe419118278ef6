// Package gosyntax reads Go for package codegraph, through go/parser: no cgo, no type checker, no build.
//
//	langs := []lang.Frontend{gosyntax.Frontend()}
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), langs, nil)
//
// # Model
//
// Structs, interfaces and other named types are classes; methods belong to their receiver's type, in whatever file of
// the package they stand ("pkg/file.go:Type.Method"). Embedding is inheritance, and members are looked up by depth; a type
// that has all methods of an interface of the repository, with the same types, inherits from it too (level member), which
// does not take part in lookups. Interfaces of which a part lies outside of the repository are left out there.
//
// Types of variables come from declarations, composite literals, conversions and result types, and are final: a call through
// an interface invokes the interface's method, whatever was stored there. Only for values of function types it is followed
// which functions they may hold. Names are looked up block by block.
//
// A composite literal T{}, a conversion T(x), a type in a signature, field, variable, literal or assertion, a function or
// method passed on or stored are references, not calls. Embedding is an inherit edge alone.
//
// Import paths are found as the go command does: in the vendor folder, the module of the file, what its go.mod or the go.work
// above it replaces by a folder, the modules of the workspace; then in any module of the repository, whatever version of
// it go.mod asks for; without any go.mod below what hosts put in front (github.com/user/repo). A folder with a go.mod of its
// own is not part of the module around it. An import makes an edge to the package's directory. Files of one directory share
// their names when their package clauses agree and one build can have both.
//
// # Guarantees and limits
//
// A syntax error loses what it touches. No build is chosen: a call from a file for all systems leads to the functions of every
// system, one from a file with a build constraint (by name or comment) to those that may be built with it. The name of a package that
// differs from what its path suggests is found among the names that the file uses. Type parameters are what their constraint
// says and, where that says nothing, any type they are instantiated with; anonymous structs have no members. Safe for
// concurrent use.
package gosyntax
