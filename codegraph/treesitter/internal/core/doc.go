// Package core is what the languages of package treesitter share: a [Grammar] parses bytes into a [Tree], a [Sketch] gathers the
// facts of one, [Names] are the variables in sight, and a [Language] is a front end made of a few functions. What a tree lacks is
// node -1, of which nothing is said: a walker need not ask whether a field is there.
//
// The parser is tree-sitter, through the objects that github.com/smacker/go-tree-sitter links in. A C helper parses a file and
// flattens the named nodes of its tree into one array in one call; walking a tree from Go costs several times as much.
// Each language gives the pointer to its own grammar, so that a program links only those of the languages it imports.
//
// To add a language, make a folder beside those there are: frontend.go with the grammar and Frontends, a walker that makes facts
// of a tree, rules, a resolver of its imports, and testdata with marker cases for langtest; then a line in treesitter.Frontends.
//
// The package knows no language: names of node kinds, scopes and rules are those of the languages' own packages.
package core
