package bert

import (
	"context"
	"math"

	"github.com/findspot/findspot/docsearch/localembed/internal/compute"
)

// Pooling is how the vectors of tokens become one of the text.
type Pooling int

const (
	Mean Pooling = iota // of all tokens
	CLS                 // that of the first token
)

// A Workspace is memory for the numbers between layers, for one call of Run at a time. The zero value is ready.
type Workspace struct {
	x, qkv, heads, mixed, up, scores compute.Matrix
	keys, values                     compute.Packed
}

// shape gives a matrix room for so many numbers: whole tiles of them, which have room beside the last columns.
func shape(m *compute.Matrix, rows, cols int) {
	m.Stride = compute.RoundUp(cols, compute.Cols) + compute.Cols
	if n := compute.RoundUp(rows, compute.Rows) * m.Stride; cap(m.Data) < n {
		m.Data = make([]float32, n)
	} else {
		m.Data = m.Data[:n]
	}
}

func row(m compute.Matrix, i, n int) []float32 { return m.Data[i*m.Stride : i*m.Stride+n] }

// part returns a matrix from a row and a column of m on.
func part(m compute.Matrix, row, col int) compute.Matrix {
	return compute.Matrix{Data: m.Data[row*m.Stride+col:], Stride: m.Stride}
}

// Run returns a vector for each text, of length one unless it has no direction. A text has from 1 to Positions tokens, each below Vocab. Run ends
// between two layers when the context does.
func (m *Model) Run(ctx context.Context, w *Workspace, texts [][]int32, pool Pooling) ([][]float32, error) {
	n, longest := 0, 0
	for _, t := range texts {
		n, longest = n+len(t), max(longest, len(t))
	}
	h, size := m.Hidden, m.Hidden/m.Heads
	// A tile of the last text is as high as Rows, wherever the text begins.
	rows := n + compute.Rows
	shape(&w.x, rows, h)
	shape(&w.qkv, rows, 3*h)
	shape(&w.heads, rows, h)
	shape(&w.mixed, rows, h)
	shape(&w.up, rows, m.Intermediate)
	shape(&w.scores, longest, longest)
	at := 0
	for _, t := range texts {
		for i, id := range t {
			x := row(w.x, at, h)
			copy(x, m.words[int(id)*h:])
			m.kn.AddNorm(x, m.places[i*h:(i+1)*h], m.norm.gamma, m.norm.beta, float32(m.Epsilon))
			at++
		}
	}
	for i := range m.layers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := &m.layers[i]
		m.kn.Mul(w.qkv, w.x, n, l.qkv)
		at = 0
		for _, t := range texts {
			for head := range m.Heads {
				m.attend(w, at, len(t), head*size, size)
			}
			at += len(t)
		}
		m.kn.Mul(w.mixed, w.heads, n, l.mix)
		m.addNorm(w.x, w.mixed, n, l.mixed)
		m.kn.Mul(w.up, w.x, n, l.up)
		for r := range n {
			m.activate(row(w.up, r, m.Intermediate))
		}
		m.kn.Mul(w.mixed, w.up, n, l.down)
		m.addNorm(w.x, w.mixed, n, l.out)
	}
	out := make([][]float32, len(texts))
	at = 0
	for i, t := range texts {
		out[i] = m.pool(w.x, at, len(t), pool)
		at += len(t)
	}
	return out, nil
}

// attend sets columns col to col+size of w.heads, in the n rows of a text, to what its head gives. It may write in what follows: columns of later
// heads and rows of later texts, which are set after it.
func (m *Model) attend(w *Workspace, at, n, col, size int) {
	m.kn.PackTransposed(&w.keys, part(w.qkv, at, m.Hidden+col), size, n)
	m.kn.PackRows(&w.values, part(w.qkv, at, 2*m.Hidden+col), n, size)
	m.kn.Mul(w.scores, part(w.qkv, at, col), n, &w.keys)
	for r := range n {
		m.kn.Softmax(row(w.scores, r, n))
	}
	m.kn.Mul(part(w.heads, at, col), w.scores, n, &w.values)
}

func (m *Model) addNorm(x, y compute.Matrix, n int, by norm) {
	for r := range n {
		m.kn.AddNorm(row(x, r, m.Hidden), row(y, r, m.Hidden), by.gamma, by.beta, float32(m.Epsilon))
	}
}

func (m *Model) pool(x compute.Matrix, at, n int, how Pooling) []float32 {
	out := make([]float32, m.Hidden)
	if how == CLS {
		n = 1
	}
	for r := range n {
		for i, v := range row(x, at+r, m.Hidden) {
			out[i] += v
		}
	}
	var sum float64
	for _, v := range out {
		sum += float64(v) * float64(v)
	}
	if inv := 1 / math.Sqrt(sum); !math.IsInf(inv, 0) && !math.IsNaN(inv) {
		scale(out, float32(inv))
	}
	return out
}
