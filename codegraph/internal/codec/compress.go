package codec

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"sync"

	"github.com/findspot/findspot/internal/errs"
)

var unpackers = sync.Pool{New: func() any { return flate.NewReader(nil) }}

var packers = sync.Pool{New: func() any {
	w, err := flate.NewWriter(io.Discard, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// Pack compresses facts.
func Pack(b []byte) []byte {
	w := packers.Get().(*flate.Writer)
	defer packers.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	w.Write(b) // a buffer takes everything
	w.Close()
	return bytes.Clone(out.Bytes()) // it is kept
}

// The bounds of the facts of one file, in bytes: what is packed may unfold a thousandfold, and is decoded to many times of that. Facts of sources
// were seen to be up to three times as long as those.
const (
	MaxFacts   = 256 << 20
	factsShare = 16       // of the source's size
	leastFacts = 64 << 10 // of a small source
)

// Unpack gives the facts of a source of a size.
func Unpack(b []byte, size int64) ([]byte, error) {
	most := int64(MaxFacts)
	if size < MaxFacts/factsShare {
		most = min(most, max(size, 0)*factsShare+leastFacts)
	}
	r := unpackers.Get().(io.Reader)
	defer unpackers.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(b), nil); err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(r, most+1))
	if err != nil || int64(len(out)) > most {
		return nil, fmt.Errorf("%w: packed facts of %d bytes of source: %v", errs.Format, size, err)
	}
	return out, nil
}
