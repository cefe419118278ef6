// Package sentences writes what a program logs as lines that people read.
package sentences
