// Package rust reads Rust for package codegraph: it finds the facts of a file, and the module or crate that a path names. It needs cgo, and
// links the grammar of Rust alone.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), rust.Frontends(), nil)
//
// A file's tree is walked once: items first, use declarations last. Local variables and type parameters are resolved here, by their lexical
// scope. The input of a macro call is parsed again, as expressions, statements or items, within a budget; if that fails, it is searched for
// calls token by token. Containers of the standard library are tuples whose parts have fixed numbers.
//
// Modules are found by Cargo.toml, the folder layout and mod declarations. The package reads each file alone; package codegraph links them.
package rust
