// Package syntax reads the text of a skill file: the front matter between its two lines ---, the fenced block of the
// workflow, and the YAML in both as nodes with their lines. A [Reader] takes values of certain types from nodes and notes
// what is wrong. YAML is bounded in depth and size, without anchors, aliases and tags; the YAML library is seen nowhere
// else. Which fields there are, and what they mean, is not known here.
package syntax
