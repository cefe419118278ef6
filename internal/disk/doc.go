// Package disk manages a folder that findspot writes, such as that of an index. It checks who made the folder and who may write in it, writes a file
// so that a crash leaves either the old content or the new, and lets one process at a time write. It does not depend on what the files hold.
package disk
