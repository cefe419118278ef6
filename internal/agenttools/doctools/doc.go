// Package doctools holds the agents' tools that search, list and read the documents of the library: search_internal, list_documents, show_document,
// read_abstract and read_section. Each takes the arguments of a call and returns passages, figures and tables with their places, or a stretch of
// text, with keys of the session's ledger. It does not depend on code; the tools that read both documents and files of repositories are in package
// filetools.
package doctools
