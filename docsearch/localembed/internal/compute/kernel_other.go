//go:build !(amd64 || arm64) || purego

package compute

// Best returns the fastest kernel of this processor.
func Best() *Kernel { return Portable() }

// All returns the kernels that this processor can run, the fastest first.
func All() []*Kernel { return []*Kernel{Portable()} }
