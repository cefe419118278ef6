// Package syntax reads the text of a skill file: the front matter between its two lines ---, the fenced block of the
// workflow, and the YAML in both as nodes with their lines. A [Reader] takes values of expected types from nodes and collects
// what is wrong. YAML is bounded in depth and size, without anchors, aliases and tags; no other package uses the YAML library.
// Which fields there are, and what they mean, is up to the callers.
package syntax
