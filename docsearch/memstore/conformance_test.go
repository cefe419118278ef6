package memstore_test

import (
	"testing"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/drivertest"
	"github.com/findspot/findspot/docsearch/memstore"
)

func make(testing.TB) driver.Store { return memstore.New() }

func TestConformance(t *testing.T) { drivertest.Run(t, make, nil) }

func BenchmarkStore(b *testing.B) { drivertest.Benchmark(b, make) }
