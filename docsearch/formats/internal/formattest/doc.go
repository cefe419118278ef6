// Package formattest checks extractors of package docsearch/formats: what they make of the documents in testdata, and what holds for any bytes.
package formattest
