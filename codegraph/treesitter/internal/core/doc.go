// Package core is what the languages of package treesitter share. A [Grammar] parses bytes into a [Tree], a [Sketch] gathers the facts of a
// tree, [Names] holds the variables in scope, and a [Language] is a front end made of a few functions. A missing node is -1, which has no
// kind, text, fields or children, so that a walker need not check whether a field exists.
//
// The parser is tree-sitter, through the objects that github.com/smacker/go-tree-sitter links in. A C helper parses a file and flattens the
// named nodes of its tree into one array in one call; walking a tree from Go costs several times as much. Each language gives the pointer to
// its own grammar, so that a program links only the grammars of the languages it imports.
//
// To add a language, make a folder beside the existing ones: frontend.go with the grammar and Frontends, a walker that makes facts of a
// tree, rules, a resolver of its imports, and testdata with marker cases for langtest; then add a line to treesitter.Frontends.
//
// The package does not depend on any language: the names of node kinds, scopes and rules are defined in the languages' own packages.
package core
