// Package disk holds what every room does with its folder: write a file so that a crash leaves the old or the new one,
// and let one process at a time write.
package disk
