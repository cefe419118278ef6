// Package model defines the kinds of edges, the levels of knowledge and the places that the linker, the blocks on disk and the graph use,
// all as numbers. Package codegraph gives them the names that users see, in the same order. It holds no data, and package lang is the only
// other package that it uses.
package model
