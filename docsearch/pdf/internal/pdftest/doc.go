// Package pdftest makes PDFs for tests: a builder of small files, content of pages, seeds for fuzzers out of our own
// documents, and a check of patterns. It is used by tests alone.
package pdftest
