// Package watchedfiles supports the notification workspace/didChangeWatchedFiles: it turns the differences between two snapshots of the files into
// events of the protocol, and keeps the patterns by which a server has registered for some of them. It sends nothing.
package watchedfiles
