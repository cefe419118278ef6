// Package disk holds what every room does with its folder: open it as it was made and by whom, write a file below it so that a crash leaves the old or the new one,
// and let one process at a time write.
package disk
