// Embed is the smallest program that asks documents and code together: it opens an index, adds a folder of papers and a repository, asks, and prints each piece with its place.
//
//	go run ./examples/embed INDEX PAPERS REPOSITORY QUESTION
package main
