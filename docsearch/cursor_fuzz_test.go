package docsearch

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/internal/search"
)

// A cursor is the one that was given, or refused.
func FuzzCursor(f *testing.F) {
	o := &SearchOptions{Limit: 10}
	first, err := readCursor("q", o, 7)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(first.String(), uint64(7))
	f.Add("AQAAAAAAAAAAAAAA", uint64(0))
	f.Add("", uint64(1))
	f.Fuzz(func(t *testing.T, s string, generation uint64) {
		c, err := readCursor("q", &SearchOptions{Limit: 10, Cursor: s}, generation)
		if err != nil {
			if !errors.Is(err, ErrUnsupported) && !errors.Is(err, ErrStale) {
				t.Fatal(err)
			}
			return
		}
		if c.generation != generation || c.listed < 0 || c.listed > search.MaxListed || c.depth < 100 || c.depth > 2*search.MaxListed {
			t.Errorf("%+v", c)
		}
		again, err := readCursor("q", &SearchOptions{Limit: 10, Cursor: c.String()}, generation)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c, again, cmp.AllowUnexported(cursor{})); diff != "" {
			t.Errorf("the cursor written and read again (-want +got):\n%s", diff)
		}
	})
}
