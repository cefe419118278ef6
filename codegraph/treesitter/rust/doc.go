// Package rust reads Rust for package codegraph: the facts of a file, and the module or crate that a path names. It needs cgo,
// and links the grammar of Rust alone.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), rust.Frontends(), nil)
//
// A file's tree is walked once: items first, use declarations last. Local variables and type parameters are resolved here, by
// their lexical scope. What a macro is given is parsed again, as expressions, statements or items, within a budget; else it is
// searched for calls token by token. Containers of the standard library are tuples whose parts have fixed numbers.
//
// Modules are found by Cargo.toml, the folder layout and mod declarations. The package knows nothing of other files and of linking.
package rust
