//go:build !purego

package vector

import "golang.org/x/sys/cpu"

// wide says that the processor has the instructions of what is written in assembly.
var wide = cpu.X86.HasAVX2
