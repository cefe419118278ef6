package segments

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/vector"
)

// Vectors are kept in items of their own, so that a search reads them without the texts: a block holds those of the records
// of one document and kind whose numbers divided by blockRecords are the same. The stored field "block" is the number of floats of
// a vector (4 bytes) and then for each record its number (8 bytes), one over the length of its vector (4 bytes, a float) and the
// vector; low bytes first. The indexed field "vec" is the letter of the kind.
const (
	blockRecords = 64
	blockHeader  = 4
	vectorHeader = 12
)

func BlockID(doc string, k driver.Kind, n int) string {
	return doc + "/v" + letters[k] + "/" + strconv.Itoa(n/blockRecords)
}

// vectorItems returns the blocks of a document.
func (e *encoder) vectorItems(d *driver.Document) []*item {
	blocks := map[string]*item{}
	var out []*item
	for i := range d.Records {
		r := &d.Records[i]
		if r.Vector == nil {
			continue
		}
		id := BlockID(d.ID, r.Kind, r.N)
		it := blocks[id]
		if it == nil {
			it = e.Item(id)
			it.keyword("vec", letters[r.Kind])
			it.Store("block", binary.LittleEndian.AppendUint32(nil, uint32(len(r.Vector))))
			blocks[id] = it
			out = append(out, it)
		}
		f := &it.stored[len(it.stored)-1]
		f.value = binary.LittleEndian.AppendUint64(f.value, uint64(r.N))
		f.value = binary.LittleEndian.AppendUint32(f.value, math.Float32bits(vector.Inverse(r.Vector)))
		f.value = vector.Append(f.value, r.Vector)
	}
	return out
}

// eachVector calls visit with the number of each record of a block, one over the length of its vector, and the vector.
func eachVector(block []byte, visit func(n int, inverse float32, v []byte)) error {
	if len(block) < blockHeader {
		return fmt.Errorf("%w: a block of vectors of %d bytes", errs.Format, len(block))
	}
	size := vectorHeader + 4*int(binary.LittleEndian.Uint32(block))
	block = block[blockHeader:]
	if len(block)%size != 0 {
		return fmt.Errorf("%w: a block of vectors of %d bytes, which %d does not divide", errs.Format, len(block), size)
	}
	for ; len(block) > 0; block = block[size:] {
		n := int(binary.LittleEndian.Uint64(block))
		visit(n, math.Float32frombits(binary.LittleEndian.Uint32(block[8:])), block[vectorHeader:size])
	}
	return nil
}

// RecordVector reads the vector of one record.
func RecordVector(r index.IndexReader, doc string, k driver.Kind, n int) ([]float32, error) {
	f, err := Fields(r, BlockID(doc, k, n))
	if err != nil {
		return nil, err
	}
	var out []float32
	if err = eachVector(f["block"], func(m int, _ float32, v []byte) {
		if m == n {
			out = vector.Read(v)
		}
	}); err == nil && out == nil {
		err = fmt.Errorf("%w: its vector is missing", errs.Format)
	}
	if err != nil {
		return nil, fmt.Errorf("document %s, %s record %d: %w", doc, k, n, err)
	}
	return out, nil
}
