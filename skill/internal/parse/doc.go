// Package parse makes a workflow of the YAML nodes of a skill file. It takes text or nodes, and gives the workflow with every
// problem and its line. Keys come from grammar, values are read by syntax; whether the steps make sense together is for
// the workflow's own check, and it opens no file.
package parse
