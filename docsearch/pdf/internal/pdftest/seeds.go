package pdftest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
)

// Seeds are parts of our own documents, for a fuzzer to begin with: files, content streams, CMaps and font programs of at most
// 64 KiB each.
type Seeds struct{ Files, Contents, CMaps, Fonts [][]byte }

// ReadSeeds takes apart the PDFs of a folder.
func ReadSeeds(t testing.TB, folder string) Seeds {
	t.Helper()
	var out Seeds
	names, err := filepath.Glob(filepath.Join(folder, "*.pdf"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents in %s: %v", folder, err)
	}
	slices.Sort(names)
	add := func(list *[][]byte, data []byte) {
		if len(data) > 0 && len(data) <= 1<<16 && !slices.ContainsFunc(*list, func(b []byte) bool { return bytes.Equal(b, data) }) {
			*list = append(*list, data)
		}
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		add(&out.Files, data)
		file, err := cos.Open(t.Context(), bytes.NewReader(data), int64(len(data)), &cos.Options{Password: "ditch"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r := cos.NewReader(t.Context(), file, nil)
		stream := func(list *[][]byte, o cos.Object) {
			if data, err := r.Stream(o); err == nil {
				add(list, data)
			}
		}
		nums, err := file.Numbers(t.Context(), false)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, n := range nums {
			d := r.Dict(cos.Ref{Num: n})
			switch r.Name(d["Type"]) {
			case "Page":
				for _, o := range append(r.Array(d["Contents"]), d["Contents"]) {
					stream(&out.Contents, o)
				}
			case "Font":
				stream(&out.CMaps, d["ToUnicode"])
			case "FontDescriptor":
				for _, key := range []string{"FontFile", "FontFile2", "FontFile3"} {
					stream(&out.Fonts, d[key])
				}
			}
		}
	}
	return out
}
