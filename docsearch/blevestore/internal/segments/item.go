package segments

import (
	"slices"

	index "github.com/blevesearch/bleve_index_api"
)

// item is one bleve document of a batch. Its terms are numbers of the encoder's vocabulary, in the form in which
// [segmentPlugin] takes them.
type item struct {
	id     string
	enc    *encoder
	order  int // in the batch: records of one document stay together
	stored []storedValue
	bags   []bag
	terms  []keyword
}

// storedValue is a value of the stored field with this number in fieldNames.
type storedValue struct {
	field int
	value []byte
}

// bag is the terms of one indexed field: the number of the term in the upper half, how often it stands there in the lower.
type bag struct {
	field  int
	length int // what counts for BM25
	terms  []uint64
	notes  []uint32 // beside terms: what stands where zapx keeps lengths; nil: the length
}

// keyword is a term that is no word.
type keyword struct {
	field int
	term  string
}

func (it *item) Store(field string, value []byte) {
	it.stored = append(it.stored, storedValue{fieldNumber(field), value})
}

func (it *item) keyword(field, term string) {
	it.terms = append(it.terms, keyword{fieldNumber(field), term})
}

// Finish puts the stored values into the order of the fields.
func (it *item) Finish() {
	slices.SortFunc(it.stored, func(a, b storedValue) int { return a.field - b.field })
}

// The methods of index.Document. Only segmentPlugin reads an item, and it does so without them.

func (it *item) ID() string { return it.id }

func (it *item) Size() int {
	n := len(it.id)
	for _, s := range it.stored {
		n += len(s.value)
	}
	for _, b := range it.bags {
		n += 8 * len(b.terms)
	}
	return n
}

func (it *item) NumPlainTextBytes() uint64 {
	n := 0
	for _, s := range it.stored {
		n += len(s.value)
	}
	return uint64(n)
}

func (it *item) VisitFields(index.FieldVisitor)             {}
func (it *item) VisitComposite(index.CompositeFieldVisitor) {}
func (it *item) HasComposite() bool                         { return false }
func (it *item) AddIDField()                                {}
func (it *item) StoredFieldsBytes() uint64                  { return 0 }
func (it *item) Indexed() bool                              { return false }
