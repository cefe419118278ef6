// Package rootfs reads files of a folder that is not trusted: a cloned repository, a folder of documents, a skill.
//
// A [Dir] is a file system (io/fs) over one folder. What it opens lies below that folder, whatever links say, and whoever moves
// folders meanwhile: the walk is [os.Root]'s. Links that stay inside are followed; a link that leaves, an absolute path and anything
// that is neither a regular file nor a folder (named pipes, devices, sockets) are refused with an error wrapping errs.Refused. Opening
// never blocks.
//
// [Dir.Read] reads a whole file within a bound of bytes and of time. [Open] opens a single regular file that the host named itself.
// Which files may be shown is not decided here.
package rootfs
