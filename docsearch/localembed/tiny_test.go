package localembed

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/localembed/internal/bert"
)

// A tiny is a model of random weights that a test writes and computes itself, in float64 and as plainly as the papers say.
type tiny struct {
	bert.Config
	tensors map[string]values
}

type values struct {
	shape []int
	x     []float64
}

// vocabulary of the tiny models; the id is the place.
var vocabulary = strings.Fields("[PAD] [UNK] [CLS] [SEP] [MASK] the cat sat on mat ##s ##ting a dog query : passage . , run ##ning")

func newTiny(layers, hidden, heads, intermediate int) *tiny {
	t := &tiny{tensors: map[string]values{}}
	t.Config = bert.Config{
		Layers: layers, Hidden: hidden, Heads: heads, Intermediate: intermediate, Vocab: len(vocabulary), Positions: 40, Types: 2, Epsilon: 1e-6, Activation: "gelu",
	}
	r := rand.New(rand.NewPCG(uint64(hidden), uint64(layers)))
	add := func(name string, mean, spread float64, shape ...int) {
		n := 1
		for _, d := range shape {
			n *= d
		}
		v := values{shape: shape, x: make([]float64, n)}
		for i := range v.x {
			v.x[i] = float64(float32(mean + spread*r.NormFloat64()))
		}
		t.tensors[name] = v
	}
	norm := func(name string) {
		add(name+".weight", 1, .2, hidden)
		add(name+".bias", 0, .2, hidden)
	}
	linear := func(name string, out, in int) {
		add(name+".weight", 0, 1.5/math.Sqrt(float64(in)), out, in)
		add(name+".bias", 0, .2, out)
	}
	add("embeddings.word_embeddings.weight", 0, 1, t.Vocab, hidden)
	add("embeddings.position_embeddings.weight", 0, .5, t.Positions, hidden)
	add("embeddings.token_type_embeddings.weight", 0, .5, t.Types, hidden)
	norm("embeddings.LayerNorm")
	for i := range layers {
		at := fmt.Sprintf("encoder.layer.%d.", i)
		for _, p := range []string{"query", "key", "value"} {
			linear(at+"attention.self."+p, hidden, hidden)
		}
		linear(at+"attention.output.dense", hidden, hidden)
		norm(at + "attention.output.LayerNorm")
		linear(at+"intermediate.dense", intermediate, hidden)
		linear(at+"output.dense", hidden, intermediate)
		norm(at + "output.LayerNorm")
	}
	return t
}

func (t *tiny) linear(x [][]float64, name string) [][]float64 {
	w, b := t.tensors[name+".weight"], t.tensors[name+".bias"]
	out := make([][]float64, len(x))
	for r, row := range x {
		for o := range w.shape[0] {
			sum := b.x[o]
			for i, v := range row {
				sum += v * w.x[o*w.shape[1]+i]
			}
			out[r] = append(out[r], sum)
		}
	}
	return out
}

func (t *tiny) norm(x, add [][]float64, name string) [][]float64 {
	gamma, beta := t.tensors[name+".weight"].x, t.tensors[name+".bias"].x
	out := make([][]float64, len(x))
	for r := range x {
		mean, variance := 0.0, 0.0
		for i := range x[r] {
			mean += (x[r][i] + add[r][i]) / float64(len(x[r]))
		}
		for i := range x[r] {
			variance += math.Pow(x[r][i]+add[r][i]-mean, 2) / float64(len(x[r]))
		}
		for i := range x[r] {
			out[r] = append(out[r], (x[r][i]+add[r][i]-mean)/math.Sqrt(variance+t.Epsilon)*gamma[i]+beta[i])
		}
	}
	return out
}

func (t *tiny) activation(v float64) float64 {
	switch t.Activation {
	case "gelu":
		return v * (1 + math.Erf(v/math.Sqrt2)) / 2
	case "gelu_new":
		return v * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(v+.044715*v*v*v))) / 2
	}
	return max(v, 0)
}

// vector returns what the model gives for tokens.
func (t *tiny) vector(ids []int32, pool bert.Pooling) []float64 {
	h, size := t.Hidden, t.Hidden/t.Heads
	row := func(name string, i int) []float64 { return t.tensors["embeddings."+name+".weight"].x[i*h : (i+1)*h] }
	var x, places [][]float64
	for i, id := range ids {
		x = append(x, row("word_embeddings", int(id)))
		places = append(places, nil)
		for j, v := range row("position_embeddings", i) {
			places[i] = append(places[i], v+row("token_type_embeddings", 0)[j])
		}
	}
	x = t.norm(x, places, "embeddings.LayerNorm")
	for l := range t.Layers {
		at := fmt.Sprintf("encoder.layer.%d.", l)
		q, k, v := t.linear(x, at+"attention.self.query"), t.linear(x, at+"attention.self.key"), t.linear(x, at+"attention.self.value")
		heads := make([][]float64, len(x))
		for r := range x {
			heads[r] = make([]float64, h)
			for head := range t.Heads {
				var scores []float64
				sum := 0.0
				for s := range x {
					dot := 0.0
					for i := head * size; i < (head+1)*size; i++ {
						dot += q[r][i] * k[s][i]
					}
					scores = append(scores, math.Exp(dot/math.Sqrt(float64(size))))
					sum += scores[s]
				}
				for s := range x {
					for i := head * size; i < (head+1)*size; i++ {
						heads[r][i] += scores[s] / sum * v[s][i]
					}
				}
			}
		}
		x = t.norm(x, t.linear(heads, at+"attention.output.dense"), at+"attention.output.LayerNorm")
		up := t.linear(x, at+"intermediate.dense")
		for _, row := range up {
			for i, v := range row {
				row[i] = t.activation(v)
			}
		}
		x = t.norm(x, t.linear(up, at+"output.dense"), at+"output.LayerNorm")
	}
	if pool == bert.CLS {
		x = x[:1]
	}
	out := make([]float64, h)
	for _, row := range x {
		for i, v := range row {
			out[i] += v
		}
	}
	return unit(out)
}

func unit(x []float64) []float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	for i := range x {
		x[i] /= math.Sqrt(sum)
	}
	return x
}

// encode returns numbers as a file has them.
func (v values) encode(kind string) []byte {
	var out []byte
	for _, x := range v.x {
		b := math.Float32bits(float32(x))
		switch kind {
		case "F32":
			out = binary.LittleEndian.AppendUint32(out, b)
		case "BF16":
			out = binary.LittleEndian.AppendUint16(out, uint16((b+0x8000)>>16))
		case "F16":
			half := uint16(b>>31) << 15
			if exponent := int(b>>23&255) - 127 + 15; exponent > 0 { // else too near to zero to matter here
				half |= uint16((b&0x7fffff+0x1000)>>13) + uint16(exponent)<<10
			}
			out = binary.LittleEndian.AppendUint16(out, half)
		}
	}
	return out
}

func (t *tiny) safetensors(kind, prefix string) []byte {
	header, data := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, []byte{}
	for _, name := range slices.Sorted(maps.Keys(t.tensors)) {
		v := t.tensors[name]
		from := len(data)
		data = append(data, v.encode(kind)...)
		header[prefix+name] = map[string]any{"dtype": kind, "shape": v.shape, "data_offsets": []int{from, len(data)}}
	}
	head, err := json.Marshal(header)
	if err != nil {
		panic(err)
	}
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, data)
}

// pb returns a field of a protocol buffer: a number, or bytes.
func pb(number int, value any) []byte {
	switch v := value.(type) {
	case int:
		return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number)<<3), uint64(v))
	case string:
		return pb(number, []byte(v))
	case []byte:
		return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number)<<3|2), uint64(len(v))), v...)
	}
	panic(value)
}

// onnx writes the weights of layers as the PyTorch exporter does: transposed and without a name.
func (t *tiny) onnx() []byte {
	var graph bytes.Buffer
	tensor := func(name string, shape []int, raw []byte) {
		var x []byte
		for _, d := range shape {
			x = append(x, pb(1, d)...)
		}
		graph.Write(pb(5, slices.Concat(x, pb(2, 1), pb(8, name), pb(9, raw))))
	}
	node := func(op string, in []string, out string) {
		var x []byte
		for _, name := range in {
			x = append(x, pb(1, name)...)
		}
		graph.Write(pb(1, slices.Concat(x, pb(2, out), pb(4, op))))
	}
	for i, name := range slices.Sorted(maps.Keys(t.tensors)) {
		v := t.tensors[name]
		module, isWeight := strings.CutSuffix(name, ".weight")
		if !isWeight || len(v.shape) != 2 || strings.HasPrefix(name, "embeddings") {
			tensor(name, v.shape, v.encode("F32"))
			continue
		}
		turned := values{x: make([]float64, len(v.x))}
		for o := range v.shape[0] {
			for j := range v.shape[1] {
				turned.x[j*v.shape[0]+o] = v.x[o*v.shape[1]+j]
			}
		}
		anonymous := fmt.Sprintf("onnx::MatMul_%d", 1000+i)
		tensor(anonymous, []int{v.shape[1], v.shape[0]}, turned.encode("F32"))
		node("MatMul", []string{"x", anonymous}, anonymous+"_out")
		node("Add", []string{module + ".bias", anonymous + "_out"}, anonymous+"_sum")
	}
	return slices.Concat(pb(1, 8), pb(2, "pytorch"), pb(7, graph.Bytes()))
}

// folder writes the model, and files beside it that replace those of the same name; "" leaves one out.
func (t *tiny) folder(tb testing.TB, files map[string]string) string {
	tb.Helper()
	config, err := json.Marshal(t.Config)
	if err != nil {
		tb.Fatal(err)
	}
	all := map[string]string{
		"config.json": string(config), "vocab.txt": strings.Join(vocabulary, "\n") + "\n", "model.safetensors": string(t.safetensors("F32", "")),
	}
	maps.Copy(all, files)
	dir := tb.TempDir()
	for name, data := range all {
		if data == "" {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}
