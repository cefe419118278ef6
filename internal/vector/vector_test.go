package vector

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func random(r *rand.Rand, n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

func TestDot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 40 {
		a, b := random(r, n), random(r, n)
		var want float64
		for i := range a {
			want += float64(a[i]) * float64(b[i])
		}
		got := Dot(a, b)
		if math.Abs(float64(got)-want) > 1e-5 {
			t.Errorf("Dot of %d numbers = %v, want %v", n, got, want)
		}
		want8, got8 := [8]float32{7: 1}, [8]float32{7: 1}
		lanesGo(&want8, a[:n&^7], b[:n&^7])
		if lanes(&got8, a[:n&^7], b[:n&^7]); got8 != want8 {
			t.Errorf("sums of %d numbers: %v, want %v to the bit", n, got8, want8)
		}
		if bytes := DotBytes(a, Append(nil, b)); bytes != got {
			t.Errorf("DotBytes of %d numbers = %v, want %v to the bit", n, bytes, got)
		}
		if back := Read(Append(nil, a)); !slices.Equal(back, a) {
			t.Errorf("Read(Append(%v)) = %v", a, back)
		}
	}
}

func TestUnit(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, tt := range []struct {
		in, want []float32
	}{
		{[]float32{3, 4}, []float32{.6, .8}},
		{[]float32{-2}, []float32{-1}},
		{[]float32{3e30, 4e30}, []float32{.6, .8}},
		{[]float32{0, 0}, nil},
		{nil, nil},
		{[]float32{1, nan}, nil},
		{[]float32{inf, 1}, nil},
	} {
		got, ok := Unit(tt.in)
		if ok != (tt.want != nil) || len(got) != len(tt.want) {
			t.Errorf("Unit(%v) = %v, %v, want %v", tt.in, got, ok, tt.want)
			continue
		}
		for i := range got {
			if math.Abs(float64(got[i]-tt.want[i])) > 1e-6 {
				t.Errorf("Unit(%v) = %v, want %v", tt.in, got, tt.want)
			}
		}
	}
}

func BenchmarkDotBytes(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	q, v := random(r, 384), Append(nil, random(r, 384*1000))
	b.SetBytes(int64(len(v)))
	for b.Loop() {
		for i := 0; i < len(v); i += 4 * 384 {
			DotBytes(q, v[i:i+4*384])
		}
	}
}
