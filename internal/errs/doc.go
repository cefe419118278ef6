// Package errs holds the error values that the packages docsearch, codegraph, lspclient, skill and findspot share, so that a caller who imports two
// of them compares against one value. Each exports them under its own names, such as docsearch.ErrNotFound.
package errs
