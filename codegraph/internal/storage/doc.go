// Package storage saves the graph of a repository with the state of its files, and loads both. A [Storage] is a folder with a segment and a
// log: [Storage.Save] appends what changed, or writes the segment anew when the log has grown; [Storage.Load] gives a [Saved] state, from bytes
// that may be anybody's: whatever is damaged is an error, but for the end of a log, which is left out. It also gives single facts
// ([Storage.Facts]). It does not look at the repository, link anything, or decide what to do about damage.
package storage
