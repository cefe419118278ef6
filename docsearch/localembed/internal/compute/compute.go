package compute

// Rows and Cols are multiples of the tiles of every kernel.
const (
	Rows = 12
	Cols = 32
)

// depth is the most rows of a panel that a tile multiplies in one go, so that a panel stays in the nearest cache.
const depth = 512

// RoundUp returns n, or the next multiple of m.
func RoundUp(n, m int) int { return (n + m - 1) / m * m }

// A Kernel is the inner loops for one set of instructions.
type Kernel struct {
	Name   string // "avx512", "avx2", "neon" or "go"
	mr, nr int    // of a tile of the result
	// tile computes c = init + a·b for mr rows of a and nr columns of a panel b, over k. Strides are in numbers; that of init may be 0.
	tile func(k int, a *float32, lda int, b *float32, init *float32, ldi int, c *float32, ldc int)
	// softmax is Softmax.
	softmax func(x []float32)
	// gelu sets each x to x·Φ(x).
	gelu func(x []float32)
	// norm sets x to the layer norm of x+y: gamma·(x+y-mean)/sqrt(variance+eps) + beta.
	norm func(x, y, gamma, beta []float32, eps float32)
}

// Portable returns the kernel in plain Go.
func Portable() *Kernel {
	return &Kernel{Name: "go", mr: 4, nr: 4, tile: tileGo, softmax: softmaxGo, gelu: geluGo, norm: normGo}
}

// A Matrix is rows of numbers, row i from Data[i*Stride].
type Matrix struct {
	Data   []float32
	Stride int
}

// A Packed is a matrix to multiply by, in the order in which tiles read it: panels of nr columns, each row by row.
type Packed struct {
	k, n   int
	panels []float32
	bias   []float32 // as long as the panels are wide together
}

// Pack returns the transposed of a matrix of n rows and k columns, which is how models keep the weights of a layer, with
// a bias for each of the n columns; nil means 0.
func (kn *Kernel) Pack(w []float32, n, k int, bias []float32) *Packed {
	p := &Packed{}
	kn.PackTransposed(p, Matrix{w, k}, k, n)
	copy(p.bias, bias)
	return p
}

// resize makes room for a matrix of k rows and n columns; what columns beyond n have is arbitrary.
func (kn *Kernel) resize(p *Packed, k, n int) {
	wide := RoundUp(n, kn.nr)
	if cap(p.panels) < wide*k {
		p.panels = make([]float32, wide*k)
	}
	if cap(p.bias) < wide {
		p.bias = make([]float32, wide)
	}
	p.k, p.n, p.panels, p.bias = k, n, p.panels[:wide*k], p.bias[:wide]
}

// PackRows makes p the first k rows and n columns of m. It has no bias, and keeps its memory from one call to the next.
func (kn *Kernel) PackRows(p *Packed, m Matrix, k, n int) {
	kn.resize(p, k, n)
	for j := 0; j < n; j += kn.nr {
		panel := p.panels[j*k:]
		w := min(kn.nr, n-j)
		for i := range k {
			copy(panel[i*kn.nr:i*kn.nr+w], m.Data[i*m.Stride+j:])
		}
	}
}

// PackTransposed makes p the transposed of the first n rows and k columns of m, as [Kernel.PackRows] does.
func (kn *Kernel) PackTransposed(p *Packed, m Matrix, k, n int) {
	kn.resize(p, k, n)
	for j := range n {
		panel := p.panels[j/kn.nr*kn.nr*k+j%kn.nr:]
		for i, x := range m.Data[j*m.Stride : j*m.Stride+k] {
			panel[i*kn.nr] = x
		}
	}
}

// Mul sets the first rows of c to those of a times b, plus the bias of b.
func (kn *Kernel) Mul(c, a Matrix, rows int, b *Packed) {
	if rows == 0 {
		return
	}
	last := RoundUp(rows, kn.mr) - 1
	_, _ = a.Data[last*a.Stride+b.k-1], c.Data[last*c.Stride+len(b.bias)-1] // tiles are not checked
	for k0 := 0; k0 < b.k; k0 += depth {
		k := min(depth, b.k-k0)
		for j := 0; j < b.n; j += kn.nr {
			panel := &b.panels[j*b.k+k0*kn.nr]
			for i := 0; i <= last; i += kn.mr {
				to := &c.Data[i*c.Stride+j]
				init, ldi := &b.bias[j], 0
				if k0 > 0 {
					init, ldi = to, c.Stride
				}
				kn.tile(k, &a.Data[i*a.Stride+k0], a.Stride, panel, init, ldi, to, c.Stride)
			}
		}
	}
}

// Softmax sets x to exp(x) over the sum of exp(x). x is not empty and has capacity for a multiple of 8 numbers; it sets those too.
func (kn *Kernel) Softmax(x []float32) { kn.softmax(x) }

// GELU sets each x to x·Φ(x), with the integral of the normal distribution (Hendrycks and Gimpel, arXiv 1606.08415).
func (kn *Kernel) GELU(x []float32) { kn.gelu(x) }

// AddNorm sets x to the layer norm of x+y (Ba, Kiros and Hinton, arXiv 1607.06450). All have one length.
func (kn *Kernel) AddNorm(x, y, gamma, beta []float32, eps float32) { kn.norm(x, y, gamma, beta, eps) }
