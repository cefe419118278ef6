package elasticstore

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// document is a document of the server: a record, or what the store keeps of a document beside its records.
type document struct {
	Type   string `json:"type"` // one of the types below
	Parent string `json:"parent_doc_id"`
	Batch  int64  `json:"batch"`
	Owner  string `json:"owner"`

	// Of a record. Text stands in the fields that the kind has for it: see putText.
	N          int         `json:"n"`
	Start      int         `json:"start,omitempty"`
	Text       *string     `json:"text,omitempty"`
	Caption    *string     `json:"caption,omitempty"`
	OCR        *string     `json:"ocr_text,omitempty"`
	Content    *string     `json:"content,omitempty"`
	Raw        []byte      `json:"raw,omitempty"` // the text when it is no UTF-8
	Heads      string      `json:"heads,omitempty"`
	RawHeads   []byte      `json:"raw_heads,omitempty"`
	Processed  *bool       `json:"processed,omitempty"`
	Vector     []byte      `json:"vector,omitempty"` // big-endian 32-bit floats
	Dims       int         `json:"dims,omitempty"`
	Near       nearVectors `json:"near,omitempty"`
	Words      string      `json:"words,omitempty"`
	Idents     string      `json:"idents,omitempty"`
	HeadWords  string      `json:"head_words,omitempty"`
	WordCount  *int        `json:"word_count,omitempty"`
	IdentCount *int        `json:"ident_count,omitempty"`
	HeadCount  *int        `json:"head_count,omitempty"`

	Data    []byte               `json:"data,omitempty"`   // of a record or an entry
	Layout  []byte               `json:"layout,omitempty"` // of a layout
	Records string               `json:"records,omitempty"`
	Sums    map[driver.Kind]sums `json:"sums,omitempty"`
}

// The types of documents. An entry holds a document's data and names the owner of its records and its layout; entries have owners of
// their own, because they can be replaced alone.
const (
	typeRecord = "record"
	typeEntry  = "entry"
	typeLayout = "layout"
)

func entryOwner(batch int64, id string) string  { return fmt.Sprintf("e/%d/%s", batch, id) }
func recordOwner(batch int64, id string) string { return fmt.Sprintf("r/%d/%s", batch, id) }

// maxID bounds the id of a document, in bytes.
const maxID = 512

func checkID(id string) error {
	if id == "" || len(id) > maxID || !utf8.ValidString(id) {
		return fmt.Errorf("document id %.64q: %w: it must be UTF-8 of 1 to %d bytes", id, errs.Unsupported, maxID)
	}
	return nil
}

// newRecord makes the document of a record and its part of the statistics.
func newRecord(r *driver.Record, batch int64, id string) (*document, sums, error) {
	words, idents := analyze(r.Text)
	heads := analyzeHeads(r.Heads)
	processed := r.Processed
	d := &document{
		Type: typeRecord, Parent: id, Batch: batch, Owner: recordOwner(batch, id), N: r.N, Start: r.Start, Data: r.Data,
		Words: words.text, Idents: idents.text, HeadWords: heads.text,
		WordCount: &words.length, IdentCount: &idents.length, HeadCount: &heads.length, Processed: &processed,
	}
	d.putText(r.Kind, r.Text)
	if utf8.ValidString(r.Heads) {
		d.Heads = r.Heads
	} else {
		d.RawHeads = []byte(r.Heads)
	}
	if r.Vector != nil {
		v, err := packVector(r.Vector)
		if err != nil {
			return nil, sums{}, err
		}
		d.Vector, d.Dims = v, len(r.Vector)
	}
	return d, sums{1, words.length, idents.length, heads.length}, nil
}

// putText puts a text into the fields of its kind. The first line of a figure or a table is its caption, as the library writes them;
// what others write is put together again all the same.
func (d *document) putText(k driver.Kind, s string) {
	if !utf8.ValidString(s) {
		d.Raw = []byte(s)
		return
	}
	caption, rest, cut := strings.Cut(s, "\n")
	switch {
	case k != driver.KindFigure && k != driver.KindTable:
		d.Text = &s
	case !cut:
		d.Caption = &s
	case k == driver.KindFigure:
		d.Caption, d.OCR = &caption, &rest
	default:
		d.Caption, d.Content = &caption, &rest
	}
}

// text undoes putText.
func (d *document) text() string {
	switch {
	case d.Raw != nil:
		return string(d.Raw)
	case d.Text != nil:
		return *d.Text
	case d.Caption == nil:
		return ""
	case d.OCR != nil:
		return *d.Caption + "\n" + *d.OCR
	case d.Content != nil:
		return *d.Caption + "\n" + *d.Content
	}
	return *d.Caption
}

func (d *document) heads() string {
	if d.RawHeads != nil {
		return string(d.RawHeads)
	}
	return d.Heads
}

// textFields are those that text and heads read.
var textFields = []string{"text", "caption", "ocr_text", "content", "raw", "heads", "raw_heads"}

// recordFields are those that record reads.
var recordFields = append([]string{"n", "start", "data", "processed", "vector", "dims"}, textFields...)

// record undoes newRecord.
func (d *document) record(k driver.Kind, id string) (driver.Record, error) {
	v, err := unpackVector(d.Vector, d.Dims)
	if err != nil {
		return driver.Record{}, fmt.Errorf("document %s, %s record %d: %w", id, k, d.N, err)
	}
	return driver.Record{
		Kind: k, Doc: id, N: d.N, Start: d.Start, Text: d.text(), Data: d.Data, Heads: d.heads(), Vector: v,
		Processed: d.Processed != nil && *d.Processed,
	}, nil
}

// maxDims bounds the length of a vector: one takes four bytes a number, and a term of the server 32,766.
const maxDims = 8000

func packVector(v []float32) ([]byte, error) {
	if len(v) == 0 || len(v) > maxDims {
		return nil, fmt.Errorf("%w: a vector of %d numbers, it must have 1 to %d", errs.Unsupported, len(v), maxDims)
	}
	out := make([]byte, 0, 4*len(v))
	for _, f := range v {
		if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
			return nil, fmt.Errorf("%w: a vector holds a number that is not finite", errs.Unsupported)
		}
		out = binary.BigEndian.AppendUint32(out, math.Float32bits(f))
	}
	return out, nil
}

func unpackVector(b []byte, dims int) ([]float32, error) {
	if len(b) != 4*dims {
		return nil, fmt.Errorf("%w: a vector of %d bytes for %d numbers", errs.Format, len(b), dims)
	}
	if dims == 0 {
		return nil, nil
	}
	out := make([]float32, dims)
	for i := range out {
		out[i] = math.Float32frombits(binary.BigEndian.Uint32(b[4*i:]))
	}
	return out, nil
}
