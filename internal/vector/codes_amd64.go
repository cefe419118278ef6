//go:build !purego

package vector

import "golang.org/x/sys/cpu"

//go:noescape
func dotsAVX2(sums []int32, codes, q []byte)

func dots(sums []int32, codes, q []byte) {
	if cpu.X86.HasAVX2 {
		dotsAVX2(sums, codes, q)
	} else {
		dotsGo(sums, codes, q)
	}
}
