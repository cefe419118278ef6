// Package parse turns the YAML of a skill file into a workflow. It takes text or nodes, and returns the workflow with every
// problem and its line. It takes the keys from package grammar and reads values with package syntax. Whether the steps make sense
// together is checked by package workflow. It opens no file.
package parse
