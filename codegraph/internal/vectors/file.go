package vectors

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/vector"
)

// A file is the vectors of the entities of one file, in their order: four bits a number to look at all of them, eight to compare the best. In the pool it
// stands as
//
//	numbers of a vector, then of each: weight of the codes, codes, scale of the bytes, bytes
//
// with uint32 and float32 in little endian. A vector without a direction has a scale of zero.
type file struct {
	size           int // numbers of a vector
	codes, weights []byte
	bytes          []int8
	scales         []float32
}

// key names the vectors of a file's entities by the embedder, the file's bytes and where its entities are.
func key(embedder string, g *snapshot.Graph, path string, nodes []uint32) (k [32]byte, ok bool) {
	hash, ok := g.FileHash(path)
	if !ok {
		return k, false
	}
	b := fmt.Appendf(nil, "vectors %d\n%q\n", textVersion, embedder)
	b = append(b, hash[:]...)
	for _, n := range nodes {
		start, end, _ := g.Extent(n)
		b = fmt.Appendf(b, "%s %d %d\n", g.ID(n), start, end)
	}
	return sha256.Sum256(b), true
}

// newFile keeps vectors of length one, nil for those without a direction.
func newFile(vs [][]float32, size int) *file {
	f := &file{size: size}
	for _, v := range vs {
		if v == nil {
			v = make([]float32, size)
		}
		var weight float32
		f.codes, weight = vector.AppendCodes(f.codes, v)
		f.weights = vector.AppendWeight(f.weights, weight)
		most := float32(0)
		for _, x := range v {
			most = max(most, x, -x)
		}
		var product float32 // of the bytes with the vector: dividing by it makes the cosine of the vector with itself 1
		for _, x := range v {
			n := int8(0)
			if most > 0 {
				n = int8(math.RoundToEven(float64(x / most * 127)))
			}
			f.bytes = append(f.bytes, n)
			product += float32(x * float32(n))
		}
		scale := float32(0)
		if product > 0 {
			scale = 1 / product
		}
		f.scales = append(f.scales, scale)
	}
	return f
}

// encode gives the form in the pool.
func (f *file) encode() []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(f.size))
	each := vector.CodeSize(f.size)
	for i, scale := range f.scales {
		b = append(b, f.weights[4*i:4*i+4]...)
		b = append(b, f.codes[i*each:(i+1)*each]...)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(scale))
		for _, x := range f.bytes[i*f.size : (i+1)*f.size] {
			b = append(b, byte(x))
		}
	}
	return b
}

// decode reads the vectors of n entities.
func decode(b []byte, n int) (*file, error) {
	if len(b) < 4 {
		return nil, fmt.Errorf("%w: vectors are cut off", errs.Format)
	}
	f := &file{size: int(binary.LittleEndian.Uint32(b))}
	b = b[4:]
	each := vector.CodeSize(min(f.size, len(b)))
	if f.size > len(b) || len(b) != n*(8+each+f.size) {
		return nil, fmt.Errorf("%w: %d bytes are not %d vectors of %d numbers", errs.Format, len(b), n, f.size)
	}
	f.codes, f.weights = make([]byte, 0, n*each), make([]byte, 0, 4*n)
	f.bytes, f.scales = make([]int8, 0, n*f.size), make([]float32, 0, n)
	for ; len(b) > 0; b = b[8+each+f.size:] {
		f.weights = append(f.weights, b[:4]...)
		f.codes = append(f.codes, b[4:4+each]...)
		weight := math.Float32frombits(binary.LittleEndian.Uint32(b))
		scale := math.Float32frombits(binary.LittleEndian.Uint32(b[4+each:]))
		if !(weight >= 0 && weight < 1e9 && scale >= 0 && scale <= 1) {
			return nil, fmt.Errorf("%w: a vector of weight %v and scale %v", errs.Format, weight, scale)
		}
		f.scales = append(f.scales, scale)
		for _, x := range b[8+each : 8+each+f.size] {
			f.bytes = append(f.bytes, int8(x))
		}
	}
	return f, nil
}

// cosine is that of vector i with a direction.
func (f *file) cosine(i int, direction []float32) float64 {
	var sum float32
	for j, x := range f.bytes[i*f.size : (i+1)*f.size] {
		sum += float32(direction[j] * float32(x))
	}
	return float64(sum) * float64(f.scales[i])
}
