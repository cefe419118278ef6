package project

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCommand(t *testing.T) {
	files := map[string]string{
		"include/lab/meter.h": "", "src/meter.c": "#include <lab/meter.h>\n#include \"own.h\"\n#include <stdio.h>\n", "src/own.h": "",
		"a/twin.h": "", "b/twin.h": "", "src/main.c": "#include \"twin.h\"\n#include \"lab\\meter.h\"\n#include \"deep/x.h\"\n", "x.h": "",
		"src/main.cc": "",
	}
	list := slices.Sorted(maps.Keys(files))
	for i, p := range list {
		list[i] = filepath.FromSlash("/r/" + p)
	}
	in := NewInclusions(list, func(p string) string { return map[string]string{".c": "c", ".cc": "cpp"}[filepath.Ext(p)] },
		func(p string) []byte { return []byte(files[strings.TrimPrefix(filepath.ToSlash(p), "/r/")]) })
	for path, want := range map[string]string{
		"include/lab/meter.h": "clang -xc-header -I/r/include -- /r/include/lab/meter.h",
		"x.h":                 "clang -xc-header -I/r/include -- /r/x.h",
		"b/none.h":            "clang -xobjective-c++-header -I/r/include -- /r/b/none.h",
		"src/main.cc":         "clang -I/r/include -- /r/src/main.cc",
	} {
		if got := filepath.ToSlash(strings.Join(in.Command(filepath.FromSlash("/r/"+path)), " ")); got != want {
			t.Errorf("Command(%s) = %s, want %s", path, got, want)
		}
	}
}

func TestOnlyC(t *testing.T) {
	files := map[string]string{
		"a/meter.h":  "#include \"unit.h\"\n",
		"a/unit.h":   "",
		"a/meter.c":  "#include \"meter.h\"\n",
		"b/gauge.h":  "  #  include <both.h>\n",
		"b/gauge.cc": "#include \"b/gauge.h\"\n// #include \"meter.h\"\n",
		"both.h":     "",
		"both.c":     "#include <x/both.h>\n",
		"ring1.h":    "#include \"ring2.h\"\n",
		"ring2.h":    "#include \"ring1.h\"\n",
		"alone.h":    "",
	}
	language := func(path string) string {
		if strings.HasSuffix(path, ".c") {
			return "c"
		}
		return "cpp"
	}
	of := func(keep func(string) bool) *Inclusions {
		list := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(p string) bool { return !keep(p) })
		return NewInclusions(list, language, func(p string) []byte { return []byte(files[p]) })
	}
	all := of(func(string) bool { return true })
	noCpp := of(func(p string) bool { return !strings.HasPrefix(p, "b/") })
	for _, tt := range []struct {
		in     *Inclusions
		header string
		want   bool
	}{
		{all, "a/meter.h", true}, {all, "a/unit.h", true}, {all, "b/gauge.h", false}, {all, "both.h", false},
		{all, "ring1.h", false}, {all, "alone.h", false}, {noCpp, "both.h", true}, {noCpp, "ring2.h", true}, {noCpp, "alone.h", true},
		{of(func(p string) bool { return strings.HasSuffix(p, ".h") }), "alone.h", false},
	} {
		if got := tt.in.OnlyC(tt.header); got != tt.want {
			t.Errorf("OnlyC(%s) = %v", tt.header, got)
		}
	}
}
