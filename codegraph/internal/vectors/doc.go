// Package vectors finds the functions and classes of a graph that are near to a question by what they mean: it makes their vectors with an untrusted
// embedder in the background, keeps them by content in the pool of facts, so that worktrees, branches and later processes find them, and compares
// them with that of a question. It does not rank them among what names and words find.
package vectors
