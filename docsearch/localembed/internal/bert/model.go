package bert

import (
	"fmt"
	"math"

	"github.com/findspot/findspot/docsearch/localembed/internal/compute"
	"github.com/findspot/findspot/docsearch/localembed/internal/weights"
	"github.com/findspot/findspot/internal/errs"
)

// Config are the sizes of a model, under the names of its config.json.
type Config struct {
	Layers       int     `json:"num_hidden_layers"`
	Hidden       int     `json:"hidden_size"`
	Heads        int     `json:"num_attention_heads"`
	Intermediate int     `json:"intermediate_size"`
	Vocab        int     `json:"vocab_size"`
	Positions    int     `json:"max_position_embeddings"`
	Types        int     `json:"type_vocab_size"`
	Epsilon      float64 `json:"layer_norm_eps"`
	Activation   string  `json:"hidden_act"`
}

// Check says what of a configuration cannot be, or is more than any model of this kind has.
func (c *Config) Check() error {
	for _, x := range []struct {
		name        string
		value, most int
	}{
		{"num_hidden_layers", c.Layers, 64}, {"hidden_size", c.Hidden, 4096}, {"num_attention_heads", c.Heads, 128}, {"intermediate_size", c.Intermediate, 16384},
		{"vocab_size", c.Vocab, 1 << 21}, {"max_position_embeddings", c.Positions, 1 << 14}, {"type_vocab_size", c.Types, 64},
	} {
		if x.value < 1 || x.value > x.most {
			return fmt.Errorf("%w: %s is %d, and must be from 1 to %d", errs.Format, x.name, x.value, x.most)
		}
	}
	if c.Hidden%c.Heads != 0 {
		return fmt.Errorf("%w: hidden_size %d is no multiple of num_attention_heads %d", errs.Format, c.Hidden, c.Heads)
	}
	if !(c.Epsilon >= 0 && c.Epsilon < 1) {
		return fmt.Errorf("%w: layer_norm_eps is %v", errs.Format, c.Epsilon)
	}
	if c.activation(nil) == nil {
		return fmt.Errorf("%w: hidden_act is %q, and only gelu, gelu_new, gelu_pytorch_tanh and relu are known", errs.Unsupported, c.Activation)
	}
	return nil
}

// activation returns the function between the two products of a layer; nil when it is not known.
func (c *Config) activation(kn *compute.Kernel) func([]float32) {
	switch c.Activation {
	case "gelu":
		return func(x []float32) { kn.GELU(x) }
	case "gelu_new", "gelu_pytorch_tanh":
		return geluTanh
	case "relu":
		return func(x []float32) {
			for i, v := range x {
				x[i] = max(v, 0)
			}
		}
	}
	return nil
}

// geluTanh is the approximation of GELU in section 2 of its paper. x·(1+tanh(u))/2 is x/(1+exp(-2u)).
func geluTanh(x []float32) {
	for i, v := range x {
		v := float64(v)
		u := math.Sqrt(2/math.Pi) * (v + 0.044715*v*v*v)
		x[i] = float32(v / (1 + math.Exp(-2*u)))
	}
}

// A Model is the weights of an encoder. It is safe for concurrent use.
type Model struct {
	Config
	kn       *compute.Kernel
	words    []float32 // a row for each token
	places   []float32 // a row for each position, with that of the first type added
	norm     norm
	layers   []layer
	activate func([]float32)
}

type norm struct{ gamma, beta []float32 }

type layer struct {
	qkv, mix, up, down *compute.Packed // queries, keys and values side by side; the heads together; and the two products
	mixed, out         norm
}

// Load reads a model from a file of weights. The configuration has passed [Config.Check].
func Load(f *weights.File, c Config, kn *compute.Kernel) (*Model, error) {
	m := &Model{Config: c, kn: kn, activate: c.activation(kn)}
	l := loader{f: f}
	m.words = l.read("embeddings.word_embeddings.weight", c.Vocab, c.Hidden)
	m.places = l.read("embeddings.position_embeddings.weight", c.Positions, c.Hidden)
	types := l.read("embeddings.token_type_embeddings.weight", c.Types, c.Hidden)
	m.norm = l.norm("embeddings.LayerNorm", c.Hidden)
	for i := range c.Layers {
		if l.err != nil {
			return nil, l.err
		}
		m.layers = append(m.layers, l.layer(fmt.Sprintf("encoder.layer.%d.", i), &c, kn))
	}
	if l.err != nil {
		return nil, l.err
	}
	for i := range m.places {
		m.places[i] += types[i%c.Hidden]
	}
	return m, nil
}

// loader reads tensors until one is missing.
type loader struct {
	f   *weights.File
	err error
}

func (l *loader) read(name string, shape ...int) []float32 {
	if l.err != nil {
		return nil
	}
	var x []float32
	x, l.err = l.f.Read(name, shape...)
	return x
}

func (l *loader) norm(name string, n int) norm {
	return norm{l.read(name+".weight", n), l.read(name+".bias", n)}
}

func (l *loader) layer(at string, c *Config, kn *compute.Kernel) layer {
	var w, b []float32
	for _, part := range []string{"query", "key", "value"} {
		x, y := l.read(at+"attention.self."+part+".weight", c.Hidden, c.Hidden), l.read(at+"attention.self."+part+".bias", c.Hidden)
		if part == "query" { // here once instead of at every product of a query and a key
			scale(x, 1/float32(math.Sqrt(float64(c.Hidden/c.Heads))))
			scale(y, 1/float32(math.Sqrt(float64(c.Hidden/c.Heads))))
		}
		w, b = append(w, x...), append(b, y...)
	}
	linear := func(name string, n, k int) *compute.Packed {
		w, b := l.read(at+name+".weight", n, k), l.read(at+name+".bias", n)
		if l.err != nil {
			return nil
		}
		return kn.Pack(w, n, k, b)
	}
	out := layer{
		mix: linear("attention.output.dense", c.Hidden, c.Hidden), mixed: l.norm(at+"attention.output.LayerNorm", c.Hidden),
		up: linear("intermediate.dense", c.Intermediate, c.Hidden), down: linear("output.dense", c.Hidden, c.Intermediate), out: l.norm(at+"output.LayerNorm", c.Hidden),
	}
	if l.err == nil {
		out.qkv = kn.Pack(w, 3*c.Hidden, c.Hidden, b)
	}
	return out
}

func scale(x []float32, by float32) {
	for i := range x {
		x[i] *= by
	}
}
