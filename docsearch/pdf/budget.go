package pdf

import (
	"fmt"
	"sync/atomic"

	"github.com/findspot/findspot/internal/errs"
)

// What reading may cost a document in all, in units of about a nanosecond. The largest files of the usual kinds need a tenth
// of it. What one page may cost is bounded besides; see maxOperators and the like.
const (
	budgetBase = 6_000_000_000
	budgetPage = 5_000_000 // more for each page
	budgetByte = 100       // more for each byte of the file
	budgetMost = 20_000_000_000
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

// pageBudget is the budget for reading pages of a document.
func pageBudget(pages int, size int64) *budget {
	return newBudget(min(budgetMost, budgetBase+budgetPage*int64(pages)+budgetByte*min(size, budgetMost/budgetByte)))
}

var errBudget = fmt.Errorf("%w: the document takes too much work; the pages before were read, and others can be asked for by their numbers", errs.TooLarge)

// spend takes units and fails when none are left.
func (b *budget) spend(units int64) error {
	if b != nil && b.left.Add(-units) < 0 {
		return errBudget
	}
	return nil
}
