// Package rootfs reads files of a folder that is not trusted: a cloned repository, a folder of documents, a skill.
//
// A [Dir] is a file system (io/fs) over one folder. Every file that it opens lies below that folder, whatever links say and whoever moves folders
// meanwhile: [os.Root] walks the path. It follows links that stay inside. It refuses a link that leaves, an absolute path and anything that is
// neither a regular file nor a folder (named pipes, devices, sockets) with an error wrapping errs.Refused. Opening never blocks.
//
// [Dir.Read] reads a whole file within a bound of bytes and of time. [Open] opens a single regular file that the host named itself. Package
// internal/source decides which files may be shown.
package rootfs
