// Package storage saves the graph of a repository with the state of its files, and loads both. A [Storage] is a folder with a segment and a
// log. [Storage.Save] appends what changed, or rewrites the segment when the log has grown. [Storage.Load] returns a [Saved] from untrusted
// bytes: any damage is an error, except an incomplete end of the log, which is left out. [Storage.Facts] loads the facts of one file.
// Package segment writes the two files, whose contents are put together here. It does not read the repository, link anything, or decide what
// to do about damage.
package storage
