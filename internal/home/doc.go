// Package home keeps tests out of the user's configuration folder.
//
//	func TestMain(m *testing.M) { os.Exit(home.Run(m)) }
//
// The key of a user's indexes lies there, and workspaces that tests make are marked under one of their own. What the go command keeps there is
// still found. On macOS the folder cannot be set apart from the home of everything else, and is used as it is.
package home
