package budget

import (
	"errors"
	"math"
	"testing"

	"github.com/findspot/findspot/internal/errs"
)

func TestBudget(t *testing.T) {
	b := New(100)
	if err := b.Spend(100); err != nil {
		t.Errorf("the last unit: %v", err)
	}
	if err := b.Spend(1); !errors.Is(err, ErrSpent) || !errors.Is(err, errs.TooLarge) {
		t.Errorf("one unit too many: %v", err)
	}
	if err := (*Budget)(nil).Spend(math.MaxInt64); err != nil {
		t.Errorf("no budget: %v", err)
	}
}

// A size that is claimed does not overflow, and a longer file may cost more.
func TestForPages(t *testing.T) {
	small, large := ForPages(1000), ForPages(1<<20)
	if small.left.Load() >= large.left.Load() || ForPages(math.MaxInt64).left.Load() < large.left.Load() {
		t.Errorf("budgets of %d and %d units", small.left.Load(), large.left.Load())
	}
}
