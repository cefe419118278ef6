package blevestore

import (
	"strconv"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
)

// item is one bleve document. Its fields come analysed.
type item struct {
	id                   string
	fields               []*itemField
	words, idents, heads int // field lengths
}

func newItem(id, parent string) *item {
	it := &item{id: id}
	it.keyword("parent", parent)
	return it
}

func recordItem(doc string, r *driver.Record) *item {
	it := newItem(recordID(doc, r.Kind, r.N), doc)
	a := driver.Analyze(r.Text)
	it.words, it.idents = a.Words.Length, a.Idents.Length
	it.terms(letters[r.Kind]+".words", a.Words, false)
	it.terms(letters[r.Kind]+".idents", a.Idents, false)
	heads := driver.AnalyzeHeads(r.Heads)
	it.heads = heads.Length
	it.terms(letters[r.Kind]+".heads", heads, false)
	it.store("start", strconv.AppendInt(nil, int64(r.Start), 10))
	it.store("text", []byte(r.Text))
	if len(r.Data) > 0 {
		it.store("data", r.Data)
	}
	if r.Heads != "" {
		it.store("heads", []byte(r.Heads))
	}
	if r.Processed {
		it.store("processed", []byte{'1'})
	}
	if r.Vector != nil {
		it.store("vec", []byte{'1'}) // it is in a block
	}
	return it
}

func (it *item) keyword(name, value string) {
	tf := &index.TokenFreq{Term: []byte(value)}
	tf.SetFrequency(1)
	it.fields = append(it.fields, &itemField{
		name: name, options: index.IndexField, length: 1, freqs: index.TokenFrequencies{value: tf},
	})
}

func (it *item) store(name string, value []byte) {
	it.fields = append(it.fields, &itemField{name: name, options: index.StoreField, value: value})
}

func (it *item) terms(name string, f driver.Field, positions bool) {
	if len(f.Terms) == 0 {
		return
	}
	out := &itemField{name: name, options: index.IndexField, length: f.Length, freqs: make(index.TokenFrequencies, len(f.Terms))}
	if positions {
		out.options |= index.IncludeTermVectors
	}
	n := 0
	for _, ps := range f.Terms {
		n += len(ps)
	}
	var locs []index.TokenLocation
	var refs []*index.TokenLocation
	if positions {
		locs, refs = make([]index.TokenLocation, n), make([]*index.TokenLocation, n)
	}
	freqs := make([]index.TokenFreq, len(f.Terms))
	for term, ps := range f.Terms {
		tf := &freqs[0]
		freqs = freqs[1:]
		tf.Term = []byte(term)
		tf.SetFrequency(len(ps))
		if positions {
			for i, p := range ps {
				locs[i].Position = p
				refs[i] = &locs[i]
			}
			tf.Locations = refs[:len(ps):len(ps)]
			locs, refs = locs[len(ps):], refs[len(ps):]
		}
		out.freqs[term] = tf
	}
	it.fields = append(it.fields, out)
}

// The methods of index.Document.

func (it *item) ID() string { return it.id }

func (it *item) Size() int {
	n := len(it.id)
	for _, f := range it.fields {
		n += len(f.value) + 64*len(f.freqs)
	}
	return n
}

func (it *item) VisitFields(visit index.FieldVisitor) {
	for _, f := range it.fields {
		visit(f)
	}
}

func (it *item) VisitComposite(index.CompositeFieldVisitor) {}
func (it *item) HasComposite() bool                         { return false }

func (it *item) NumPlainTextBytes() uint64 {
	n := 0
	for _, f := range it.fields {
		n += len(f.value)
	}
	return uint64(n)
}

func (it *item) AddIDField() {
	it.keyword("_id", it.id)
	f := it.fields[len(it.fields)-1]
	f.value, f.options = []byte(it.id), f.options|index.StoreField
}

func (it *item) StoredFieldsBytes() uint64 { return 0 }
func (it *item) Indexed() bool             { return false }

// itemField is one analysed or stored field.
type itemField struct {
	name    string
	options index.FieldIndexingOptions
	value   []byte
	length  int
	freqs   index.TokenFrequencies
}

func (f *itemField) Name() string                                     { return f.name }
func (f *itemField) Value() []byte                                    { return f.value }
func (f *itemField) ArrayPositions() []uint64                         { return nil }
func (f *itemField) EncodedFieldType() byte                           { return 't' }
func (f *itemField) Analyze()                                         {}
func (f *itemField) Options() index.FieldIndexingOptions              { return f.options }
func (f *itemField) AnalyzedLength() int                              { return f.length }
func (f *itemField) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.freqs }
func (f *itemField) NumPlainTextBytes() uint64                        { return uint64(len(f.value)) }
