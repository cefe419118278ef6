package vector

import (
	"encoding/binary"
	"math"
)

// Unit returns v with length one, or false when it has no direction: all zero, or a number in it is infinite or none.
func Unit(v []float32) ([]float32, bool) {
	inv := Inverse(v)
	if inv == 0 {
		return nil, false
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = x * inv
	}
	return out, true
}

// Inverse returns one over the length of v, or 0 when it has no direction.
func Inverse(v []float32) float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	inv := float32(1 / math.Sqrt(sum))
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) || math.IsInf(float64(inv), 0) {
		return 0
	}
	return inv
}

// Dot returns the sum of the products of a and b, which have one length. The sum is of eight parts, so that a processor
// can add several at a time; no product is fused into a sum, which some processors do and others not.
func Dot(a, b []float32) float32 {
	var sums [8]float32
	n := len(a) &^ 7
	lanes(&sums, a[:n], b[:n])
	for i := n; i < len(a); i++ {
		sums[0] += float32(a[i] * b[i])
	}
	return total(&sums)
}

// DotBytes is [Dot] of a with the vector that b holds as [Append] writes it.
func DotBytes(a []float32, b []byte) float32 {
	var sums [8]float32
	n := len(a) &^ 7
	lanesBytes(&sums, a[:n], b[:4*n])
	for i := n; i < len(a); i++ {
		sums[0] += float32(a[i] * at(b, i))
	}
	return total(&sums)
}

func total(s *[8]float32) float32 {
	return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]))
}

// lanesGo adds to each of eight sums the products of every eighth number. The length is a multiple of eight.
func lanesGo(sums *[8]float32, a, b []float32) {
	s0, s1, s2, s3, s4, s5, s6, s7 := sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]
	for i := 0; i < len(a); i += 8 {
		x, y := (*[8]float32)(a[i:]), (*[8]float32)(b[i:])
		s0 += float32(x[0] * y[0])
		s1 += float32(x[1] * y[1])
		s2 += float32(x[2] * y[2])
		s3 += float32(x[3] * y[3])
		s4 += float32(x[4] * y[4])
		s5 += float32(x[5] * y[5])
		s6 += float32(x[6] * y[6])
		s7 += float32(x[7] * y[7])
	}
	*sums = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
}

// lanesBytesGo is lanesGo with b as [Append] writes it.
func lanesBytesGo(sums *[8]float32, a []float32, b []byte) {
	s0, s1, s2, s3, s4, s5, s6, s7 := sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6], sums[7]
	for i := 0; i < len(a); i += 8 {
		x, y := (*[8]float32)(a[i:]), (*[32]byte)(b[4*i:])
		s0 += float32(x[0] * number(y[0:4]))
		s1 += float32(x[1] * number(y[4:8]))
		s2 += float32(x[2] * number(y[8:12]))
		s3 += float32(x[3] * number(y[12:16]))
		s4 += float32(x[4] * number(y[16:20]))
		s5 += float32(x[5] * number(y[20:24]))
		s6 += float32(x[6] * number(y[24:28]))
		s7 += float32(x[7] * number(y[28:32]))
	}
	*sums = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
}

func at(b []byte, i int) float32 { return number(b[4*i : 4*i+4]) }

func number(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// Append writes v to b, four bytes a number, low byte first.
func Append(b []byte, v []float32) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// Read returns the vector that b holds as [Append] writes it. The length of b is a multiple of four.
func Read(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = at(b, i)
	}
	return out
}
