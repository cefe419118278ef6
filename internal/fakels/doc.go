// Package fakels is a language server for tests of the packages above lspclient. The test binary speaks the protocol when it is started as a server.
// It knows names only by their words, and simulates one fault.
//
//	func TestMain(m *testing.M) {
//		fakels.ServeIfAsked() // does not return in a server
//		os.Exit(m.Run())
//	}
//
//	entries := fakels.Entries(t, fakels.Server{Name: "fakepy", Language: "python", Ext: ".py"}) // YAML, with the program on PATH
//
// A word after "def", "class", "func" or "function" is a declaration; every other place of that word outside of comments is a use. The constants list
// the faults. Package lspclient has its own fake for faults of the protocol.
package fakels
