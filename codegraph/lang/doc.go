// Package lang defines what a language front end implements for package codegraph: it turns the bytes of one file into [Facts], and maps an
// import string of that file to files of the repository.
//
//	type frontend struct{}
//	func (frontend) Name() string                       { return "python" }
//	func (frontend) Extensions() []string               { return []string{".py"} }
//	func (frontend) FeatureVersion() int                { return 1 }
//	func (frontend) Rules() lang.Rules                  { return lang.Rules{Constructors: []string{"__init__"}} }
//	func (frontend) Parse(ctx context.Context, path string, src []byte) (*lang.Facts, error) { ... }
//	func (frontend) Resolver(t lang.Tree) lang.Resolver { ... }
//
// # Model
//
// Facts are a pure function of the language, its feature version, the path's extension and the file's bytes, so they are cached by content
// hash and shared by branches and worktrees. They hold declarations ([Decl]), imports ([Import]), bindings of names to values ([Binding]),
// references ([Ref]) and one pool of value sketches ([Expr]), to which the others refer by index. A sketch keeps the parts of an expression
// that a linker needs to follow a value: names, attributes, calls, containers. It leaves out numbers, operators and control flow. Nothing in
// Facts depends on another file; the linker joins them.
//
// Scopes are named by the index of the declaration that opens them; [File] (-1) is the file itself.
//
// # Guarantees and limits
//
// Facts are immutable once returned and safe for concurrent readers. Names and strings hold UTF-8. [Facts.Check] checks that every index
// points to something; facts that fail it are not linked. Package langtest checks a front end against source files.
package lang
