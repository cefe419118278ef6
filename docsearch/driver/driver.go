package driver

import (
	"context"

	"github.com/findspot/findspot/internal/errs"
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
	// Heads are words that stand over the record, such as the headings of its section. They are stored and analysed like
	// Text, in a field of their own without positions and identifiers. They add to the score ([Query.HeadWeight]) and never
	// make a record match.
	Heads string
	// Vector is what an embedder made of the text, for a [VectorStore]; nil: none. Those of one document and kind have one
	// length, are not all zero, and hold finite numbers only, else Replace returns an error wrapping errs.Unsupported.
	Vector []float32
	// Processed says that nothing is left to do for the record: it is false while its vector is still to be made.
	Processed bool
}

// A Match is how strictly a query matches.
type Match int

// The matches.
const (
	MatchPhrase Match = iota // all groups in a row
	MatchAll                 // every group
	MatchAny                 // at least one part or whole of a group
)

// A Group is one written word of a query. It matches where all its parts stand in a row in the text of a record
// ([PhraseCount]), or where its whole is among the record's identifiers.
type Group struct {
	Parts []string // folded and stemmed, at least one
	Whole string   // "" unless the word is an identifier of several parts
	// Stop marks a common word. Records do not index those, but they take a place. In a phrase it is compared with the
	// text; the other matches ignore it.
	Stop bool
	// Weight is what the terms of the word count in the score, above 0; 0 means 1.
	Weight float64
}

// A Clause is words in a row, or one word.
type Clause []Group

// A Query asks one index. Where no group is other than a stop word it matches nothing.
type Query struct {
	Kind   Kind
	Match  Match
	Groups []Group
	Docs   []string // only records of these documents; nil means all
	Limit  int      // most documents to return; 0: none, only the total
	PerDoc int      // most records of one document; 0: no document is returned, only the total
	// A record must hold all clauses of Require, and none of Exclude, to match. A clause is held where [PhraseCount] finds it
	// in the record's text, or where it is one group whose whole is among the record's identifiers. They do not score.
	Require, Exclude []Clause
	// HeadWeight is how much the score of the terms in the record's heads counts in MatchAll and MatchAny; 0: not at all.
	HeadWeight float64
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
	// AtLeast says that there may be more documents than Total. An engine may stop looking at records that the index cannot decide when it
	// has read the texts of 1,000 of them and no other can change Hits; or of 10,000, and then Hits are the best of those it looked at.
	AtLeast bool
}

// Stats counts what a store holds.
type Stats struct {
	Documents  int          // documents, with those that have no records
	Records    map[Kind]int // records by kind
	Generation uint64       // grows with each change, in an engine of one process by one
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

	// SetData replaces the Data of documents by their ids, all or none; their records stay as they are. An id that is not there is an error
	// wrapping errs.NotFound. When it returns nil the change survives a crash.
	SetData(ctx context.Context, data map[string][]byte) error

	// Records returns records of one document and kind, in the order of ns, or with nil all of them by number. One that is not there is an
	// error wrapping errs.NotFound, and so is a document that is not there.
	Records(ctx context.Context, id string, kind Kind, ns []int) ([]Record, error)

	Search(ctx context.Context, q *Query) (*Hits, error)

	Stats(ctx context.Context) (Stats, error)

	Close() error
}

// A Walker is a [Store] that lists its documents without holding all of them.
type Walker interface {
	Store

	// Walk calls each for every document of one state, in any order, without Layout and records, and ends with its first error. each must
	// not call the store.
	Walk(ctx context.Context, each func(*Document) error) error
}

// A VectorQuery asks one index for records whose vectors are near.
type VectorQuery struct {
	Kind   Kind
	Vector []float32 // of any length but zero: only its direction counts
	Docs   []string  // only records of these documents; nil means all
	Limit  int       // most documents to return; 0: none, only the total
	PerDoc int       // most records of one document; 0: no document is returned, only the total
}

// A VectorStore is a [Store] that finds records by their vectors.
type VectorStore interface {
	Store

	// SearchVectors returns the documents with the records whose vectors are nearest, by their cosine, which is the score, and exact.
	// Among a thousand vectors none of the nearest is missing; among more, some may be: the engine's package says which and how many.
	// Hits.Total counts the documents with a vector in scope. A vector in scope that has another length than the query's is an error
	// wrapping errs.Unsupported, and so is a query's without a direction: see [Direction].
	SearchVectors(ctx context.Context, q *VectorQuery) (*Hits, error)
}

// A Spelling is an indexed term that is spelt nearly like another.
type Spelling struct {
	Term     string
	Distance int // Levenshtein's, in runes
	Records  int // that hold it
}

// A Speller is a [Store] that finds terms by their spelling.
type Speller interface {
	Store

	// Similar returns the terms of the words of a kind within a distance of 1 of term, or of 2 when that has six runes or more, by distance, then the
	// number of records, most first, then the term; term itself is left out, and one of fewer than three runes has none.
	Similar(ctx context.Context, kind Kind, term string, limit int) ([]Spelling, error)
}

// Counts says how common terms are.
type Counts struct {
	Records int   // of the kind
	Holding []int // of them hold each term
}

// A Counter is a [Store] that counts terms.
type Counter interface {
	Store

	// Count counts the records of a kind that hold each of some terms of words, which [BM25] weighs by that.
	Count(ctx context.Context, kind Kind, terms []string) (*Counts, error)
}

// A DamageError is one thing that a [Checker] found wrong. It wraps errs.Format.
type DamageError struct {
	Doc  string // id of the document it is about; "": of the store as a whole
	What string // what is wrong, and where
}

func (e *DamageError) Error() string {
	if e.Doc != "" {
		return "document " + e.Doc + ": " + e.What
	}
	return e.What
}

func (e *DamageError) Unwrap() error { return errs.Format }

// A Checker is a [Store] that can look for damage.
type Checker interface {
	Store

	// Check reads all that is stored and reports everything that is wrong with it, or the first hundred of it: each as a [*DamageError], all in
	// one error (see errors.Join). Any other error says that it could not look.
	Check(ctx context.Context) error
}

// A Backuper is a [Store] that can be copied while it is in use.
type Backuper interface {
	Store

	// Backup writes a whole copy of the present state into the folder dir, which must be empty or not be there. What it
	// began is removed when it fails. progress, when not nil, is called from one goroutine with the bytes written and those to write in all.
	Backup(ctx context.Context, dir string, progress func(done, total int64)) error
}
