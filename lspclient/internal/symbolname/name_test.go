package symbolname

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
		if got := Plain(in); got != want {
			t.Errorf("plainName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestParseName(t *testing.T) {
	for _, tt := range []struct {
		in    string
		parts string // joined with "|"
		w     Name
	}{
		{"getUser", "getUser", Name{Index: -1}},
		{"pkg.Type.Method", "pkg|Type|Method", Name{Index: -1}},
		{"(*Type[K, V]).Method", "Type|Method", Name{Index: -1}},
		{"(Type).Method", "Type|Method", Name{Index: -1}},
		{"/A/b", "A|b", Name{Index: -1, Anchored: true}},
		{"A/b[0]", "A|b", Name{Index: 0}},
		{"name[12]", "name", Name{Index: 12}},
		{"Foo[T].Bar", "Foo|Bar", Name{Index: -1}},
		{"List<Map<K, V>>.add", "List|add", Name{Index: -1}},
		{"com.acme.Foo.bar(int, Map<K,V>)", "com|acme|Foo|bar", Name{Index: -1, Called: true, Params: []string{"int", "Map<K,V>"}}},
		{"f()", "f", Name{Index: -1, Called: true}},
		{"f(a)[1]", "f", Name{Index: 1, Called: true, Params: []string{"a"}}},
		{"make().run", "make|run", Name{Index: -1}},
		{"A::operator+", "A|operator+", Name{Index: -1}},
		{"A::operator()", "A|operator()", Name{Index: -1}},
		{"A::operator()(int)", "A|operator()", Name{Index: -1, Called: true, Params: []string{"int"}}},
		{"A::operator <", "A|operator <", Name{Index: -1}},
		{"A::operator<<", "A|operator<<", Name{Index: -1}},
		{"operator->", "operator->", Name{Index: -1}},
		{"A::operator bool", "A|operator bool", Name{Index: -1}},
		{"A::operator std::string() const", "A|operator std::string", Name{Index: -1, Called: true}},
		{"operator new[]", "operator new[]", Name{Index: -1}},
		{"operators.add", "operators|add", Name{Index: -1}},
		{"A::~A", "A|~A", Name{Index: -1}},
		{"::ns::f", "ns|f", Name{Index: -1}},
		{"(anonymous namespace)::f", "(anonymous namespace)|f", Name{Index: -1}},
		{"crate::flags::HiArgs::new", "flags|HiArgs|new", Name{Index: -1}},
		{"<HiArgs as Default>::default", "HiArgs|default", Name{Index: -1}},
		{"self.run", "run", Name{Index: -1}},
		{"Foo.<init>", "Foo|Foo", Name{Index: -1}},
		{"<function>", "<function>", Name{Index: -1}},
		{"content-type", "content-type", Name{Index: -1}},
		{`A."x.y"`, "A|x.y", Name{Index: -1}},
		{"A.#secret", "A|#secret", Name{Index: -1}},
		{"A#m", "A|m", Name{Index: -1}},
		{"completions$", "completions$", Name{Index: -1}},
		{"[Symbol.iterator]", "[Symbol.iterator]", Name{Index: -1}},
		{"größe.ñ", "größe|ñ", Name{Index: -1}},
		{"def run", "run", Name{Index: -1}},
		{"class Flask:", "Flask", Name{Index: -1}},
		{"func (*T).m(x int) error", "T|m", Name{Index: -1, Called: true, Params: []string{"x int"}}},
		{"get() : String", "get", Name{Index: -1, Called: true}},
		{"`A.b`", "A|b", Name{Index: -1}},
		{"p->next", "p|next", Name{Index: -1}},
		{"", "", Name{Index: -1}},
		{"((((", "", Name{Index: -1}},
		{"a(", "a", Name{Index: -1, Called: true}},
	} {
		got := Parse(tt.in)
		if s := strings.Join(got.Parts, "|"); s != tt.parts {
			t.Errorf("parseName(%q) = %q, want %q", tt.in, s, tt.parts)
		}
		got.Parts, got.Raw = nil, ""
		if diff := cmp.Diff(tt.w, got, cmp.AllowUnexported(Name{})); diff != "" {
			t.Errorf("parseName(%q) (-want +got):\n%s", tt.in, diff)
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
		if got := MatchParams(SplitParams(tt.want), SplitParams(tt.have)); got != tt.ok {
			t.Errorf("(%s) matches (%s): %v, want %v", tt.want, tt.have, got, tt.ok)
		}
	}
}

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
		got := Parse(in).Parts
		if len(got) == 0 {
			got = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("parseName(%q) (-want +got):\n%s", in, diff)
		}
	}
}
