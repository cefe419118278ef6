// Package watchedfiles has what workspace/didChangeWatchedFiles needs: the differences between two snapshots of the files as
// events of the protocol, and the patterns by which a server has registered for some of them. It sends nothing.
package watchedfiles
