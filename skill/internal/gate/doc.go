// Package gate finds what the gates of a workflow depend on: the names in the condition of a require step and in the text that
// an approve step shows. It takes steps, and returns names. Package runner decides whether a gate is open; package lint proves
// what it can beforehand.
package gate
