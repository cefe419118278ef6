package vector

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// codesOf returns the codes of vectors and their weights as bytes.
func codesOf(vs ...[]float32) (codes, weights []byte) {
	for _, v := range vs {
		var w float32
		codes, w = AppendCodes(codes, v)
		weights = AppendWeight(weights, w)
	}
	return codes, weights
}

// plainDots says what dots computes.
func plainDots(sums []int32, codes, q []byte) {
	for i := range sums {
		sums[i] = 0
		for k, x := range q {
			c := codes[i*len(q)/2+k/codeGroup*32+k%32] >> (k % codeGroup / 32 * 4) & 15
			sums[i] += int32(c) * int32(int8(x))
		}
	}
}

// All ways give the same sums, also at the ends of their range.
func TestDots(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 63, 64, 65, 128, 384, 1000, 4096} {
		size := CodeSize(n)
		for _, rows := range []int{0, 1, 2, 300} {
			codes, q := make([]byte, rows*size), make([]byte, 2*size)
			for i := range codes {
				if codes[i] = byte(r.Uint32()); rows == 2 {
					codes[i] = 0xff
				}
			}
			for i := range q {
				if q[i] = byte(r.IntN(255) - queryMost); rows == 2 {
					q[i] = byte(256 - queryMost)
				}
			}
			got, want := make([]int32, rows), make([]int32, rows)
			plainDots(want, codes, q)
			for name, do := range map[string]func([]int32, []byte, []byte){"dots": dots, "dotsGo": dotsGo} {
				if do(got, codes, q); !slices.Equal(got, want) {
					t.Errorf("%s of %d rows of %d numbers: %v, want %v", name, rows, n, got, want)
				}
			}
			if rows == 2 && want[0] != int32(2*size*15*-queryMost) {
				t.Errorf("the lowest sum of %d numbers = %d", 2*size, want[0])
			}
		}
	}
}

// TestCosines bounds how far a cosine is from the exact one; that of a vector with itself is exact but for the query's own rounding.
func TestCosines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	outliers := func(n int) []float32 {
		v := random(r, n)
		v[7] *= 30
		return v
	}
	sparse := func(n int) []float32 {
		v := make([]float32, n)
		v[r.IntN(n)], v[r.IntN(n)] = 1, -.5
		return v
	}
	constant := func(n int) []float32 {
		return slices.Repeat([]float32{float32(1 + r.IntN(3))}, n)
	}
	huge := func(n int) []float32 {
		v := random(r, n)
		for i := range v {
			v[i] *= 1e36
		}
		return v
	}
	tiny := func(n int) []float32 {
		v := random(r, n)
		for i := range v {
			v[i] *= 1e-36
		}
		return v
	}
	for name, draw := range map[string]func(int) []float32{"random": func(n int) []float32 { return random(r, n) }, "outliers": outliers, "sparse": sparse, "constant": constant, "huge": huge, "tiny": tiny} {
		var worst, self float64
		for range 300 {
			v, other := draw(384), draw(384)
			codes, weights := codesOf(v)
			for _, u := range [][]float32{other, v} {
				d, ok := Unit(u)
				if !ok {
					t.Fatalf("%s: no direction", name)
				}
				var got [1]float32
				NewQuery(d).Cosines(got[:], codes, weights)
				exact := Dot(d, v) * Inverse(v)
				off := math.Abs(float64(got[0] - exact))
				if &u[0] == &v[0] {
					self = max(self, off)
				} else {
					worst = max(worst, off)
				}
			}
		}
		t.Logf("%s: off by up to %.4f, and by %.4f of the vector itself", name, worst, self)
		if worst > .05 || self > .01 {
			t.Errorf("%s: off by up to %.4f, and by %.4f of the vector itself", name, worst, self)
		}
	}
	if _, w := AppendCodes(nil, []float32{0, 0}); w != 0 {
		t.Errorf("a vector of zeros has weight %v", w)
	}
	// More vectors than are multiplied at a time, of a length that is not whole groups.
	var vs [][]float32
	for range 600 {
		vs = append(vs, random(r, 70))
	}
	codes, weights := codesOf(vs...)
	all, one := make([]float32, len(vs)), make([]float32, 1)
	q := NewQuery(vs[0])
	q.Cosines(all, codes, weights)
	for i := range vs {
		if q.Cosines(one, codes[i*CodeSize(70):], weights[4*i:]); one[0] != all[i] {
			t.Fatalf("vector %d: %v among others and %v alone", i, all[i], one[0])
		}
	}
}

func (a Near) compare(b Near) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
}

func TestTop(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n, limit := r.IntN(40), r.IntN(20)
		var all []Near
		top := Top{Limit: limit}
		for i := range n {
			x := Near{float32(r.IntN(5)), uint32(n - i), uint32(i)}
			all = append(all, x)
			floor := top.Add(x)
			if kept := slices.SortedFunc(slices.Values(all), Near.compare); limit == 0 && !math.IsInf(float64(floor), 1) || limit > 0 && limit <= len(kept) && floor != kept[limit-1].Score || limit > len(kept) && !math.IsInf(float64(floor), -1) {
				t.Errorf("after %v, of which %d are kept, Add = %v", all, limit, floor)
			}
		}
		slices.SortFunc(all, Near.compare)
		if got, want := top.Take(), all[:min(limit, n)]; !slices.Equal(got, want) {
			t.Errorf("the first %d of %v = %v", limit, all, got)
		}
	}
}

// BenchmarkCosines looks at 20,000 vectors of 384 numbers.
func BenchmarkCosines(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const n = 20_000
	codes, weights := make([]byte, n*CodeSize(384)), make([]byte, 4*n)
	for i := range codes {
		codes[i] = byte(r.Uint32())
	}
	q, out := NewQuery(random(r, 384)), make([]float32, n)
	b.SetBytes(int64(len(codes)))
	for b.Loop() {
		q.Cosines(out, codes, weights)
	}
}

func BenchmarkAppendCodes(b *testing.B) {
	v := random(rand.New(rand.NewPCG(1, 2)), 384)
	var codes []byte
	for b.Loop() {
		codes, _ = AppendCodes(codes[:0], v)
	}
}
