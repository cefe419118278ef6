package gosyntax

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/factcodec"
)

func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/go.txtar")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("package a\nfunc f( {\n}\nfunc g() { f() }\n"))
	f.Add([]byte("package a\n//line x:1\nfunc f[T any](x T) (a, b int) { switch y := any(x).(type) { case int: } }\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		facts, err := Frontend().Parse(t.Context(), "a.go", src)
		if err != nil {
			return
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
	})
}

func FuzzParseMod(f *testing.F) {
	f.Add("module a\nreplace (\n\tb v1 => ../b // c\n)\nuse ./x\n")
	f.Add("replace a => .")
	f.Add("replace ` => .")
	f.Fuzz(func(t *testing.T, text string) {
		m := parseMod([]byte(text), "x/y")
		for _, r := range m.replaces {
			if r.path == "" || r.dir == ".." || len(r.dir) > 2 && r.dir[:3] == "../" {
				t.Errorf("parseMod(%q): %+v", text, m)
			}
		}
	})
}
