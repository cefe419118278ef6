//go:build !(amd64 || arm64) || purego

package vector

func dots(sums []int32, codes, q []byte) { dotsGo(sums, codes, q) }

func lanes(sums *[8]float32, a, b []float32) { lanesGo(sums, a, b) }

func lanesBytes(sums *[8]float32, a []float32, b []byte) { lanesBytesGo(sums, a, b) }
