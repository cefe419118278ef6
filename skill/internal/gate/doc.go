// Package gate finds what the gates of a workflow depend on: the names in the condition of a require step and in the text that an
// approve step shows. It takes steps, and returns names. Whether a gate is open is decided by package runner during a run, and
// what can be proved of it beforehand by package lint.
package gate
