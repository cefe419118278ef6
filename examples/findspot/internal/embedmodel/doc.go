// Package embedmodel is what the program knows of embedding models in folders: which there are, what one is like when it is used, and the one that
// was opened last.
package embedmodel
