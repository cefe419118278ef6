package fronttest

import (
	"bytes"
	"io/fs"
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/factcodec"
	"github.com/findspot/findspot/codegraph/lang"
)

// For gives the front end that reads a path.
func For(t testing.TB, langs []lang.Frontend, p string) lang.Frontend {
	t.Helper()
	i := slices.IndexFunc(langs, func(f lang.Frontend) bool { return slices.Contains(f.Extensions(), path.Ext(p)) })
	if i < 0 {
		t.Fatalf("no front end reads %s", p)
	}
	return langs[i]
}

// Facts gives the facts of one source.
func Facts(t testing.TB, langs []lang.Frontend, p, src string) *lang.Facts {
	t.Helper()
	facts, err := For(t, langs, p).Parse(t.Context(), p, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

// Fuzz parses sources under each of the paths: the facts must hold together and stay the same when they are encoded. The parts
// of the archive are the seeds, beside those that the caller adds.
func Fuzz(f *testing.F, langs []lang.Frontend, fsys fs.FS, archive string, paths ...string) {
	data, err := fs.ReadFile(fsys, archive)
	if err != nil {
		f.Fatal(err)
	}
	for _, part := range bytes.Split(data, []byte("\n-- ")) {
		f.Add(part)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		for _, p := range paths {
			facts, err := For(t, langs, p).Parse(t.Context(), p, src)
			if err != nil {
				continue
			}
			if err := facts.Check(); err != nil {
				t.Fatal(err)
			}
			again, err := factcodec.Decode(factcodec.Encode(facts))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(factcodec.Encode(facts), factcodec.Encode(again)); d != "" {
				t.Fatalf("round trip (-want +got):\n%s", d)
			}
		}
	})
}
