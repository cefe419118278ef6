// Package leak fails a test that leaves goroutines or open files behind. It is for tests only.
//
//	func TestServer(t *testing.T) {
//		leak.Check(t) // first, so that it looks after every other cleanup
//		...
//	}
//
//	func TestMain(m *testing.M) { os.Exit(leak.Main(m.Run)) } // for all tests of a package together
//
// It ignores what ran or was open at the call, and waits for what ends late. It would blame tests that run at the same time for one another: a test
// that calls [Check] or [Files] must not be parallel.
package leak
