//go:build unix

// Embed measures docsearch/localembed beside another implementation, for docs/bench/embed.md:
//
//	go run ./docs/bench/embed MODEL TEXTS [REFERENCE]
//
// It embeds the texts of a file of JSON strings, one a line, in one thread, prints passages per second of processor time,
// load time and peak memory, and compares with the vectors of REFERENCE: float32 one after the other, as embed.py writes them.
package main
