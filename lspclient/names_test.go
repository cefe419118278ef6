package lspclient

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNameParts(t *testing.T) {
	for in, want := range map[string][]string{
		"getUser":                 {"getUser"},
		"Flask.dispatch_request":  {"Flask", "dispatch_request"},
		"(*Type).Method":          {"Type", "Method"},
		"A::b":                    {"A", "b"},
		"A/b":                     {"A", "b"},
		"Class#m":                 {"Class", "m"},
		"run(int, string)":        {"run"},
		"example.com/m/pkg.Type":  {"example", "com", "m", "pkg", "Type"},
		"":                        nil,
		"...":                     nil,
		"std::vector::push_back(": {"std", "vector", "push_back"},
	} {
		got := parseName(in).parts
		if len(got) == 0 {
			got = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("parseName(%q) (-want +got):\n%s", in, diff)
		}
	}
}

func TestFits(t *testing.T) {
	goMethod := declaration{name: "example.com/m/pkg.Type.Method", container: "example.com/m/pkg", at: Location{Path: "pkg/type.go"}}
	pyMethod := declaration{name: "run", container: "Flask", at: Location{Path: "src/flask/app.py"}}
	for _, tt := range []struct {
		d    declaration
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
		if got := tt.d.fits(parseName(tt.name)); got != tt.want {
			t.Errorf("%s fits %q: %d, want %d", tt.d.name, tt.name, got, tt.want)
		}
	}
}

func TestPlainName(t *testing.T) {
	for in, want := range map[string]string{
		"run":                     "run",
		"run(int)":                "run",
		"(*Server).Run":           "Server.Run",
		"(Server).Run":            "Server.Run",
		"List<T>":                 "List",
		"get() : String":          "get",
		"ns::f(int)":              "ns::f",
		"":                        "",
		"example.com/m.Type.Meth": "example.com/m.Type.Meth",
	} {
		if got := plainName(in); got != want {
			t.Errorf("plainName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestParseName(t *testing.T) {
	for _, tt := range []struct {
		in    string
		parts string // joined with "|"
		w     written
	}{
		{"getUser", "getUser", written{index: -1}},
		{"pkg.Type.Method", "pkg|Type|Method", written{index: -1}},
		{"(*Type[K, V]).Method", "Type|Method", written{index: -1}},
		{"(Type).Method", "Type|Method", written{index: -1}},
		{"/A/b", "A|b", written{index: -1, anchored: true}},
		{"A/b[0]", "A|b", written{index: 0}},
		{"name[12]", "name", written{index: 12}},
		{"Foo[T].Bar", "Foo|Bar", written{index: -1}},
		{"List<Map<K, V>>.add", "List|add", written{index: -1}},
		{"com.acme.Foo.bar(int, Map<K,V>)", "com|acme|Foo|bar", written{index: -1, called: true, params: []string{"int", "Map<K,V>"}}},
		{"f()", "f", written{index: -1, called: true}},
		{"f(a)[1]", "f", written{index: 1, called: true, params: []string{"a"}}},
		{"make().run", "make|run", written{index: -1}},
		{"A::operator+", "A|operator+", written{index: -1}},
		{"A::operator()", "A|operator()", written{index: -1}},
		{"A::operator()(int)", "A|operator()", written{index: -1, called: true, params: []string{"int"}}},
		{"A::operator <", "A|operator <", written{index: -1}},
		{"A::operator<<", "A|operator<<", written{index: -1}},
		{"operator->", "operator->", written{index: -1}},
		{"A::operator bool", "A|operator bool", written{index: -1}},
		{"A::operator std::string() const", "A|operator std::string", written{index: -1, called: true}},
		{"operator new[]", "operator new[]", written{index: -1}},
		{"operators.add", "operators|add", written{index: -1}},
		{"A::~A", "A|~A", written{index: -1}},
		{"::ns::f", "ns|f", written{index: -1}},
		{"(anonymous namespace)::f", "(anonymous namespace)|f", written{index: -1}},
		{"crate::flags::HiArgs::new", "flags|HiArgs|new", written{index: -1}},
		{"<HiArgs as Default>::default", "HiArgs|default", written{index: -1}},
		{"self.run", "run", written{index: -1}},
		{"Foo.<init>", "Foo|Foo", written{index: -1}},
		{"<function>", "<function>", written{index: -1}},
		{"content-type", "content-type", written{index: -1}},
		{`A."x.y"`, "A|x.y", written{index: -1}},
		{"A.#secret", "A|#secret", written{index: -1}},
		{"A#m", "A|m", written{index: -1}},
		{"completions$", "completions$", written{index: -1}},
		{"[Symbol.iterator]", "[Symbol.iterator]", written{index: -1}},
		{"größe.ñ", "größe|ñ", written{index: -1}},
		{"def run", "run", written{index: -1}},
		{"class Flask:", "Flask", written{index: -1}},
		{"func (*T).m(x int) error", "T|m", written{index: -1, called: true, params: []string{"x int"}}},
		{"get() : String", "get", written{index: -1, called: true}},
		{"`A.b`", "A|b", written{index: -1}},
		{"p->next", "p|next", written{index: -1}},
		{"", "", written{index: -1}},
		{"((((", "", written{index: -1}},
		{"a(", "a", written{index: -1, called: true}},
	} {
		got := parseName(tt.in)
		if s := strings.Join(got.parts, "|"); s != tt.parts {
			t.Errorf("parseName(%q) = %q, want %q", tt.in, s, tt.parts)
		}
		got.parts, got.raw = nil, ""
		if diff := cmp.Diff(tt.w, got, cmp.AllowUnexported(written{})); diff != "" {
			t.Errorf("parseName(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func FuzzParseName(f *testing.F) {
	for _, s := range []string{"A::operator()(int)", "(*T[K]).m", "<T as U>::m[3]", "/a/b", `"x.y".z`, "operator"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > maxName {
			return
		}
		w := parseName(s)
		for _, p := range w.parts {
			if p == "" {
				t.Fatalf("parseName(%q) has an empty part", s)
			}
		}
		plain := plainName(s)
		d := declaration{name: plain, container: s, at: Location{Path: "a/b.x"}}
		d.fits(w)
		d.full()
		implOf(s)
		bareType(s)
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
		plain := plainName(tt.name)
		d := declaration{name: plain, container: tt.container, at: Location{Path: tt.path}}
		if tt.container == "" || strings.HasPrefix(tt.container, "impl") { // as in the outline of a file too
			d.chain = []string{tt.name}
			if tt.container != "" {
				d.chain = []string{tt.container, tt.name}
			}
			d.chain[len(d.chain)-1] = plain
		}
		for _, w := range tt.write {
			if got := d.fits(parseName(w)); got > fitsExactly {
				t.Errorf("%s: %q in %q fits %q as %d, want exactly", tt.server, tt.name, tt.container, w, got)
			}
		}
		for _, w := range tt.not {
			if got := d.fits(parseName(w)); got != fitsNot {
				t.Errorf("%s: %q in %q fits %q as %d, want not", tt.server, tt.name, tt.container, w, got)
			}
		}
	}
}

func TestMatchesParams(t *testing.T) {
	for _, tt := range []struct {
		want, have string
		ok         bool
	}{
		{"int", "int a", true},
		{"int, String", "final int a, java.lang.String b", true},
		{"String[]", "String... args", true},
		{"int", "int[] a", false},
		{"List<String>", "List<Integer> a", true}, // type arguments are not compared
		{"int", "String a", false},
		{"int", "", false},
		{"", "", true},
		{"const char*", "const char *s", true},
		{"string", "name: string = 'a, b'", false}, // a comma in a default: two parameters
		{"string", "name: string", true},
	} {
		if got := matchesParams(splitParams(tt.want), splitParams(tt.have)); got != tt.ok {
			t.Errorf("(%s) matches (%s): %v, want %v", tt.want, tt.have, got, tt.ok)
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

// TestUnknownBesideMissing: a name that one server does not know, where the server of another language is not installed, is
// not found, with near names; it may exist only if files of that language hold it.
func TestUnknownBesideMissing(t *testing.T) {
	spec, _ := fakeSpec(t, "")
	ghost := ServerSpec{
		Name: "ghost", Languages: map[string][]string{"ghostly": {".gh"}}, Install: "summon it",
		Commands: []Command{{Program: "findspot-no-such-server"}},
	}
	root := t.TempDir()
	writeFiles(t, root, map[string]string{"a.fk": "def alpha\nuse alpha\n", "b.gh": "here is omega\n"})
	c, err := Open(t.Context(), root, &Options{Servers: []ServerSpec{spec, ghost}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var none *NotFoundError
	var missing *NotInstalledError
	if _, err := c.References(t.Context(), Named("alphaa"), nil); !errors.As(err, &none) || !errors.Is(err, ErrNotFound) || errors.As(err, &missing) ||
		len(none.Near) != 1 || none.Near[0].Name != "alpha" {
		t.Errorf("a name that stands nowhere: %v, want that it is not found, and alpha", err)
	}
	if _, err := c.References(t.Context(), Named("omega"), nil); !errors.As(err, &missing) || errors.Is(err, ErrNotFound) {
		t.Errorf("a name in a file whose server is missing: %v, want a NotInstalledError", err)
	}
	writeFiles(t, root, map[string]string{"a.fk": "def alpha\nuse alpha omega\n"})
	if _, err := c.References(t.Context(), Named("omega"), nil); !errors.As(err, &missing) || !errors.As(err, &none) || !errors.Is(err, ErrIncomplete) || errors.Is(err, ErrNotFound) {
		t.Errorf("a name in files of both languages: %v, want that it may exist, and what is to be installed", err)
	}
}
