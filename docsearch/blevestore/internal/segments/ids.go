package segments

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

var statsKey = []byte("findspot.stats")

// StatsKey returns the name of the internal value that holds the statistics.
func StatsKey() []byte { return statsKey }

// ReadStats reads the statistics of a state.
func ReadStats(r index.IndexReader) (Stats, error) {
	st := Stats{Kinds: map[driver.Kind]Sums{}}
	data, err := r.GetInternal(statsKey)
	if err != nil || data == nil {
		return st, err
	}
	if err := json.Unmarshal(data, &st); err != nil {
		return st, fmt.Errorf("%w: statistics: %v", errs.Format, err)
	}
	if st.Kinds == nil {
		st.Kinds = map[driver.Kind]Sums{}
	}
	return st, nil
}

// letters of the kinds in ids and field names.
var letters = map[driver.Kind]string{
	driver.KindDocument: "d", driver.KindChunk: "c", driver.KindFigure: "f", driver.KindTable: "t",
}

// Letter stands for a kind in ids and field names.
func Letter(k driver.Kind) string { return letters[k] }

// RecordID is the id of the entry of a record.
func RecordID(doc string, k driver.Kind, n int) string {
	return doc + "/" + letters[k] + "/" + strconv.Itoa(n)
}

// MainID is the entry of a document itself, and of record 0 of KindDocument, its title, where there is one.
func MainID(doc string) string { return RecordID(doc, driver.KindDocument, 0) }

// LayoutID is the id of the entry of a long layout.
func LayoutID(doc string) string { return doc + "/l" }

// recordN returns the number of the record with this id.
func recordN(id string) (int, error) {
	n, err := strconv.Atoi(id[strings.LastIndexByte(id, '/')+1:])
	if err != nil {
		return 0, fmt.Errorf("%w: record id %q", errs.Format, id)
	}
	return n, nil
}
