// Package documents holds the document library of a workspace. It opens the library on first use, adds whole folders and removes documents whose
// files are gone, searches with the workspace's glossary, and says whether an answer is as fresh as the files. Reading, storing and ranking documents
// is up to package docsearch.
package documents
