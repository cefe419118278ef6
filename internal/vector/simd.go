//go:build (amd64 || arm64) && !purego

package vector

import "unsafe"

//go:noescape
func dotsWide(sums []int32, codes, q []byte)

//go:noescape
func lanesWide(sums *[8]float32, a, b unsafe.Pointer, n int)

func dots(sums []int32, codes, q []byte) {
	if wide {
		dotsWide(sums, codes, q)
	} else {
		dotsGo(sums, codes, q)
	}
}

func lanes(sums *[8]float32, a, b []float32) {
	if wide {
		lanesWide(sums, unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b)), len(a))
	} else {
		lanesGo(sums, a, b)
	}
}

func lanesBytes(sums *[8]float32, a []float32, b []byte) {
	if wide {
		lanesWide(sums, unsafe.Pointer(unsafe.SliceData(a)), unsafe.Pointer(unsafe.SliceData(b)), len(a))
	} else {
		lanesBytesGo(sums, a, b)
	}
}
