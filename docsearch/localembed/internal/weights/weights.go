package weights

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

const (
	maxTensors = 20_000
	maxName    = 1 << 10
	maxDims    = 8
)

// A File is the tensors of a file. It reads them when it is asked to, and is safe for concurrent use as its reader is.
type File struct {
	r       io.ReaderAt
	tensors map[string]tensor
	prefix  string // what the names of all modules begin with, such as "bert."
}

// A tensor is numbers in a file, the last dimension varying fastest.
type tensor struct {
	kind    kind
	shape   []int64
	at, len int64
	turned  bool // a matrix whose rows are what its name's are columns of
}

type kind int

const (
	other kind = iota // counted, and not read
	float32s
	float16s
	bfloat16s
)

var kindSize = [...]int64{float32s: 4, float16s: 2, bfloat16s: 2}

// check says whether a tensor lies in a file of so many bytes, and is as long as its shape says.
func (t *tensor) check(size int64) error {
	if t.at < 0 || t.len < 0 || t.at > size || t.len > size-t.at {
		return fmt.Errorf("it lies from byte %d for %d bytes, in a file of %d", t.at, t.len, size)
	}
	if len(t.shape) > maxDims {
		return fmt.Errorf("it has %d dimensions", len(t.shape))
	}
	want := kindSize[t.kind]
	for _, d := range t.shape {
		if d < 0 || d > 0 && want > size/d {
			return fmt.Errorf("its shape %d is larger than the file", t.shape)
		}
		want *= d
	}
	if t.kind != other && want != t.len {
		return fmt.Errorf("its shape %d takes %d bytes, and it has %d", t.shape, want, t.len)
	}
	return nil
}

// find sets the prefix of the names: what stands before that of the table of words.
func (f *File) find() error {
	const words = "embeddings.word_embeddings.weight"
	for name := range f.tensors {
		if p, ok := strings.CutSuffix(name, words); ok && (f.prefix == "" || len(p) < len(f.prefix)) {
			f.prefix = p
		}
	}
	if _, ok := f.tensors[f.prefix+words]; !ok {
		return fmt.Errorf("%w: no tensor is named %s: this is no BERT encoder with plain weights", errs.Unsupported, words)
	}
	return nil
}

// Shape returns the shape of a tensor; nil when there is none of that name.
func (f *File) Shape(name string) []int64 {
	t, ok := f.tensor(name)
	if ok && t.turned {
		return []int64{t.shape[1], t.shape[0]}
	}
	return t.shape
}

func (f *File) tensor(name string) (tensor, bool) {
	t, ok := f.tensors[f.prefix+name]
	if !ok { // as the first BERT called them
		name = strings.Replace(strings.Replace(name, "LayerNorm.weight", "LayerNorm.gamma", 1), "LayerNorm.bias", "LayerNorm.beta", 1)
		t, ok = f.tensors[f.prefix+name]
	}
	return t, ok
}

// Read returns the numbers of a tensor, which must have this shape.
func (f *File) Read(name string, shape ...int) ([]float32, error) {
	t, ok := f.tensor(name)
	got := f.Shape(name)
	same := len(got) == len(shape)
	for i := 0; same && i < len(shape); i++ {
		same = got[i] == int64(shape[i])
	}
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: it has no tensor %s", errs.Unsupported, f.prefix+name)
	case t.kind == other:
		return nil, fmt.Errorf("%w: the numbers of tensor %s are no F32, F16 or BF16", errs.Unsupported, name)
	case !same:
		return nil, fmt.Errorf("%w: tensor %s has shape %d, and must have %d", errs.Format, name, got, shape)
	}
	size := kindSize[t.kind]
	out := make([]float32, t.len/size)
	buf := make([]byte, min(t.len, 1<<18))
	for done := 0; done < len(out); {
		part := buf[:min(int64(len(buf)), int64(len(out)-done)*size)]
		if _, err := f.r.ReadAt(part, t.at+int64(done)*size); err != nil {
			return nil, fmt.Errorf("tensor %s: %w", name, err)
		}
		t.kind.decode(out[done:], part)
		done += len(part) / int(size)
	}
	if t.turned {
		out = turn(out, shape[0], shape[1])
	}
	return out, nil
}

// decode sets the first numbers of out to those of data.
func (k kind) decode(out []float32, data []byte) {
	switch k {
	case float32s:
		for i := range len(data) / 4 {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
	case bfloat16s: // the upper half of a float32
		for i := range len(data) / 2 {
			out[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(data[2*i:])) << 16)
		}
	case float16s:
		for i := range len(data) / 2 {
			out[i] = half(binary.LittleEndian.Uint16(data[2*i:]))
		}
	}
}

// half returns a number of IEEE 754's binary16.
func half(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exponent {
	case 0:
		x := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(x) | sign)
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// turn returns the matrix of so many rows and columns whose transposed m is.
func turn(m []float32, rows, cols int) []float32 {
	out := make([]float32, len(m))
	for j := range cols {
		for i, x := range m[j*rows : (j+1)*rows] {
			out[i*cols+j] = x
		}
	}
	return out
}
