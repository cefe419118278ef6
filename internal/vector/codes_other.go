//go:build !amd64 || purego

package vector

func dots(sums []int32, codes, q []byte) { dotsGo(sums, codes, q) }
