// Package project finds the index that a working folder belongs to, so that a call from a subfolder asks the index of its project and does not make a second one.
package project
