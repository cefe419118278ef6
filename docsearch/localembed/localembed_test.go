package localembed

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/localembed/internal/bert"
	"github.com/findspot/findspot/internal/vector"
)

func mustOpen(tb testing.TB, dir string, o *Options) *Model {
	tb.Helper()
	m, err := Open(dir, o)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func mustEmbed(tb testing.TB, m *Model, texts ...string) [][]float32 {
	tb.Helper()
	out, err := m.Embed(tb.Context(), texts)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// ids of texts over the tiny vocabulary, with [CLS] and [SEP] around them.
var texts = map[string][]int32{
	"":                                      {2, 3},
	"The cats sat on a mat.":                {2, 5, 6, 10, 7, 8, 12, 9, 17, 3},
	"dog":                                   {2, 13, 3},
	"running, sitting":                      {2, 19, 20, 18, 1, 3},
	strings.Repeat("the dog sat on ", 9):    slices.Concat([]int32{2}, slices.Repeat([]int32{5, 13, 7, 8}, 9), []int32{3}),
	"zebra the [MASK] dog":                  {2, 1, 5, 4, 13, 3},
	"query: a cat":                          {2, 14, 15, 12, 6, 3},
	"the, the, the, the, the, the, the cat": slices.Concat([]int32{2}, slices.Repeat([]int32{5, 18}, 6), []int32{5, 6, 3}),
}

// far returns how far the numbers of a vector are from those wanted, at most.
func far(got []float32, want []float64) (out float64) {
	for i := range want {
		out = max(out, math.Abs(float64(got[i])-want[i]))
	}
	return out
}

// TestArithmetic compares with the plain computation of the test, for sizes that are no multiples of any vector's, all activations and poolings, and
// each way to write weights.
func TestArithmetic(t *testing.T) {
	small, other, wide := newTiny(2, 24, 2, 40), newTiny(1, 36, 3, 20), newTiny(3, 64, 2, 128)
	other.Activation = "gelu_new"
	relu := *wide
	relu.Activation = "relu"
	const cls = `{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}`
	for _, tt := range []struct {
		name  string
		model *tiny
		files map[string]string
		pool  bert.Pooling
		near  float64
	}{
		{"small", small, nil, bert.Mean, 1e-5},
		{"other", other, map[string]string{"1_Pooling/config.json": cls}, bert.CLS, 1e-5},
		{"wide", wide, nil, bert.Mean, 1e-5},
		{"relu", &relu, nil, bert.Mean, 1e-5},
		{"prefixed names", wide, map[string]string{"model.safetensors": string(wide.safetensors("F32", "bert."))}, bert.Mean, 1e-5},
		{"old names", wide, map[string]string{"model.safetensors": string(renamed(wide).safetensors("F32", ""))}, bert.Mean, 1e-5},
		{"onnx", wide, map[string]string{"model.safetensors": "", "onnx/model.onnx": string(wide.onnx())}, bert.Mean, 1e-5},
		{"onnx beside config", small, map[string]string{"model.safetensors": "", "model.onnx": string(small.onnx())}, bert.Mean, 1e-5},
		{"F16", wide, map[string]string{"model.safetensors": string(wide.safetensors("F16", ""))}, bert.Mean, 3e-3},
		{"BF16", wide, map[string]string{"model.safetensors": string(wide.safetensors("BF16", ""))}, bert.Mean, 3e-2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := mustOpen(t, tt.model.folder(t, tt.files), nil)
			var list []string
			for text := range texts {
				list = append(list, text)
			}
			slices.Sort(list)
			for i, v := range mustEmbed(t, m, list...) {
				if d := far(v, tt.model.vector(texts[list[i]], tt.pool)); d > tt.near {
					t.Errorf("Embed(%q): %g from what it must be", list[i], d)
				}
			}
		})
	}
}

// renamed returns the model with the names that the first BERT had.
func renamed(t *tiny) *tiny {
	out := *t
	out.tensors = map[string]values{}
	for name, v := range t.tensors {
		out.tensors[strings.NewReplacer("LayerNorm.weight", "LayerNorm.gamma", "LayerNorm.bias", "LayerNorm.beta").Replace(name)] = v
	}
	return &out
}

// A text longer than the window is cut into windows of like length, whose vectors are averaged.
func TestWindows(t *testing.T) {
	model := newTiny(1, 32, 2, 32)
	dir := model.folder(t, map[string]string{"sentence_bert_config.json": `{"max_seq_length": 12}`})
	text := strings.Repeat("the dog sat ", 7) // 21 tokens, in windows of 10
	ids := slices.Repeat([]int32{5, 13, 7}, 7)
	around := func(ids []int32) []float64 {
		return model.vector(slices.Concat([]int32{2}, ids, []int32{3}), bert.Mean)
	}
	want := make([]float64, 32)
	for _, part := range [][]int32{ids[:7], ids[7:14], ids[14:]} {
		for i, x := range around(part) {
			want[i] += x
		}
	}
	if d := far(mustEmbed(t, mustOpen(t, dir, nil), text)[0], unit(want)); d > 1e-5 {
		t.Errorf("windows: %g from their mean", d)
	}
	if d := far(mustEmbed(t, mustOpen(t, dir, &Options{Truncate: true}), text)[0], around(ids[:10])); d > 1e-5 {
		t.Errorf("truncated: %g from the first window", d)
	}
	// The prefix stands before each window.
	want = make([]float64, 32)
	for _, part := range [][]int32{{5, 13, 7}, {8, 5, 13}} {
		for i, x := range around(slices.Concat([]int32{16, 15}, part)) {
			want[i] += x
		}
	}
	m := mustOpen(t, dir, &Options{MaxTokens: 8, PassagePrefix: "passage: "})
	if d := far(mustEmbed(t, m, "the dog sat on the dog")[0], unit(want)); d > 1e-5 {
		t.Errorf("windows with a prefix: %g from their mean", d)
	}
}

// One text has one vector, bit for bit, whatever it is embedded with and in how many goroutines.
func TestConcurrent(t *testing.T) {
	m := mustOpen(t, newTiny(2, 32, 2, 64).folder(t, nil), &Options{Threads: 3})
	var list []string
	for text := range texts {
		list = append(list, slices.Repeat([]string{text}, 20)...)
	}
	want := map[string][]float32{}
	for text := range texts {
		want[text] = mustEmbed(t, m, text)[0]
	}
	var g errgroup.Group
	for range 4 {
		g.Go(func() error {
			got, err := m.Embed(t.Context(), list)
			for i, v := range got {
				if !slices.Equal(v, want[list[i]]) {
					t.Errorf("Embed(%q) among others = %v, want %v", list[i], v[:4], want[list[i]][:4])
				}
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Embed(ctx, list); !errors.Is(err, context.Canceled) {
		t.Errorf("Embed with a context that has ended: %v", err)
	}
	if got, err := m.Embed(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("Embed of nothing = %v, %v", got, err)
	}
}

// A call that waits for others ends with its context.
func TestWaiting(t *testing.T) {
	dir := newTiny(1, 32, 2, 32).folder(t, nil)
	synctest.Test(t, func(t *testing.T) {
		m := mustOpen(t, dir, &Options{Threads: 1})
		space := <-m.threads
		ctx, cancel := context.WithCancel(t.Context())
		var err error
		go func() { _, err = m.Embed(ctx, []string{"a cat"}) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Embed that waits, and its context ends: %v", err)
		}
		m.threads <- space
		mustEmbed(t, m, "a cat")
	})
}

func TestPrefixes(t *testing.T) {
	model := newTiny(1, 32, 2, 32)
	for _, tt := range []struct {
		name           string
		files          map[string]string
		o              *Options
		query, passage string
		pooling        string
	}{
		{"none", nil, nil, "", "", "mean"},
		{"prompts", map[string]string{"config_sentence_transformers.json": `{"prompts": {"query": "query: ", "document": "passage: "}}`}, nil, "query:", "passage:", "mean"},
		{"E5", map[string]string{"config.json": named(model, "intfloat/e5-small-v2")}, nil, "query:", "passage:", "mean"},
		{"BGE", map[string]string{"config.json": named(model, "BAAI/bge-small-en-v1.5")}, nil, "Represent this sentence for searching relevant passages:", "", "cls"},
		{"BGE, and its pooling says otherwise", map[string]string{
			"config.json": named(model, "bge-small-zh"), "modules.json": `[{"path": "", "type": "s.models.Transformer"}, {"path": "pool", "type": "s.models.Pooling"}, {"type": "s.models.Normalize"}]`,
			"pool/config.json": `{"pooling_mode_mean_tokens": true}`,
		}, nil, "为这个句子生成表示以用于检索相关文章：", "", "mean"},
		{"options", map[string]string{"config.json": named(model, "e5-base")}, &Options{QueryPrefix: "a", PassagePrefix: " "}, "a", "", "mean"},
	} {
		m := mustOpen(t, model.folder(t, tt.files), tt.o)
		if i := m.Info(); i.Query != tt.query || i.Passage != tt.passage || i.Pooling != tt.pooling {
			t.Errorf("%s: %+v, want query %q, passage %q, pooling %s", tt.name, i, tt.query, tt.passage, tt.pooling)
		}
	}
	m := mustOpen(t, model.folder(t, nil), &Options{QueryPrefix: "query: "})
	got, err := m.EmbedQueries(t.Context(), []string{"a cat"})
	if err != nil || !slices.Equal(got[0], mustEmbed(t, m, "query: a cat")[0]) {
		t.Errorf("EmbedQueries is not Embed with the prefix: %v", err)
	}
}

// named returns the model's config.json with its authors' name of it.
func named(t *tiny, name string) string {
	return strings.Replace(configOf(t), "{", `{"model_type": "bert", "_name_or_path": "`+name+`", `, 1)
}

// Names are equal when vectors are, and differ when these do.
func TestName(t *testing.T) {
	model := newTiny(1, 32, 2, 32)
	dir := model.folder(t, nil)
	name := mustOpen(t, dir, nil).Name()
	if other := mustOpen(t, model.folder(t, nil), &Options{Threads: 1, QueryPrefix: "query: "}).Name(); other != name || !strings.HasPrefix(name, "bert 1x32 sha256=") {
		t.Errorf("two folders of one model: %q and %q", name, other)
	}
	seen := map[string]string{name: "the model"}
	changed := newTiny(1, 32, 2, 32)
	changed.tensors["encoder.layer.0.output.dense.bias"].x[3]++
	epsilon := newTiny(1, 32, 2, 32)
	epsilon.Epsilon = 1e-3
	for what, m := range map[string]*Model{
		"weights": mustOpen(t, changed.folder(t, nil), nil), "configuration": mustOpen(t, epsilon.folder(t, nil), nil),
		"vocabulary": mustOpen(t, model.folder(t, map[string]string{"vocab.txt": strings.Join(vocabulary, "\n") + "er"}), nil),
		"letters":    mustOpen(t, model.folder(t, map[string]string{"tokenizer_config.json": `{"do_lower_case": false}`}), nil),
		"window":     mustOpen(t, dir, &Options{MaxTokens: 20}), "truncation": mustOpen(t, dir, &Options{Truncate: true}), "prefix": mustOpen(t, dir, &Options{PassagePrefix: "a"}),
		"pooling": mustOpen(t, model.folder(t, map[string]string{"1_Pooling/config.json": `{"pooling_mode_cls_token": true}`}), nil),
	} {
		if before, ok := seen[m.Name()]; ok {
			t.Errorf("another %s has the name of %s: %q", what, before, m.Name())
		}
		seen[m.Name()] = what
	}
}

func TestErrors(t *testing.T) {
	model := newTiny(1, 32, 2, 32)
	config := configOf(model)
	with := func(old, new string) string { return strings.Replace(config, old, new, 1) }
	shorter := newTiny(1, 32, 2, 32)
	delete(shorter.tensors, "encoder.layer.0.output.dense.bias")
	nan := newTiny(1, 32, 2, 32)
	nan.tensors["encoder.layer.0.output.LayerNorm.bias"].x[0] = math.NaN()
	for _, tt := range []struct {
		name, file, data string
		o                *Options
		is               error
		want             string
	}{
		{"no configuration", "config.json", "", nil, docsearch.ErrNotFound, "give the folder of a model"},
		{"no JSON", "config.json", "{", nil, docsearch.ErrFormat, "config.json: "},
		{"a list", "config.json", "[]", nil, docsearch.ErrFormat, "config.json: "},
		{"another model", "config.json", `{"model_type": "nomic_bert"}`, nil, docsearch.ErrUnsupported, `"nomic_bert", and only bert`},
		{"relative positions", "config.json", with("{", `{"position_embedding_type": "relative_key",`), nil, docsearch.ErrUnsupported, "relative_key"},
		{"an activation", "config.json", with(`"gelu"`, `"swish"`), nil, docsearch.ErrUnsupported, `hidden_act is "swish"`},
		{"no layers", "config.json", with(`"num_hidden_layers":1`, `"num_hidden_layers":0`), nil, docsearch.ErrFormat, "num_hidden_layers is 0"},
		{"too many layers", "config.json", with(`"num_hidden_layers":1`, `"num_hidden_layers":1000000`), nil, docsearch.ErrFormat, "must be from 1 to 64"},
		{"heads", "config.json", with(`"num_attention_heads":2`, `"num_attention_heads":3`), nil, docsearch.ErrFormat, "no multiple of num_attention_heads 3"},
		{"other sizes", "config.json", with(`"intermediate_size":32`, `"intermediate_size":33`), nil, docsearch.ErrFormat, "has shape [32 32], and must have [33 32]"},
		{"a small vocabulary", "config.json", with(`"vocab_size":21`, `"vocab_size":20`), nil, docsearch.ErrFormat, "it has token 20"},
		{"no tokenizer", "vocab.txt", "", nil, docsearch.ErrNotFound, "neither is vocab.txt"},
		{"another tokenizer", "tokenizer.json", `{"model": {"type": "Unigram", "vocab": []}}`, nil, docsearch.ErrUnsupported, `tokenizer.json: unsupported: a tokenizer of type "Unigram"`},
		{"no weights", "model.safetensors", "", nil, docsearch.ErrNotFound, "neither are onnx/model.onnx"},
		{"few weights", "model.safetensors", string(shorter.safetensors("F32", "")), nil, docsearch.ErrUnsupported, "it has no tensor encoder.layer.0.output.dense.bias"},
		{"cut weights", "model.safetensors", string(model.safetensors("F32", ""))[:5000], nil, docsearch.ErrFormat, "model.safetensors: "},
		{"another pooling", "1_Pooling/config.json", `{"pooling_mode_max_tokens": true}`, nil, docsearch.ErrUnsupported, "1_Pooling/config.json: "},
		{"a dense layer", "modules.json", `[{"type": "sentence_transformers.models.Dense"}]`, nil, docsearch.ErrUnsupported, `models.Dense", and only`},
		{"a path that leads out", "modules.json", `[{"type": "x.Pooling", "path": "../.."}]`, nil, docsearch.ErrFormat, "leads out of the folder"},
		{"a window", "x", "", &Options{MaxTokens: 41}, docsearch.ErrUnsupported, "MaxTokens 41"},
		{"a narrow window", "x", "", &Options{MaxTokens: 3, QueryPrefix: "a"}, docsearch.ErrUnsupported, "no room for text"},
		{"threads", "x", "", &Options{Threads: -1}, docsearch.ErrUnsupported, "Threads is -1"},
	} {
		_, err := Open(model.folder(t, map[string]string{tt.file: tt.data}), tt.o)
		if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "model ") {
			t.Errorf("%s: %v, want one that is %q and says %q", tt.name, err, tt.is, tt.want)
		}
	}
	m := mustOpen(t, nan.folder(t, nil), nil)
	if _, err := m.Embed(t.Context(), []string{"a cat"}); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("a vector that is no number: %v", err)
	}
}

func configOf(t *tiny) string {
	return strings.TrimSpace(string(must(json.Marshal(t.Config))))
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

func FuzzConfig(f *testing.F) {
	model := newTiny(1, 32, 2, 32)
	f.Add(configOf(model), `[{"path": "1_Pooling", "type": "s.Pooling"}]`, `{"max_seq_length": 3}`, `{"prompts": {"query": "a"}}`)
	f.Add(`{"hidden_size": -1}`, `[]`, `{"max_seq_length": -3}`, `{"prompts": null}`)
	f.Fuzz(func(t *testing.T, config, modules, limits, prompts string) {
		m, err := Open(model.folder(t, map[string]string{
			"config.json": config, "modules.json": modules, "sentence_bert_config.json": limits, "config_sentence_transformers.json": prompts,
		}), nil)
		if err != nil {
			return
		}
		v, err := m.Embed(t.Context(), []string{"the cat"})
		if err == nil && vector.Inverse(v[0]) == 0 {
			t.Errorf("a vector without a direction: %v", v)
		}
	})
}

// BenchmarkOpen and BenchmarkEmbed measure the model of FINDSPOT_EMBED_MODEL_DIR.
func BenchmarkOpen(b *testing.B) {
	dir := realModel(b)
	for b.Loop() {
		mustOpen(b, dir, nil)
	}
}

func BenchmarkEmbed(b *testing.B) {
	m := mustOpen(b, realModel(b), &Options{Threads: 1})
	for _, tt := range []struct{ name, text string }{{"query", "how is the cell found"}, {"passage", strings.Repeat("a cell is found by its synchronization signals ", 28)}} {
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				mustEmbed(b, m, tt.text)
			}
		})
	}
}
