package main

import (
	"encoding/json"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
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
