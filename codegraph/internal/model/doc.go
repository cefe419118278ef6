// Package model holds what the linker, the blocks on disk and the graph say edges with: kinds of edges, levels of knowledge and
// places, as numbers. Package codegraph gives them the names that users see, in the same order. It holds no data and imports
// nothing but the facts of package lang.
package model
