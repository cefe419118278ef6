// Package gate says what the gates of a workflow look at: the names in the condition of a require step and in the text that an
// approve step shows. It takes steps, and gives names. Whether a gate is open is for a run to know, and for lint to prove.
package gate
