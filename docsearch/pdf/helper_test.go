package pdf

import (
	"bytes"
	"context"
	"testing"

	"github.com/findspot/findspot/docsearch/extract"
)

func open(t testing.TB, data []byte, o *Options) extract.Doc {
	t.Helper()
	d, err := New(o).Open(context.Background(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func read(t testing.TB, data []byte) []*extract.Page {
	t.Helper()
	var out []*extract.Page
	for p, err := range open(t, data, nil).Pages(context.Background(), 1, 0) {
		if err != nil {
			t.Fatalf("Pages: %v", err)
		}
		out = append(out, p)
	}
	return out
}
