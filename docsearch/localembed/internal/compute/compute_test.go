package compute

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func numbers(r *rand.Rand, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

// near says whether two numbers are one up to what float32 rounds in a sum of n.
func near(got float32, want float64, n int) bool {
	return math.Abs(float64(got)-want) <= 1e-6*math.Sqrt(float64(n))*(1+math.Abs(want))
}

func each(t *testing.T, f func(*testing.T, *Kernel)) {
	for _, kn := range All() {
		t.Run(kn.Name, func(t *testing.T) { f(t, kn) })
	}
}

func TestMul(t *testing.T) {
	each(t, func(t *testing.T, kn *Kernel) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, size := range [][3]int{{1, 1, 1}, {12, 8, 32}, {13, 7, 33}, {5, 512, 16}, {25, 513, 70}, {7, 1100, 5}} {
			rows, k, n := size[0], size[1], size[2]
			a := Matrix{numbers(r, RoundUp(rows, Rows)*(k+3)), k + 3}
			c := Matrix{make([]float32, RoundUp(rows, Rows)*RoundUp(n, Cols)), RoundUp(n, Cols)}
			b, bias := numbers(r, k*n), numbers(r, n)
			var again Packed
			turned := make([]float32, n*k)
			for i := range k {
				for j := range n {
					turned[j*k+i] = b[i*n+j]
				}
			}
			packed := kn.Pack(turned, n, k, bias)
			for _, way := range []string{"Pack", "PackRows", "PackTransposed"} {
				p, offset := packed, bias
				switch way {
				case "PackRows":
					p, offset = &again, make([]float32, n)
					kn.PackRows(p, Matrix{b, n}, k, n)
				case "PackTransposed":
					p, offset = &again, make([]float32, n)
					kn.PackTransposed(p, Matrix{turned, k}, k, n)
				}
				kn.Mul(c, a, rows, p)
				for i := range rows {
					for j := range n {
						want := float64(offset[j])
						for l := range k {
							want += float64(a.Data[i*a.Stride+l]) * float64(b[l*n+j])
						}
						if got := c.Data[i*c.Stride+j]; !near(got, want, 10*k) {
							t.Fatalf("%s: %dx%d times %dx%d: [%d][%d] = %v, want %v", way, rows, k, k, n, i, j, got, want)
						}
					}
				}
			}
		}
	})
}

func TestFunctions(t *testing.T) {
	each(t, func(t *testing.T, kn *Kernel) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, n := range []int{1, 7, 8, 31, 384} {
			x := numbers(r, n)
			for i := range x {
				x[i] *= 4
			}
			x[0] = -50 // far from the others
			y := append(make([]float32, 0, RoundUp(n, 8)), x...)
			kn.Softmax(y)
			sum, top := 0.0, float64(x[0])
			for _, v := range x {
				top = max(top, float64(v))
			}
			for _, v := range x {
				sum += math.Exp(float64(v) - top)
			}
			for i, v := range x {
				if want := math.Exp(float64(v)-top) / sum; !near(y[i], want, 1) {
					t.Errorf("Softmax of %d: [%d] = %v, want %v", n, i, y[i], want)
				}
			}
			copy(y, x)
			kn.GELU(y)
			for i, v := range x {
				if want := float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)) / 2; !near(y[i], want, 1) {
					t.Errorf("GELU(%v) = %v, want %v", v, y[i], want)
				}
			}
			copy(y, x)
			add, gamma, beta := numbers(r, n), numbers(r, n), numbers(r, n)
			kn.AddNorm(y, add, gamma, beta, 1e-5)
			mean, variance := 0.0, 0.0
			for i := range x {
				mean += float64(x[i]+add[i]) / float64(n)
			}
			for i := range x {
				variance += math.Pow(float64(x[i]+add[i])-mean, 2) / float64(n)
			}
			for i := range x {
				if want := (float64(x[i]+add[i])-mean)/math.Sqrt(variance+1e-5)*float64(gamma[i]) + float64(beta[i]); !near(y[i], want, 10) {
					t.Errorf("AddNorm of %d: [%d] = %v, want %v", n, i, y[i], want)
				}
			}
		}
	})
}

// GELU far out is x or 0, and never not a number.
func TestFarOut(t *testing.T) {
	each(t, func(t *testing.T, kn *Kernel) {
		x := []float32{-1e30, -100, -0, 0, 100, 1e30, 1, 2}
		kn.GELU(x)
		for i, want := range []float64{0, 0, 0, 0, 100, 1e30, 0.8413447, 1.9544997} {
			if !near(x[i], want, 1) {
				t.Errorf("GELU, number %d: %v, want %v", i, x[i], want)
			}
		}
	})
}

func BenchmarkMul(b *testing.B) {
	const rows = 240
	r := rand.New(rand.NewPCG(5, 6))
	for _, kn := range All() {
		for _, size := range [][2]int{{384, 1152}, {384, 1536}, {1536, 384}} {
			b.Run(fmt.Sprintf("%s/%dx%d", kn.Name, size[0], size[1]), func(b *testing.B) {
				k, n := size[0], size[1]
				a, c := Matrix{numbers(r, rows*k), k}, Matrix{make([]float32, rows*n), n}
				p := kn.Pack(numbers(r, n*k), n, k, nil)
				for b.Loop() {
					kn.Mul(c, a, rows, p)
				}
				b.ReportMetric(2*rows*float64(k)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}

func BenchmarkFunctions(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	x, y := numbers(r, 1536), numbers(r, 1536)
	for _, kn := range All() {
		for name, f := range map[string]func(){
			"Softmax": func() { kn.Softmax(y) }, "GELU": func() { copy(y, x); kn.GELU(y) }, "AddNorm": func() { kn.AddNorm(y, x, x, x, 1e-5) },
		} {
			b.Run(kn.Name+"/"+name, func(b *testing.B) {
				b.SetBytes(4 * int64(len(x)))
				for b.Loop() {
					f()
				}
			})
		}
	}
}
