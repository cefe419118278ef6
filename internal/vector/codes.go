package vector

import (
	"encoding/binary"
	"math"
)

// Codes of a vector are its numbers in four bits each, for looking at many vectors in little time: a code of c stands for c-8, and all are scaled by
// one weight for the vector. First each group of 64 numbers is turned ([turn]); zeros fill up the last one. Byte i of a group holds number i in its
// lower half and number i+32 in its upper one.
const (
	codeGroup = 64
	codeZero  = 8
	codeMost  = 7 // codes are from 1 to 15
	queryMost = 127
)

// CodeSize returns how many bytes the codes of n numbers take.
func CodeSize(n int) int { return (n + codeGroup - 1) / codeGroup * (codeGroup / 2) }

// AppendCodes writes the codes of a vector to b and returns the weight by which [Query.Cosines] multiplies them; 0 for a vector that has no direction.
// The step between two codes is the one of a few for which they point most nearly where the vector does, and the weight makes the product of
// the codes with the vector itself exact (Gao et al., arXiv 2409.09913).
func AppendCodes(b []byte, v []float32) ([]byte, float32) {
	from := len(b)
	b = append(b, make([]byte, CodeSize(len(v)))...)
	inverse := float64(Inverse(v))
	if inverse == 0 {
		return b, 0
	}
	turned := turn(v)
	spread := 1 / (inverse * math.Sqrt(float64(len(turned))))
	var step, product, nearest float64
	for _, part := range [...]float64{.35, .5, .75, 1.1} { // the first is best for a normal distribution, the last cuts off nothing that is likely
		var dot float64
		var square int32
		for _, x := range turned { // the conversion keeps the product from being fused into the sum, which some processors do
			c := code(x, 1/(part*spread))
			dot += float64(x * float64(c))
			square += c * c
		}
		if near := dot / math.Sqrt(float64(square)); near > nearest {
			step, product, nearest = part*spread, dot, near
		}
	}
	out := b[from:]
	for i, x := range turned {
		out[i/codeGroup*32+i%32] |= byte(code(x, 1/step)+codeZero) << (i % codeGroup / 32 * 4)
	}
	return b, float32(1 / (product * inverse))
}

func code(x, scale float64) int32 {
	return max(-codeMost, min(codeMost, int32(math.RoundToEven(x*scale))))
}

// turn turns every group of the numbers about the origin, by changes of sign and a Walsh-Hadamard transform.
// It leaves lengths and angles as they are, and spreads a number that is far larger than others, as some models make them, over its group.
func turn(v []float32) []float64 {
	const signs = 0x243f6a8885a308d3 // of pi: without them, a group of equal numbers would come out as a single one
	out := make([]float64, 2*CodeSize(len(v)))
	for i, x := range v {
		out[i] = float64(x)
		if signs>>(i%codeGroup)&1 != 0 {
			out[i] = -out[i]
		}
	}
	for at := 0; at < len(out); at += codeGroup {
		g := out[at : at+codeGroup]
		for half := 1; half < codeGroup; half *= 2 {
			for i := 0; i < codeGroup; i += 2 * half {
				a, b := g[i:i+half], g[i+half:i+2*half]
				for j, x := range a {
					a[j], b[j] = x+b[j], x-b[j]
				}
			}
		}
		for i := range g {
			g[i] /= 8 // the root of 64
		}
	}
	return out
}

// A Query is a direction that vectors are compared with by their codes.
type Query struct {
	numbers []byte // signed bytes, filled up with zeros
	zero    int32  // what codes of zero add up to
	scale   float32
}

// NewQuery makes one of a vector of length one.
func NewQuery(direction []float32) *Query {
	turned := turn(direction)
	var most float64
	for _, x := range turned {
		most = max(most, math.Abs(x))
	}
	q := &Query{numbers: make([]byte, len(turned))}
	for i, x := range turned {
		n := int32(math.RoundToEven(x * queryMost / most))
		q.numbers[i] = byte(n)
		q.zero += codeZero * n
	}
	q.scale = float32(most / queryMost)
	return q
}

// Cosines sets out to about the cosines of the query with as many vectors: codes are theirs, one after the other, and weights their weights as [Append]
// writes them. All machines give the same numbers.
func (q *Query) Cosines(out []float32, codes, weights []byte) {
	var sums [256]int32
	size := len(q.numbers) / 2
	for len(out) > 0 {
		n := min(len(out), len(sums))
		dots(sums[:n], codes[:n*size], q.numbers)
		for i, s := range sums[:n] {
			out[i] = float32(float32(s-q.zero)*q.scale) * number(weights[4*i:4*i+4])
		}
		out, codes, weights = out[n:], codes[n*size:], weights[4*n:]
	}
}

// dotsGo sets sums to those of the products of q, which are signed bytes, with the codes of as many vectors.
func dotsGo(sums []int32, codes, q []byte) {
	size := len(q) / 2
	for i := range sums {
		row := codes[i*size : (i+1)*size]
		var s int32
		for g := 0; g < len(row); g += codeGroup / 2 {
			c, low, high := (*[32]byte)(row[g:]), (*[32]byte)(q[2*g:]), (*[32]byte)(q[2*g+32:])
			for j, x := range c {
				s += int32(x&15)*int32(int8(low[j])) + int32(x>>4)*int32(int8(high[j]))
			}
		}
		sums[i] = s
	}
}

// AppendWeight writes a weight as [Query.Cosines] reads it.
func AppendWeight(b []byte, w float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(w))
}
