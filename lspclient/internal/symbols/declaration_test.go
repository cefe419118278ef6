package symbols

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
)

func TestFits(t *testing.T) {
	goMethod := Declaration{Name: "example.com/m/pkg.Type.Method", Container: "example.com/m/pkg", At: place.Location{Path: "pkg/type.go"}}
	pyMethod := Declaration{Name: "run", Container: "Flask", At: place.Location{Path: "src/flask/app.py"}}
	for _, tt := range []struct {
		d    Declaration
		name string
		want fit
	}{
		{goMethod, "Method", fitsExactly},
		{goMethod, "Type.Method", fitsExactly},
		{goMethod, "pkg.Type.Method", fitsExactly},
		{goMethod, "(*Type).Method", fitsExactly},
		{goMethod, "pkg.Method", fitsGaps},
		{goMethod, "type.method", fitsCase},
		{goMethod, "Other.Method", fitsNot},
		{goMethod, "Type", fitsNot},
		{pyMethod, "Flask.run", fitsExactly},
		{pyMethod, "flask.app.Flask.run", fitsExactly},
		{pyMethod, "flask.Flask.run", fitsExactly}, // a file's name need not be written
		{pyMethod, "src.app.Flask.run", fitsGaps},
		{pyMethod, "Quart.run", fitsNot},
	} {
		if got := tt.d.fits(symbolname.Parse(tt.name)); got != tt.want {
			t.Errorf("%s fits %q: %d, want %d", tt.d.Name, tt.name, got, tt.want)
		}
	}
}

func FuzzParseName(f *testing.F) {
	for _, s := range []string{"A::operator()(int)", "(*T[K]).m", "<T as U>::m[3]", "/a/b", `"x.y".z`, "operator"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > symbolname.MaxLength {
			return
		}
		w := symbolname.Parse(s)
		for _, p := range w.Parts {
			if p == "" {
				t.Fatalf("parseName(%q) has an empty part", s)
			}
		}
		plain := symbolname.Plain(s)
		d := Declaration{Name: plain, Container: s, At: place.Location{Path: "a/b.x"}}
		d.fits(w)
		d.Full()
		symbolname.Impl(s)
		symbolname.BareType(s)
	})
}

// TestDecorated: what servers show of a declaration, which their answers in the shared folder have and some made up, is
// found by what a person writes.
func TestDecorated(t *testing.T) {
	for _, tt := range []struct {
		server, name, container, path string
		write                         []string // each fits exactly
		not                           []string
	}{
		{"gopls", "(*builderImpl).Index", "", "index/upsidedown/b.go", []string{"Index", "builderImpl.Index", "(*builderImpl).Index", "upsidedown.builderImpl.Index", "builderImpl/Index"}, []string{"Builder.Index", "builderImpl"}},
		{"gopls", "mapping.DocumentMapping.walkDocument", "github.com/blevesearch/bleve/v2/mapping", "mapping/document.go",
			[]string{"walkDocument", "mapping.DocumentMapping.walkDocument", "(*DocumentMapping).walkDocument", "github.com/blevesearch/bleve/v2/mapping.DocumentMapping.walkDocument"}, []string{"document.walk"}},
		{"gopls", "List[T].Push", "", "l/l.go", []string{"List.Push", "List[int].Push", "(*List[T]).Push"}, nil},
		{"clangd", "createStringObject", "", "src/object.c", []string{"createStringObject", "object.createStringObject"}, nil},
		{"clangd", "str", "redisReply", "deps/hiredis/hiredis.h", []string{"redisReply::str", "str", "redisReply.str"}, []string{"reply::str"}},
		{"clangd", "operator+", "ns::A", "a.h", []string{"A::operator+", "ns::A::operator+", "operator+", "::ns::A::operator+"}, []string{"A::operator++", "operator"}},
		{"clangd", "~A", "A", "a.h", []string{"A::~A", "~A"}, []string{"A::A"}},
		{"clangd", "f", "(anonymous namespace)", "a.cc", []string{"f", "(anonymous namespace)::f"}, nil},
		{"clangd", "Box<T>", "ns", "a.h", []string{"ns::Box", "Box<int>", "Box"}, nil},
		{"jdtls", "acceptModel(Model)", "com.acme.Main", "src/com/acme/Main.java", []string{"acceptModel", "Main.acceptModel(Model)", "com.acme.Main.acceptModel", "Main#acceptModel"}, nil},
		{"jdtls", "get() : String", "Main", "Main.java", []string{"Main.get", "get()"}, nil},
		{"rust-analyzer", "Captures", "&'a M", "crates/matcher/src/lib.rs", []string{"M::Captures", "Captures"}, nil},
		{"rust-analyzer", "fmt", "impl fmt::Display for Error", "src/error.rs", []string{"Error::fmt", "<Error as Display>::fmt", "Display::fmt", "crate::error::Error::fmt"}, []string{"impl::fmt"}},
		{"rust-analyzer", "new", "impl<'a, T: Clone> Foo<'a, T>", "grep-searcher/src/lib.rs", []string{"Foo::new", "Foo<T>::new", "grep_searcher::Foo::new"}, []string{"T::new"}},
		{"pyright", "wrapper", "remove_ctx", "src/flask/app.py", []string{"remove_ctx.wrapper", "wrapper", "flask.app.remove_ctx.wrapper", "flask.remove_ctx.wrapper"}, nil},
		{"pyright", "app_import_path", "ScriptInfo.__init__", "src/flask/cli.py", []string{"ScriptInfo.__init__.app_import_path", "__init__.app_import_path"}, nil},
		{"pylsp", "table", "autosummary_table_visit_html", "a.py", []string{"autosummary_table_visit_html/table"}, nil},
		{"pyrefly", "-- :autolink: (smart default role)", "", "a.py", []string{"-- :autolink: (smart default role)"}, []string{"autolink", "role"}},
		{"tsls", "operate() callback", "map", "map.ts", nil, []string{"operate", "callback"}},
		{"tsls", "<function>", "map", "map.ts", []string{"map.<function>", "<function>"}, []string{"function"}},
		{"tsls", "completions$", "", "repeatWhen.ts", []string{"completions$"}, []string{"completions"}},
		{"tsls", "content-type", "", "ajax.ts", []string{"content-type", `"content-type"`}, []string{"content", "type"}},
		{"tsls", `"a.b"`, "m", "x.ts", []string{`m."a.b"`}, []string{"b"}},
		{"tsls", "#secret", "Box", "x.ts", []string{"Box.#secret", "Box#secret", "Box.secret"}, nil},
		{"vtsls", "_addParent()", "Subscription", "Subscription.ts", []string{"Subscription._addParent", "Subscription/_addParent", "_addParent()"}, nil},
		{"any", "run", "", "lib/öl/x.py", []string{"öl.x.run", "lib.öl.run"}, []string{"ol.run"}},
	} {
		plain := symbolname.Plain(tt.name)
		d := Declaration{Name: plain, Container: tt.container, At: place.Location{Path: tt.path}}
		if tt.container == "" || strings.HasPrefix(tt.container, "impl") { // as in the outline of a file too
			d.Chain = []string{tt.name}
			if tt.container != "" {
				d.Chain = []string{tt.container, tt.name}
			}
			d.Chain[len(d.Chain)-1] = plain
		}
		for _, w := range tt.write {
			if got := d.fits(symbolname.Parse(w)); got > fitsExactly {
				t.Errorf("%s: %q in %q fits %q as %d, want exactly", tt.server, tt.name, tt.container, w, got)
			}
		}
		for _, w := range tt.not {
			if got := d.fits(symbolname.Parse(w)); got != fitsNot {
				t.Errorf("%s: %q in %q fits %q as %d, want not", tt.server, tt.name, tt.container, w, got)
			}
		}
	}
}

func TestNearness(t *testing.T) {
	for _, tt := range []struct {
		want, have string
		near       bool
	}{
		{"getUser", "getUsre", true}, {"getUser", "getUser2", true}, {"getUser", "get_user", true}, {"getUser", "getUserName", true},
		{"getUser", "userGet", true}, {"getUser", "set", false}, {"run", "ran", true}, {"run", "walk", false}, {"a", "b", false},
	} {
		if got := nearness(tt.want, tt.have) <= farthest; got != tt.near {
			t.Errorf("%q is near %q: %v, want %v (%d)", tt.have, tt.want, got, tt.near, nearness(tt.want, tt.have))
		}
	}
}

// TestOverrides: a method is not the one it overrides, though a server may lead from one to the other.
func TestOverrides(t *testing.T) {
	method := func(container string) Declaration {
		return Declaration{Name: "f", Container: container, Kind: "method"}
	}
	for _, tt := range []struct {
		a, b Declaration
		want bool
	}{
		{method("A"), method("B"), true},
		{method("pkg.A"), method("A"), false},
		{method("A"), method(""), false},
		{method("A"), Declaration{Name: "f", Container: "B", Kind: "variable"}, false},
		{Declaration{Name: "f", Kind: "method", Chain: []string{"A", "f"}}, Declaration{Name: "f", Kind: "method", Chain: []string{"B", "f"}}, true},
		{Declaration{Name: "f", Kind: "method", Chain: []string{"ns", "A", "f"}}, Declaration{Name: "f", Kind: "method", Container: "ns::A"}, false},
		{Declaration{Name: "f", Kind: "method", Chain: []string{"ns", "A::f"}}, Declaration{Name: "f", Kind: "method", Container: "ns::A"}, false},
	} {
		if got := tt.a.overrides(tt.b); got != tt.want {
			t.Errorf("%+v overrides %+v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestIsImport(t *testing.T) {
	files := map[string]string{ // the name is "it"; the first line with "it" declares it or does not
		"yes/a.ts": "import { it } from './x'\n",
		"yes/b.ts": "import {\n  other,\n  it,\n} from './x'\n",
		"yes/c.ts": "export {\n  it\n} from './x'\n",
		"yes/d.ts": "export type {\n  it } from './x'\n",
		"yes/e.js": "const {\n  it,\n  other,\n} = require('./x')\n",
		"yes/f.py": "from x import (\n    other,\n    it,\n)\n",
		"yes/g.rs": "use x::{\n    it,\n};\n",
		"yes/h.go": "package h\n\nimport (\n\tit \"x\"\n)\n",
		"no/a.ts":  "import { other } from './x'\nexport const it = 1\n",
		"no/b.ts":  "import {\n  other,\n} from './x'\nconst it = {\n}\n",
		"no/c.ts":  "export const all = {\n  it: 1,\n}\n",
		"no/d.py":  "class A:\n    it = 1\n",
		"no/e.js":  "const {\n  it,\n} = other\nconst x = require('./x')\n",
	}
	root := t.TempDir()
	pool, err := session.NewPool(root, session.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	c := &Resolver{pool: pool}
	for path, text := range files {
		abs := filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(abs), 0o755), os.WriteFile(abs, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(text, "\n") {
			if col := strings.Index(line, "it"); col >= 0 && (col == 0 || !source.IsIdent(rune(line[col-1]))) {
				got := c.isImport(Declaration{At: place.Location{Path: path, Line: n + 1, Col: col + 1, EndLine: n + 1, EndCol: col + 3}})
				if got != strings.HasPrefix(path, "yes/") {
					t.Errorf("%s: %v for\n%s", path, got, text)
				}
				break
			}
		}
	}
}
