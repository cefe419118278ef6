// Package pdftest makes PDFs for tests: a builder of small files, page contents, fuzzing seeds made from our own
// documents, and a check of the patterns of package pattern. Only tests use it.
package pdftest
