package budget

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/findspot/findspot/internal/errs"
)

// What reading may cost a document in all, in units of about a nanosecond. It grows with the file and not with the number of
// pages, which a file can claim: a dense page of text takes some 2,000 bytes and 6 million units, so that a book of
// ten thousand of them is read to its end. What one page may cost is bounded besides; see package content.
const (
	baseUnits = 6_000_000_000
	byteUnits = 4_000         // more for each byte of the file
	OpenUnits = 2_000_000_000 // for the metadata and for the style, each

	CostByte     = 8       // a decoded byte of a stream
	CostParsed   = 30      // a byte of a font program or a map of characters, besides
	CostFont     = 100_000 // a font
	CostOperator = 80      // an operator or character
	CostGlyph    = 2_000   // a character of the layout and of what is made of it
	CostPath     = 500     // likewise a rule, an area or a curve
)

// A Budget counts what a call does to a document, for all workers. It is safe for concurrent use.
type Budget struct {
	left atomic.Int64
}

// New returns a budget of so many units.
func New(units int64) *Budget {
	b := new(Budget)
	b.left.Store(units)
	return b
}

// ForPages is the budget for reading the pages of a file of so many bytes.
func ForPages(size int64) *Budget {
	return New(baseUnits + byteUnits*min(size, math.MaxInt64/2/byteUnits))
}

// ErrSpent is the error of a call that has used up its budget; it wraps errs.TooLarge.
var ErrSpent = fmt.Errorf("%w: the document takes too much work; the pages before were read, and others can be asked for by their numbers", errs.TooLarge)

// Spend takes units and fails when none are left.
func (b *Budget) Spend(units int64) error {
	if b != nil && b.left.Add(-units) < 0 {
		return ErrSpent
	}
	return nil
}
