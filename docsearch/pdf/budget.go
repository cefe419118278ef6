package pdf

import (
	"fmt"
	"math"
	"sync/atomic"

	"github.com/findspot/findspot/internal/errs"
)

// What reading may cost a document in all, in units of about a nanosecond. It grows with the file and not with the number of
// pages, which a file can claim: a dense page of text takes some 2,000 bytes and 6 million units, so that a book of
// ten thousand of them is read to its end. What one page may cost is bounded besides; see maxOperators and the like.
const (
	budgetBase = 6_000_000_000
	budgetByte = 4_000         // more for each byte of the file
	budgetOpen = 2_000_000_000 // for the metadata and for the style, each

	costByte     = 8       // a decoded byte of a stream
	costParsed   = 30      // a byte of a font program or a map of characters, besides
	costFont     = 100_000 // a font
	costOperator = 80      // an operator or character
	costGlyph    = 2_000   // a character of the layout and of what is made of it
	costPath     = 500     // likewise a rule, an area or a curve
)

// A budget counts what a call does to a document, for all workers. It is safe for concurrent use.
type budget struct {
	left atomic.Int64
}

func newBudget(units int64) *budget {
	b := new(budget)
	b.left.Store(units)
	return b
}

// pageBudget is the budget for reading the pages of a file of so many bytes.
func pageBudget(size int64) *budget {
	return newBudget(budgetBase + budgetByte*min(size, math.MaxInt64/2/budgetByte))
}

var errBudget = fmt.Errorf("%w: the document takes too much work; the pages before were read, and others can be asked for by their numbers", errs.TooLarge)

// spend takes units and fails when none are left.
func (b *budget) spend(units int64) error {
	if b != nil && b.left.Add(-units) < 0 {
		return errBudget
	}
	return nil
}
