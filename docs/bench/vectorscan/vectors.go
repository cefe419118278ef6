package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/findspot/findspot/internal/vector"
)

// vectors are many of one length, one after the other.
type vectors struct {
	dims int
	all  []float32
}

func (v *vectors) len() int           { return len(v.all) / v.dims }
func (v *vectors) at(i int) []float32 { return v.all[i*v.dims : (i+1)*v.dims] }

// latent is in how many directions vectors differ, as those of models do in far fewer than they have numbers.
const latent = 48

// A world draws vectors about centres. Large clusters are rare and small ones common, as topics are.
type world struct {
	r       *rand.Rand
	dims    int
	base    []float32 // latent rows of dims numbers
	centres [][]float32
}

func newWorld(n, dims int) *world {
	w := &world{r: rand.New(rand.NewPCG(1, 2)), dims: dims}
	w.base = w.normal(latent*dims, 1/math.Sqrt(latent))
	for range max(1, n/100) {
		w.centres = append(w.centres, w.normal(latent, 1))
	}
	return w
}

func (w *world) normal(n int, size float64) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(w.r.NormFloat64() * size)
	}
	return out
}

func (w *world) draw(n int) *vectors {
	out := &vectors{dims: w.dims, all: make([]float32, 0, n*w.dims)}
	for range n {
		u := w.r.Float64()
		centre := w.centres[int(u*u*float64(len(w.centres)))]
		v := w.normal(w.dims, .15)
		for k, c := range centre {
			c += float32(w.r.NormFloat64() * .7)
			for i, b := range w.base[k*w.dims : (k+1)*w.dims] {
				v[i] += c * b
			}
		}
		out.all = append(out.all, v...)
	}
	return out
}

func readVectors(name string, dims int) (*vectors, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if len(b) == 0 || len(b)%(4*dims) != 0 {
		return nil, fmt.Errorf("%s: %d bytes are not vectors of %d numbers", name, len(b), dims)
	}
	return &vectors{dims: dims, all: vector.Read(b)}, nil
}

// nearest returns the numbers of the vectors that are nearest to a direction, by exact cosines. inverse are one over the lengths.
func (v *vectors) nearest(direction []float32, inverse []float32, limit int) []int {
	top := vector.Top{Limit: limit}
	for i := range inverse {
		top.Add(vector.Near{Score: vector.Dot(direction, v.at(i)) * inverse[i], ID: uint32(i)})
	}
	var out []int
	for _, n := range top.Take() {
		out = append(out, int(n.ID))
	}
	return out
}
