// Package drivertest tests whether an engine does what docsearch/driver asks of it.
//
//	func TestConformance(t *testing.T) {
//		drivertest.Run(t, func(t testing.TB) driver.Store { return memstore.New() }, nil)
//	}
//
// [Run] checks every method and compares hits with a reference engine on random documents and queries, to the last bit
// of the score. [Benchmark] holds the benchmarks that all engines share. A bug found in one engine becomes a test here.
package drivertest
