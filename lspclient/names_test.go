package lspclient

import (
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
		got := nameParts(in)
		if len(got) == 0 {
			got = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("nameParts(%q) (-want +got):\n%s", in, diff)
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
		{pyMethod, "flask.Flask.run", fitsGaps},
		{pyMethod, "Quart.run", fitsNot},
	} {
		if got := tt.d.fits(nameParts(tt.name)); got != tt.want {
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
