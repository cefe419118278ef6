// Package limited wraps a driver.Store and exposes only some of its documents: those whose source lies below given
// folders, and those added through the wrapper. Its methods reveal no other document, with three exceptions: Similar
// may return terms of other documents, LeftOut tells package ingest that another document has an id, and a document
// with a damaged entry is listed.
package limited
