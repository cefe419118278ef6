//go:build !purego

package vector

// wide says that the processor has the instructions of what is written in assembly: all of this architecture have them.
const wide = true
