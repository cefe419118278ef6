package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/text"
)

// embedServer answers in OpenAI's embeddings form: every word counts in one place of the vector, and "automobile" is a "car".
func embedServer(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if r.Header.Get("Authorization") != "Bearer open sesame" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		type item struct {
			Index     int       `json:"index"`
			Embedding []float32 `json:"embedding"`
		}
		out := struct {
			Data []item `json:"data"`
		}{}
		for i, s := range q.Input {
			v := make([]float32, 128)
			for _, term := range text.Terms(s) {
				if term == text.Terms("automobile")[0] {
					term = "car"
				}
				h := fnv.New32a()
				h.Write([]byte(term))
				v[h.Sum32()%128]++
			}
			out.Data = append(out.Data, item{i, v})
		}
		if err := json.NewEncoder(w).Encode(out); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// embedModel writes the smallest model of the kind that is read from folders: what it says of a text is which of its words are in the vocabulary.
func embedModel(t *testing.T) string {
	const hidden = 32
	words := strings.Fields("[PAD] [UNK] [CLS] [SEP] bread is made of flour , water and salt . the future itself")
	header, data := map[string]any{}, []byte{}
	add := func(name string, value func(i int) float32, shape ...int) {
		from, n := len(data), 1
		for _, d := range shape {
			n *= d
		}
		for i := range n {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(value(i)))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shape, "data_offsets": []int{from, len(data)}}
	}
	zero, one := func(int) float32 { return 0 }, func(int) float32 { return 1 }
	r := rand.New(rand.NewPCG(1, 2))
	add("embeddings.word_embeddings.weight", func(int) float32 { return float32(r.NormFloat64()) }, len(words), hidden)
	add("embeddings.position_embeddings.weight", zero, 64, hidden)
	add("embeddings.token_type_embeddings.weight", zero, 2, hidden)
	for _, part := range []string{"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense", "intermediate.dense", "output.dense"} {
		add("encoder.layer.0."+part+".weight", zero, hidden, hidden)
		add("encoder.layer.0."+part+".bias", zero, hidden)
	}
	for _, norm := range []string{"embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"} {
		add(norm+".LayerNorm.weight", one, hidden)
		add(norm+".LayerNorm.bias", zero, hidden)
	}
	head, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"vocab.txt": strings.Join(words, "\n"), "model.safetensors": string(slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head, data)),
		"config.json": fmt.Sprintf(`{"num_hidden_layers": 1, "hidden_size": %d, "num_attention_heads": 2, "intermediate_size": %[1]d, "vocab_size": %d, "max_position_embeddings": 64, "type_vocab_size": 2}`, hidden, len(words)),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
