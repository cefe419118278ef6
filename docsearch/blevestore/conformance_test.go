package blevestore_test

import (
	"testing"

	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/drivertest"
	"github.com/findspot/findspot/docsearch/memstore"
)

func make(t testing.TB) driver.Store {
	s, err := blevestore.New(t.Context(), t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestConformance(t *testing.T) {
	drivertest.Run(t, make, func(testing.TB) driver.Store { return memstore.New() })
}

func BenchmarkStore(b *testing.B) { drivertest.Benchmark(b, make) }
