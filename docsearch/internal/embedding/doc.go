// Package embedding makes the vectors of a library's records and of queries, with the embedder that the library was opened with: they must have the length of
// those that it holds under the embedder's name. It does not depend on how vectors are stored or compared.
package embedding
