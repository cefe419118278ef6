package gosyntax

import (
	"os"
	"testing"

	"github.com/findspot/findspot/codegraph/internal/fronttest"
	"github.com/findspot/findspot/codegraph/lang"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte("package a\nfunc f( {\n}\nfunc g() { f() }\n"))
	f.Add([]byte("package a\n//line x:1\nfunc f[T any](x T) (a, b int) { switch y := any(x).(type) { case int: } }\n"))
	fronttest.Fuzz(f, []lang.Frontend{Frontend()}, os.DirFS("testdata"), "go.txtar", "a.go")
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
