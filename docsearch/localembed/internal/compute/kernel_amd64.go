//go:build !purego

package compute

import (
	"math"

	"golang.org/x/sys/cpu"
)

//go:noescape
func tile512(k int, a *float32, lda int, b *float32, init *float32, ldi int, c *float32, ldc int)

//go:noescape
func tile256(k int, a *float32, lda int, b *float32, init *float32, ldi int, c *float32, ldc int)

// softmax256 works on n numbers, a multiple of 8.
//
//go:noescape
func softmax256(x *float32, n int)

// gelu256 works on n numbers, a multiple of 8.
//
//go:noescape
func gelu256(x *float32, n int)

// norm256 works on n numbers, a multiple of 8.
//
//go:noescape
func norm256(x, y, gamma, beta *float32, n int, eps float32)

// Best returns the fastest kernel of this processor.
func Best() *Kernel { return All()[0] }

// All returns the kernels that this processor can run, the fastest first. The operating system must keep the registers too, which package cpu asks.
func All() []*Kernel {
	out := []*Kernel{Portable()}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		narrow := &Kernel{Name: "avx2", mr: 6, nr: 16, tile: tile256, softmax: softmaxVector, gelu: geluVector, norm: normVector}
		out = append([]*Kernel{narrow}, out...)
		if cpu.X86.HasAVX512F {
			wide := *narrow
			wide.Name, wide.mr, wide.nr, wide.tile = "avx512", 12, 32, tile512
			out = append([]*Kernel{&wide}, out...)
		}
	}
	return out
}

func softmaxVector(x []float32) {
	n := len(x)
	for x = x[:RoundUp(n, 8)]; n < len(x); n++ {
		x[n] = float32(math.Inf(-1))
	}
	softmax256(&x[0], n)
}

func geluVector(x []float32) {
	n := len(x) &^ 7
	if n > 0 {
		gelu256(&x[0], n)
	}
	if n < len(x) {
		last := [8]float32{}
		copy(last[:], x[n:])
		gelu256(&last[0], len(last))
		copy(x[n:], last[:])
	}
}

func normVector(x, y, gamma, beta []float32, eps float32) {
	n := len(x)
	if n%8 != 0 {
		normGo(x, y, gamma, beta, eps)
		return
	}
	_, _, _ = y[n-1], gamma[n-1], beta[n-1]
	norm256(&x[0], &y[0], &gamma[0], &beta[0], n, eps)
}
