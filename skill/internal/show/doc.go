// Package show makes the texts that a model is shown of others' words: marked data, evidence under its keys, remarks of the
// host. It takes texts and items, and gives text. It calls nobody and remembers nothing.
package show
