//go:build !purego

package compute

//go:noescape
func tileNeon(k int, a *float32, lda int, b *float32, init *float32, ldi int, c *float32, ldc int)

// Best returns the fastest kernel of this processor.
func Best() *Kernel { return All()[0] }

// All returns the kernels that this processor can run, the fastest first. All of this architecture have NEON. What is not a product of matrices is in plain
// Go: it takes a small part of the time.
func All() []*Kernel {
	neon := Portable()
	neon.Name, neon.mr, neon.nr, neon.tile = "neon", 6, 16, tileNeon
	return []*Kernel{neon, Portable()}
}
