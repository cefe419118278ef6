package compute

import (
	"math"
	"slices"
	"unsafe"
)

// tileGo is the tile of 4 times 4.
func tileGo(k int, a *float32, lda int, b *float32, init *float32, ldi int, c *float32, ldc int) {
	for i := range 4 {
		row := unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(a), 4*i*lda)), k)
		panel := unsafe.Slice(b, 4*k)
		from := (*[4]float32)(unsafe.Add(unsafe.Pointer(init), 4*i*ldi))
		s0, s1, s2, s3 := from[0], from[1], from[2], from[3]
		for _, x := range row {
			y := (*[4]float32)(panel)
			s0 += x * y[0]
			s1 += x * y[1]
			s2 += x * y[2]
			s3 += x * y[3]
			panel = panel[4:]
		}
		*(*[4]float32)(unsafe.Add(unsafe.Pointer(c), 4*i*ldc)) = [4]float32{s0, s1, s2, s3}
	}
}

func softmaxGo(x []float32) {
	top, sum := slices.Max(x), float32(0)
	for i, v := range x {
		x[i] = float32(math.Exp(float64(v - top)))
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

func geluGo(x []float32) {
	for i, v := range x {
		x[i] = v * float32(0.5*math.Erfc(float64(-v)*math.Sqrt2/2))
	}
}

func normGo(x, y, gamma, beta []float32, eps float32) {
	var sum, squares float32
	for i, v := range y {
		x[i] += v
		sum += x[i]
	}
	mean := sum / float32(len(x))
	for i, v := range x {
		x[i] = v - mean
		squares += x[i] * x[i]
	}
	inv := 1 / float32(math.Sqrt(float64(squares/float32(len(x))+eps)))
	for i, v := range x {
		x[i] = v*inv*gamma[i] + beta[i]
	}
}
