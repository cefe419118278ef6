package callers

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/repository"
)

// TestForeignInterfaces has methods that modules from outside may call through an interface that is there, is not, or is
// in source that is not at hand.
func TestForeignInterfaces(t *testing.T) {
	put := func(files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			p := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	t.Setenv("GOMODCACHE", put(map[string]string{
		"example.com/!there@v1.0.0/there.go": "package there\n\ntype Binder interface{ Bind() error }\n\nfunc Plain() {}\n",
	}))
	own := func(name, imports, methods string) string {
		return "package " + name + "\n\n" + imports + "\ntype T struct{}\n\n" + methods + "\n"
	}
	dir := put(map[string]string{
		"go.mod":                       "module example.com/own\n\ngo 1.26\n\nrequire (\n\texample.com/There v1.0.0\n\texample.com/gone v1.0.0\n\texample.com/kept v1.0.0\n)\n",
		"vendor/example.com/kept/k.go": "package kept\n\ntype Keeper interface {\n\tKeep()\n}\n",
		"a/a.go":                       own("a", "import _ \"example.com/There\"\nimport _ \"fmt\"\nimport _ \"example.com/own/b\"", "func (T) Bind() error { return nil }\nfunc (T) Plain() {}"),
		"b/b.go":                       own("b", "", "func (T) Lonely() {}"),
		"c/c.go":                       own("c", "import _ \"example.com/gone/sub\"", "func (T) Seen() {}\nfunc (T) unseen() {}"),
		"d/d.go":                       own("d", "import _ \"example.com/kept\"", "func (T) Keep() {}\nfunc (T) Lose() {}"),
		"e/e.go":                       own("e", "", "func (T) Far() {}"),
		"f/f.go":                       "package f\n\nimport (\n\t\"example.com/gone\"\n\t\"example.com/own/e\"\n)\n\nvar x = gone.Use(e.T{})\n",
	})
	r := repository.New(dir, t.TempDir(), "", repository.Options{Languages: []lang.Frontend{gosyntax.Frontend()}, Prepare: func() error { return nil }})
	defer r.Close()
	if _, err := r.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ id, want string }{
		{"a/a.go:T.Bind", "example.com/There"},
		{"a/a.go:T.Plain", ""},
		{"b/b.go:T.Lonely", ""},
		{"c/c.go:T.Seen", "example.com/gone"},
		{"c/c.go:T.unseen", ""},
		{"d/d.go:T.Keep", "example.com/kept"},
		{"d/d.go:T.Lose", ""},
		{"e/e.go:T.Far", "example.com/gone"},
	} {
		s := &search{r: r, g: r.Graph()}
		e, ok := s.g.Entity(tt.id)
		owner, method := s.owner(e)
		if !ok || !method {
			t.Fatalf("%s is no method", tt.id)
		}
		if got := s.foreignInterface(t.Context(), owner, e.Name); got != tt.want {
			t.Errorf("%s may be called by %q, want %q", tt.id, got, tt.want)
		}
	}
}
