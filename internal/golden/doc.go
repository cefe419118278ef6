// Package golden compares what a test got with a file kept beside it.
//
//	golden.Compare(t, "testdata/help.txt", out)
//
// With the flag -update it writes the file instead: go test ./codegraph -run Tree -update. Read the diff before you commit it. Importing this package
// registers -update in the test binary, once for all its tests.
package golden
