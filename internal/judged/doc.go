// Package judged reads test collections: documents, queries, and which documents were judged relevant to which query. It also scores rankings by them. Tests and
// benchmarks use it.
//
// A collection is a folder in the form of the shared relevance folder: corpus.jsonl.gz and queries.jsonl hold {"_id", "title", "text"} a line, and qrels.tsv, behind
// a line of headings, the ids of a query and a document and a grade from 0.
package judged
