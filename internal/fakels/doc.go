// Package fakels is a language server for the tests of what stands above lspclient: the program of a test speaks the protocol
// when it is started as a server, knows names by their words alone, and plays one fault.
//
//	func TestMain(m *testing.M) {
//		fakels.ServeIfAsked() // does not return in a server
//		os.Exit(m.Run())
//	}
//
//	entries := fakels.Entries(t, fakels.Server{Name: "fakepy", Language: "python", Ext: ".py"}) // YAML, with the program on PATH
//
// A word behind "def", "class", "func" or "function" is a declaration, and every other place of the word outside of comments a
// use. The faults are the constants. Package lspclient has a fake of its own, for the protocol's faults.
package fakels
