// Package gosyntax reads Go for package codegraph, through go/parser: no cgo, no type checker, no build.
//
//	langs := []lang.Frontend{gosyntax.Frontend()}
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), langs, nil)
//
// # Model
//
// Structs, interfaces and other named types are classes. A method belongs to the type of its receiver, in whichever file of the package it
// is written ("pkg/file.go:Type.Method"). Embedding is inheritance, and members are looked up by depth. A type with all methods of an
// interface of the repository, with the same signatures, also gets an inherit edge to it (level member); that edge plays no part in the
// lookup of members. Interfaces that are partly declared outside the repository get no such edges.
//
// The type of a variable comes from its declaration, a composite literal, a conversion or a result type, and is final: a call through an
// interface invokes the interface's method, whatever was stored there. Only values of function types are followed to the functions that they
// may hold. Names are looked up block by block.
//
// A composite literal T{}, a conversion T(x), a type in a signature, field, variable, literal or assertion, and a function or method that is
// passed on or stored are references, not calls. Embedding is an inherit edge alone.
//
// Import paths are found as the go command finds them: in the vendor folder, in the module of the file, in the folders that replace modules
// in its go.mod or in the go.work above it, and in the modules of the workspace; then in any module of the repository, whatever version of
// it go.mod asks for; without any go.mod, below the prefix that a host adds (github.com/user/repo). A folder with its own go.mod is not part
// of the module around it. An import makes an edge to the package's directory. Files of one directory share their names when their package
// clauses agree and one build can contain both.
//
// # Guarantees and limits
//
// A syntax error loses only what it touches. No build is chosen: a call from a file for all systems leads to the functions of every system,
// a call from a file with a build constraint (by name or comment) to those that one build can contain with it. A package name that differs
// from what its path suggests is found among the names that the file uses. A type parameter stands for what its constraint names or, where
// that names nothing, for any type that it is instantiated with. Anonymous structs have no members. Safe for concurrent use.
package gosyntax
