// Vectorscan measures how the vectors of blevestore are searched: how much memory and time that takes, and how many of the nearest are found.
//
//	go run ./docs/bench/vectorscan -n 200000,1000000
//	go run ./docs/bench/vectorscan -n 200000 -passages 20
//	go run ./docs/bench/vectorscan -n 200000 -hybrid
//	go run ./docs/bench/vectorscan -vectors REAL.f32 -queries QUERIES.f32
//
// The vectors are drawn about centres, the same ones in every run: uniform ones have no neighbours to speak of. With -vectors, they are read from a file of
// floats of 32 bits, low bytes first. With -hybrid, documents of 40 words are added through docsearch.Library, and searched by words, and by words and vectors.
package main
