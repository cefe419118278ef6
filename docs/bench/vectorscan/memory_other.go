//go:build !linux

package main

import "errors"

// resident returns how many bytes of the files below dir that the process has mapped are in its memory.
func resident(string) (int64, error) {
	return 0, errors.New("memory of files is measured on Linux only")
}
