// Package documents is the library of documents of a workspace: it opens when it is first needed, takes whole folders in and forgets what is gone from them, searches
// with the workspace's glossary, and says whether an answer is as fresh as the files. How documents are read, kept and ranked is docsearch's.
package documents
