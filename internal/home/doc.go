// Package home keeps tests out of the user's configuration folder.
//
//	func TestMain(m *testing.M) { os.Exit(home.Run(m)) }
//
// That folder holds the key that marks a user's indexes; with this package the workspaces of tests are marked with a key of their own. Files that the
// go command keeps in the folder are still found. On macOS the folder cannot be moved without moving the whole home folder, so it is used as it is.
package home
