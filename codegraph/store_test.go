package codegraph

import (
	"bytes"
	"os"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

func saved(t testing.TB) (facts, files []byte) {
	opt, err := (*Options)(nil).withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newScanner(fstest.MapFS{"go.mod": {Data: []byte("module m\n")}, "a.go": {Data: []byte("package a\n\nfunc f() { g() }\nfunc g() {}\n")}},
		[]lang.Frontend{gosyntax.Frontend()}, opt)
	if err != nil {
		t.Fatal(err)
	}
	st, _, err := s.pass(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return encodeFacts(s.cache), encodeState(st)
}

// Whatever is in the files, reading gives what was written or an error. The checksum is made right, so that the parts
// behind it are reached.
func FuzzStore(f *testing.F) {
	facts, files := saved(f)
	f.Add(facts[headerSize:], files[headerSize:])
	f.Add([]byte{}, []byte{})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		cache, err := decodeFacts(seal(factsMagic, a))
		if err != nil {
			return
		}
		for _, r := range cache {
			if err := r.facts.Check(); err != nil {
				t.Fatal(err)
			}
		}
		st, err := decodeState(seal(filesMagic, b), cache)
		if err != nil {
			return
		}
		again, err := decodeState(encodeState(st), cache)
		if err != nil || !bytes.Equal(encodeState(st), encodeState(again)) {
			t.Fatalf("round trip: %v", err)
		}
		opt, _ := (*Options)(nil).withDefaults()
		s, err := newScanner(os.DirFS(t.TempDir()), []lang.Frontend{gosyntax.Frontend()}, opt)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range st.files {
			if f.key.lang != "go" {
				return
			}
		}
		if _, err := link(t.Context(), s, st); err != nil {
			t.Fatal(err)
		}
	})
}
