// Package show formats the untrusted texts that a model is shown: marked data, evidence under its keys, and remarks of the
// host. It takes texts and items, and returns text. It calls nothing and keeps no state.
package show
