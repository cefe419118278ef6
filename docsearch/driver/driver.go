package driver

import (
	"context"
)

// A Kind is one of the four indices of a store.
type Kind string

// The kinds of records.
const (
	KindDocument Kind = "documents"        // one record a document: its title and what else names it
	KindChunk    Kind = "document_chunks"  // passages of the raw text
	KindFigure   Kind = "document_figures" // caption and text read from the picture
	KindTable    Kind = "document_tables"  // caption and cells
)

// Kinds returns all kinds in a fixed order.
func Kinds() []Kind { return []Kind{KindDocument, KindChunk, KindFigure, KindTable} }

// A Document is what a store replaces, returns and deletes as a whole.
type Document struct {
	ID      string   // parent_doc_id of its records
	Data    []byte   // what a listing shows; opaque to the store
	Layout  []byte   // what reading the document needs; opaque to the store, not returned by List
	Records []Record // only for Replace
}

// A Record is one entry of one index.
type Record struct {
	Kind  Kind
	Doc   string // parent_doc_id; Replace sets it
	N     int    // number within the document and kind; unique there
	Start int    // bytes of the document's raw text at which Text begins
	Text  string // stored, and analysed with [Analyze]
	Data  []byte // stored, opaque
}

// A Match is how strictly a query matches.
type Match int

// The matches.
const (
	MatchPhrase Match = iota // all groups in a row
	MatchAll                 // every group
	MatchAny                 // at least one part or whole of a group
)

// A Group is one written word of a query. It matches where all its parts stand in a row in the words of a record, or
// where its whole is among the record's identifiers.
type Group struct {
	Parts []string // folded and stemmed, at least one
	Whole string   // "" unless the word is an identifier of several parts
	// Stop marks a common word. Records do not index those, but they take a place. In a phrase a stop group
	// takes one place; the other matches ignore it.
	Stop bool
}

// A Query asks one index.
type Query struct {
	Kind   Kind
	Match  Match
	Groups []Group
	Docs   []string // only records of these documents; nil means all
	Limit  int      // most documents to return
	PerDoc int      // most records of one document
	// Verify, when not nil, is asked for each record that matches before it counts, with the record's text. It is
	// set for phrases that hold stop words, which no index can decide.
	Verify func(text string) bool
}

// A Hit is a document with its best matching records.
type Hit struct {
	Doc     string
	Records []RecordHit // best first, ties by N; at least one, at most PerDoc
}

// A RecordHit is one record that matches.
type RecordHit struct {
	N     int
	Score float64 // see [BM25]
}

// Hits is the answer to a query.
type Hits struct {
	Hits  []Hit // by the score of the best record, ties by document id; at most Limit
	Total int   // distinct documents that match
}

// Stats counts what a store holds.
type Stats struct {
	Documents  int          // documents, with those that have no records
	Records    map[Kind]int // records by kind
	Generation uint64       // grows with each change
}

// A Store keeps documents with their records and finds records. It is safe for concurrent use. A reader sees the state
// before a change or after it, never a part of it. All methods return an error wrapping errs.Closed after Close.
type Store interface {
	// Replace puts documents in place of those of their ids, each with all its records, or changes nothing for that
	// document. When it returns nil all of them survive a crash. The documents are not kept or changed. Ids must differ.
	Replace(ctx context.Context, docs []*Document) error

	// Delete removes a document with its records. An id that is not there is an error wrapping errs.NotFound.
	Delete(ctx context.Context, id string) error

	// Get returns a document without its records, or an error wrapping errs.NotFound.
	Get(ctx context.Context, id string) (*Document, error)

	// List returns all documents by id, without Layout and records.
	List(ctx context.Context) ([]*Document, error)

	// Records returns records of one document and kind, in the order of ns. One that is not there is an error wrapping errs.NotFound.
	Records(ctx context.Context, id string, kind Kind, ns []int) ([]Record, error)

	Search(ctx context.Context, q *Query) (*Hits, error)

	Stats(ctx context.Context) (Stats, error)

	Close() error
}
