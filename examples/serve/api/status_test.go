package api_test

import (
	"context"
	"testing"

	"github.com/findspot/findspot"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
)

// lengths is an embedder of two numbers.
type lengths struct{}

func (lengths) Name() string { return "lengths" }

func (lengths) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, t := range texts {
		out = append(out, []float32{1, float32(len(t))})
	}
	return out, nil
}

// TestStatusOfVectors: the state says how far vectors are where there are to be any.
func TestStatusOfVectors(t *testing.T) {
	status := func(o *findspot.Options) *v1.StatusResponse {
		w := openWorldWith(t, t.TempDir(), nil, o).withReceiver()
		for _, err := range w.ws.AddDocs(t.Context(), papers) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if o.Embedder != nil {
			lib, err := w.ws.Docs(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := lib.Embed(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := w.ws.EmbedCode(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		st, err := w.client().Status(t.Context(), &v1.StatusRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	if st := status(&findspot.Options{}); st.DocumentVectors != nil || st.CodeVectors != nil {
		t.Errorf("without an embedder: %v, %v", st.DocumentVectors, st.CodeVectors)
	}
	st := status(&findspot.Options{Embedder: lengths{}, CodeEmbedder: lengths{}})
	for what, v := range map[string]*v1.VectorStatus{"documents": st.DocumentVectors, "code": st.CodeVectors} {
		if v.GetTotal() == 0 || v.GetDone() != v.GetTotal() || v.GetError() != "" {
			t.Errorf("with an embedder: %s: %v", what, v)
		}
	}
}
