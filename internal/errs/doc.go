// Package errs holds the error values that all rooms share, so that a caller who imports two rooms compares against
// one value. Rooms export them under their own names.
package errs
